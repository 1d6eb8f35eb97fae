package parse

import "streamsql/planner/syntax"

var dropKinds = map[string]syntax.ObjectKind{
	"TABLE": syntax.TableObject, "VIEW": syntax.ViewObject, "FUNCTION": syntax.FunctionObject,
	"DATABASE": syntax.DatabaseObject, "CATALOG": syntax.CatalogObject, "MODEL": syntax.ModelObject,
}

// drop parses DROP [TEMPORARY [SYSTEM]] kind [IF EXISTS] name.
func (p *parser) drop() syntax.Statement {
	start, d := p.i, &syntax.Drop{}
	p.i++
	d.Temporary = p.accept("TEMPORARY")
	d.System = d.Temporary && p.accept("SYSTEM")
	kind, ok := dropKinds[p.tok().up]
	if p.words("MATERIALIZED", "TABLE") {
		kind, ok = syntax.MaterializedTableObject, true
		p.i++
	}
	if !ok || d.System && kind != syntax.FunctionObject {
		p.unexpected("what to drop: TABLE, VIEW, FUNCTION, DATABASE or CATALOG")
	}
	p.i++
	d.Kind = kind
	d.IfExists = p.ifExists()
	d.Name = p.path("the object to drop")
	if kind == syntax.DatabaseObject {
		d.Cascade = p.accept("CASCADE")
		if !d.Cascade {
			p.accept("RESTRICT")
		}
	}
	d.Span = p.since(start)
	return d
}
