package parse

import "streamsql/planner/syntax"

// alter parses the ALTER statements.
func (p *parser) alter() syntax.Statement {
	start := p.i
	p.i++
	switch {
	case p.accept("TABLE"):
		return p.alterTable(start)
	case p.accept("VIEW"):
		return p.alterView(start)
	case p.accept("DATABASE"):
		d := &syntax.AlterDatabase{Name: p.path("the database")}
		p.expect("SET")
		d.Options = p.options()
		d.Span = p.since(start)
		return d
	case p.accept("CATALOG"):
		return p.alterCatalog(start)
	case p.is("FUNCTION", "TEMPORARY"):
		return p.alterFunction(start)
	case p.is("MODEL"):
		return p.unsupportedTo(start, "ALTER MODEL")
	case p.words("MATERIALIZED", "TABLE"):
		return p.unsupportedTo(start, "ALTER MATERIALIZED TABLE")
	}
	p.unexpected("TABLE, VIEW, DATABASE, CATALOG or FUNCTION")
	return nil
}

func (p *parser) alterView(start int) syntax.Statement {
	v := &syntax.AlterView{Name: p.path("the view")}
	if p.accept("RENAME", "TO") {
		to := p.path("the view's new name")
		v.To = &to
	} else {
		p.expect("AS")
		v.Query = p.parseQuery()
	}
	v.Span = p.since(start)
	return v
}

func (p *parser) alterCatalog(start int) syntax.Statement {
	c := &syntax.AlterCatalog{Name: p.ident("the catalog")}
	switch {
	case p.accept("SET"):
		c.Options = p.options()
	case p.accept("RESET"):
		c.Reset = p.keys()
	default:
		c.Comment = p.comment()
		if c.Comment == nil {
			p.unexpected("SET, RESET or COMMENT")
		}
	}
	c.Span = p.since(start)
	return c
}

func (p *parser) alterFunction(start int) syntax.Statement {
	f := &syntax.AlterFunction{Temporary: p.accept("TEMPORARY")}
	f.System = f.Temporary && p.accept("SYSTEM")
	p.expect("FUNCTION")
	f.IfExists = p.ifExists()
	f.Name = p.path("the function")
	p.expect("AS")
	f.Class, _ = p.stringValue("the function's class in quotes")
	f.Language = p.language()
	f.Span = p.since(start)
	return f
}

// keys reads ('key', ..), which may be empty.
func (p *parser) keys() []string {
	p.expectSign("(")
	var keys []string
	for !p.sign(")") {
		key, _ := p.stringValue("an option's key in quotes")
		keys = append(keys, key)
		if !p.acceptSign(",") {
			break
		}
	}
	p.expectSign(")")
	return keys
}
