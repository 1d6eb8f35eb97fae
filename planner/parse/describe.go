package parse

import "streamsql/planner/syntax"

var describeKinds = map[string]syntax.ObjectKind{
	"CATALOG": syntax.CatalogObject, "DATABASE": syntax.DatabaseObject,
	"FUNCTION": syntax.FunctionObject, "MODEL": syntax.ModelObject,
}

// describe parses DESCRIBE and DESC of a table, a query or another object.
func (p *parser) describe() syntax.Statement {
	start, d := p.i, &syntax.Describe{Kind: syntax.TableObject}
	p.i++
	t := p.tok()
	kind, isKind := describeKinds[t.up]
	switch {
	case p.accept("JOB"):
		job, _ := p.stringValue("the job's id in quotes")
		d.Job = &job
	case t.is("TABLE") && p.peek(1).name():
		p.widen(describeTableWord, syntax.Span{Pos: t.pos, End: p.peek(1).pos}, nothing)
		p.i++
		d.Name = p.path("the table")
	case t.kind == text:
		d.File = p.file()
		p.widen(fileInFrom, d.File.Span)
	case p.startsQuery(p.i):
		p.widen(describeQuery, t.span())
		d.Query = p.parseQuery()
	case t.kind == word && isKind && (p.peek(1).name()):
		p.i++
		d.Kind = kind
		d.Extended = p.accept("EXTENDED")
		d.Name = p.path("the name of the object")
	default:
		d.Extended = p.is("EXTENDED") && p.peek(1).name() && p.accept("EXTENDED")
		d.Name = p.path("a table or view")
	}
	d.Span = p.since(start)
	return d
}
