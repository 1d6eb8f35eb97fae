package parse

import "streamsql/planner/syntax"

var explainDetails = wordSet("ESTIMATED_COST CHANGELOG_MODE JSON_EXECUTION_PLAN PLAN_ADVICE")

// explain parses EXPLAIN [details | PLAN FOR] statement.
func (p *parser) explain() syntax.Statement {
	start, e := p.i, &syntax.Explain{}
	p.i++
	switch t := p.tok(); {
	case p.accept("PLAN", "FOR"):
	case t.kind == word && explainDetails[t.up]:
		p.details(e)
	case t.is("ANALYZE"):
		p.widen(explainAnalyze, t.span())
		p.i++
		e.Analyze = true
	}
	e.Statement = p.explained()
	e.Span = p.since(start)
	return e
}

func (p *parser) details(e *syntax.Explain) {
	for {
		t := p.tok()
		if t.kind != word || !explainDetails[t.up] {
			p.unexpected("ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN or PLAN_ADVICE")
		}
		p.i++
		e.Details = append(e.Details, syntax.ExplainDetail{Span: t.span(), Name: t.up})
		if !p.acceptSign(",") {
			return
		}
	}
}

// explained parses a statement that has a plan.
func (p *parser) explained() syntax.Statement {
	start := p.i
	switch {
	case p.startsQuery(p.i):
		q := p.parseQuery()
		return &syntax.QueryStatement{Span: p.since(start), Query: q}
	case p.is("INSERT", "UPSERT"):
		return p.insert()
	case p.is("COPY"):
		return p.copy()
	case p.is("STATEMENT"):
		return p.statementSet(start)
	case p.accept("EXECUTE"):
		return p.statementSet(start)
	case p.is("CREATE", "REPLACE"):
		if c, ok := p.create().(*syntax.CreateTable); ok && c.As != nil {
			return c
		}
		p.fail(syntax.Errorf(syntax.CodeSyntax, p.since(start), "only CREATE TABLE .. AS query has a plan"))
	}
	p.unexpected("a query, an INSERT or a statement set")
	return nil
}

// compilePlan parses COMPILE [AND EXECUTE] PLAN 'file' [IF NOT EXISTS] FOR statement.
func (p *parser) compilePlan() syntax.Statement {
	start, c := p.i, &syntax.CompilePlan{}
	p.i++
	c.Execute = p.accept("AND", "EXECUTE")
	p.expect("PLAN")
	c.File, _ = p.stringValue("the plan's file in quotes")
	c.IfNotExists = p.ifNotExists()
	p.expect("FOR")
	if at := p.i; p.is("STATEMENT") {
		c.Statement = p.statementSet(at)
	} else if p.is("INSERT", "UPSERT") {
		c.Statement = p.insert()
	} else {
		p.unexpected("INSERT or STATEMENT SET")
	}
	c.Span = p.since(start)
	return c
}
