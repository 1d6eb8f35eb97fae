package parse

import "streamsql/planner/syntax"

// execute parses EXECUTE .., the statement sets, and the marks of the old statement set.
func (p *parser) execute() syntax.Statement {
	start := p.i
	switch {
	case p.accept("BEGIN"):
		p.expect("STATEMENT", "SET")
		return &syntax.BeginStatementSet{Span: p.since(start)}
	case p.accept("END"):
		return &syntax.EndStatementSet{Span: p.since(start)}
	case p.is("STATEMENT"):
		return p.statementSet(start)
	}
	p.expect("EXECUTE")
	switch {
	case p.is("STATEMENT"):
		return p.statementSet(start)
	case p.is("INSERT", "UPSERT"):
		return p.insert()
	case p.accept("PLAN"):
		file, _ := p.stringValue("the plan's file in quotes")
		return &syntax.ExecutePlan{Span: p.since(start), File: file}
	case p.startsQuery(p.i):
		q := p.parseQuery()
		return &syntax.QueryStatement{Span: p.since(start), Query: q}
	}
	p.unexpected("STATEMENT SET, PLAN, INSERT or a query")
	return nil
}

// statementSet parses STATEMENT SET BEGIN insert; .. END.
func (p *parser) statementSet(start int) *syntax.StatementSet {
	p.expect("STATEMENT", "SET", "BEGIN")
	set := &syntax.StatementSet{}
	for {
		if !p.is("INSERT", "UPSERT") {
			p.unexpected("INSERT; a statement set holds inserts")
		}
		set.Inserts = append(set.Inserts, p.insert())
		p.expectSign(";")
		if p.accept("END") {
			break
		}
	}
	set.Span = p.since(start)
	return set
}
