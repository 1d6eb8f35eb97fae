package logical

import (
	"slices"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
)

// Project computes one expression per result column.
type Project struct {
	Input Plan
	Exprs []expr.Expr
	// Columns has name, type and time attribute of each expression's result.
	Columns Schema
}

// NewProject projects to exprs under names. A plain column keeps its time attribute, anything computed
// from one has none.
func NewProject(input Plan, exprs []expr.Expr, names []string) *Project {
	in := input.Schema()
	s := make(Schema, len(exprs))
	for i, e := range exprs {
		s[i] = Column{Name: names[i], Type: e.Type(), Time: timeOf(in, e)}
	}
	return &Project{Input: input, Exprs: exprs, Columns: s}
}

// timeOf is the time attribute of e over in: that of a plain column, processing time for PROCTIME().
func timeOf(in Schema, e expr.Expr) TimeAttribute {
	switch x := e.(type) {
	case *expr.Column:
		return in[x.Index].Time
	case *expr.Call:
		if x.Fn.Name == "PROCTIME" {
			return Proctime
		}
	}
	return NoTime
}

// Schema implements Plan.
func (p *Project) Schema() Schema { return p.Columns }

// Inputs implements Plan.
func (p *Project) Inputs() []Plan { return []Plan{p.Input} }

// With implements Plan.
func (p *Project) With(in []Plan) Plan { return &Project{in[0], p.Exprs, p.Columns} }

// Changes implements Changer: keys are kept that the columns still show.
func (p *Project) Changes(in []Changes, reader Need) (Changes, []Need) {
	out := in[0]
	out.Keys = movedKeys(in[0].Keys, func(c int) (int, bool) { return columnAt(p.Exprs, c) })
	out.Unique = p.shownPaths(in[0].Unique)
	return out, []Need{reader}
}

// shownPaths are the paths over the columns of the input that those of the result still show.
func (p *Project) shownPaths(paths []connector.Path) (out []connector.Path) {
	for _, path := range paths {
		for i, e := range p.Exprs {
			if at, ok := PathOf(e); ok && len(at) <= len(path) && slices.Equal(at, path[:len(at)]) {
				out = append(out, append(connector.Path{i}, path[len(at):]...))
			}
		}
	}
	return out
}

// PathOf is the path that an expression reads, if it does nothing else.
func PathOf(e expr.Expr) (connector.Path, bool) {
	switch x := e.(type) {
	case *expr.Column:
		return connector.Path{x.Index}, true
	case *expr.Field:
		path, ok := PathOf(x.Row)
		return append(path, x.Index), ok
	}
	return nil, false
}

// String implements Plan.
func (p *Project) String() string {
	parts := make([]string, len(p.Exprs))
	for i, e := range p.Exprs {
		parts[i] = e.String()
		if name := p.Columns[i].Name; name != parts[i] {
			parts[i] += " AS " + name
		}
	}
	return "Project(select=[" + strings.Join(parts, ", ") + "])"
}
