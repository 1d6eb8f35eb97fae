package parse

import "streamsql/planner/syntax"

// creation is what stands before the name of a CREATE.
type creation struct {
	start     int
	replace   bool
	temporary bool
	system    bool
}

// create parses CREATE [OR REPLACE] [TEMPORARY [SYSTEM]] .. and REPLACE TABLE.
func (p *parser) create() syntax.Statement {
	c := creation{start: p.i}
	if p.accept("REPLACE") {
		c.replace = true
		if !p.is("TABLE") {
			p.unexpected("TABLE")
		}
		return p.createTable(c)
	}
	p.expect("CREATE")
	if p.words("OR", "ALTER", "MATERIALIZED", "TABLE") {
		return p.unsupportedTo(c.start, "CREATE OR ALTER MATERIALIZED TABLE")
	}
	c.replace = p.accept("OR", "REPLACE")
	c.temporary = p.accept("TEMPORARY")
	c.system = c.temporary && p.accept("SYSTEM")
	switch {
	case p.is("TABLE") && !c.system:
		return p.createTable(c)
	case p.is("VIEW") && !c.system:
		return p.createView(c)
	case p.is("FUNCTION") && !c.replace:
		return p.createFunction(c)
	case c.system:
		p.unexpected("FUNCTION")
	case p.is("MODEL"):
		return p.unsupportedTo(c.start, "CREATE MODEL")
	case p.words("MATERIALIZED", "TABLE") && !c.temporary:
		return p.unsupportedTo(c.start, "CREATE MATERIALIZED TABLE")
	case c.replace || c.temporary:
		p.unexpected("TABLE, VIEW or FUNCTION")
	case p.is("CATALOG"):
		return p.createCatalog(c)
	case p.is("DATABASE"):
		return p.createDatabase(c)
	}
	p.unexpected("TABLE, VIEW, FUNCTION, CATALOG or DATABASE")
	return nil
}

func (p *parser) ifNotExists() bool { return p.accept("IF", "NOT", "EXISTS") }

func (p *parser) ifExists() bool { return p.accept("IF", "EXISTS") }

// withOptions reads WITH (..) if it stands here.
func (p *parser) withOptions() ([]syntax.Option, bool) {
	if !p.accept("WITH") {
		return nil, false
	}
	return p.options(), true
}

// createView parses CREATE VIEW behind its first words.
func (p *parser) createView(c creation) syntax.Statement {
	p.expect("VIEW")
	v := &syntax.CreateView{Replace: c.replace, Temporary: c.temporary, IfNotExists: p.ifNotExists()}
	v.Name = p.path("the view")
	if p.sign("(") {
		v.Columns = p.identList("a column name")
	}
	v.Comment = p.comment()
	p.expect("AS")
	v.Query = p.parseQuery()
	v.Span = p.since(c.start)
	return v
}

// createFunction parses CREATE FUNCTION behind its first words.
func (p *parser) createFunction(c creation) syntax.Statement {
	p.expect("FUNCTION")
	f := &syntax.CreateFunction{Temporary: c.temporary, System: c.system, IfNotExists: p.ifNotExists()}
	f.Name = p.path("the function")
	p.expect("AS")
	f.Class, f.ClassSpan = p.stringValue("the function's class in quotes")
	f.Language = p.language()
	for p.accept("USING") || len(f.Using) > 0 && p.acceptSign(",") {
		if !p.is("JAR", "FILE", "ARCHIVE", "ARTIFACT") {
			p.unexpected("JAR and a path")
		}
		p.i++
		jar, _ := p.stringValue("a path in quotes")
		f.Using = append(f.Using, jar)
	}
	if _, ok := p.withOptions(); ok {
		p.fail(syntax.NotSupported(p.since(c.start), "options of a function", "leave out the WITH clause"))
	}
	f.Span = p.since(c.start)
	return f
}

func (p *parser) language() string {
	if !p.accept("LANGUAGE") {
		return ""
	}
	if !p.is("JAVA", "SCALA", "SQL", "PYTHON") {
		p.unexpected("JAVA, SCALA, SQL or PYTHON")
	}
	return p.next().up
}

func (p *parser) createCatalog(c creation) syntax.Statement {
	p.i++
	s := &syntax.CreateCatalog{IfNotExists: p.ifNotExists(), Name: p.ident("the catalog")}
	s.Comment = p.comment()
	s.Options, _ = p.withOptions()
	s.Span = p.since(c.start)
	return s
}

func (p *parser) createDatabase(c creation) syntax.Statement {
	p.i++
	s := &syntax.CreateDatabase{IfNotExists: p.ifNotExists(), Name: p.path("the database")}
	s.Comment = p.comment()
	s.Options, _ = p.withOptions()
	s.Span = p.since(c.start)
	return s
}
