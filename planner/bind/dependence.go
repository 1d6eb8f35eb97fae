package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
)

// dependence makes of a query that reads columns of the rows around it one that is computed for all of their values
// at once: each of its nodes has these values as its first columns.
type dependence struct {
	// keys are what is read, over the rows around: collections and ROWs packed. read are the columns themselves.
	keys, read []expr.Expr
	// rows are the values of the keys, each once.
	rows logical.Plan
	of   *scope
	refs *outers
	// seen are the columns that were found in the query.
	seen map[*outerColumn]bool
	// lateral is set for a query in FROM: as in Flink, one of aggregates alone then has no row where it sees none.
	lateral bool
}

// depend finds what a query reads of left, whose first column is at base in the scope; more are values over left that
// are wanted beside. It is false where such values cannot be told apart.
func (w *work) depend(q valueQuery, left logical.Plan, of *scope, base int, more []expr.Expr) (*dependence, bool) {
	d := &dependence{of: of, refs: q.refs, seen: map[*outerColumn]bool{}}
	for _, r := range q.refs.near(of) {
		r.Column = &expr.Column{Index: r.Index - base, Name: r.Name, T: r.T}
		if d.at(r) < 0 {
			d.keys, d.read = append(d.keys, packed(r.Column)), append(d.read, r.Column)
		}
	}
	d.keys = append(d.keys, more...)
	names := make([]string, len(d.keys))
	for i, k := range d.keys {
		if names[i] = k.String(); !vector.KeyType(k.Type()) || !expr.Pure(k) {
			return nil, false
		}
	}
	p := logical.NewProject(left, d.keys, names)
	d.rows = w.once(p)
	return d, true
}

// once is DISTINCT.
func (w *work) once(p logical.Plan) logical.Plan { return w.groupedBy(p, columnsOf(p.Schema()), nil) }

// groupedBy is GROUP BY of a plan that is no window's.
func (w *work) groupedBy(p logical.Plan, keys []expr.Expr, calls []op.AggregateCall) logical.Plan {
	a := logical.NewAggregate(p, keys, calls)
	a.AtEnd = w.batch()
	return a
}

// at is the position of a column among the keys, or -1.
func (d *dependence) at(r *outerColumn) int {
	return slices.IndexFunc(d.read, func(k expr.Expr) bool {
		c, ok := k.(*expr.Column)
		return ok && c.Index == r.Index
	})
}

// columns are the keys over the nodes of the query.
func (d *dependence) columns() []expr.Expr { return columnsOf(d.rows.Schema()) }

// ties is the condition that joins the query's rows, behind n columns, with the rows around it.
func (d *dependence) ties(n int) expr.Expr {
	list := make([]expr.Expr, len(d.keys))
	for i, k := range d.keys {
		list[i] = same(k, &expr.Column{Index: n + i, Name: k.String(), T: k.Type()})
	}
	return expr.And(list...)
}

// same is the condition that a and b, of the type of a, are one value, or NULL both.
func same(a, b expr.Expr) expr.Expr {
	name := "="
	if a.Type().Nullable() {
		name = "IS NOT DISTINCT FROM"
	}
	return &expr.Call{Fn: function.Must(name), List: []expr.Expr{a, b}, T: types.Of(types.Boolean).WithNull(false), Pos: -1}
}

// shift makes an expression of the query one over the columns with the keys before them.
func (d *dependence) shift(e expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		switch x := x.(type) {
		case *outerColumn:
			if x.of != d.of {
				return x
			}
			d.seen[x] = true
			return d.value(x)
		case *expr.Column:
			return &expr.Column{Index: x.Index + len(d.keys), Name: x.Name, T: x.T}
		}
		return x
	})
}

// value is a column of the rows around over the columns with the keys before them.
func (d *dependence) value(x *outerColumn) expr.Expr {
	at := d.at(x)
	c := &expr.Column{Index: at, Name: x.Name, T: d.keys[at].Type()}
	if !function.Packs(x.T) {
		return c
	}
	return &expr.Call{Fn: function.Unpacked(x.T), List: []expr.Expr{c}, T: x.T, Pos: -1}
}

// reads tells that a plan reads columns of the rows around it.
func (d *dependence) reads(p logical.Plan) bool {
	for _, n := range logical.Nodes(p) {
		for _, e := range exprsOf(n) {
			if d.refs.reads(e, d.of) {
				return true
			}
		}
	}
	return false
}

// whole is the query with the keys before its columns. It is false where the query reads them in a place that
// cannot be computed for all of them at once, such as a window.
func (d *dependence) whole(p logical.Plan) (logical.Plan, bool) {
	out, ok := d.over(p)
	return out, ok && d.complete()
}

// complete tells that all that is read of the rows around was found.
func (d *dependence) complete() bool {
	for _, r := range d.refs.near(d.of) {
		if !d.seen[r] {
			return false
		}
	}
	return true
}

func (d *dependence) over(p logical.Plan) (logical.Plan, bool) {
	if !d.reads(p) {
		return logical.NewJoin(op.InnerJoin, d.rows, p, nil), true
	}
	switch x := p.(type) {
	case *logical.Values:
		return d.values(x)
	case *logical.Join:
		return d.join(x)
	case *logical.Union:
		return d.union(x)
	case *logical.Aggregate:
		return d.grouped(x)
	}
	if len(p.Inputs()) != 1 {
		return nil, false
	}
	in, ok := d.over(p.Inputs()[0])
	if !ok {
		return nil, false
	}
	switch x := p.(type) {
	case *logical.Filter:
		return &logical.Filter{Input: in, Cond: d.shift(x.Cond)}, true
	case *logical.Project:
		names := append(d.rows.Schema().Names(), x.Columns.Names()...)
		return logical.NewProject(in, append(d.columns(), logical.MapExprs(x.Exprs, d.shift)...), names), true
	case *logical.Rank:
		return d.rank(x, in)
	case *logical.Over:
		return d.overs(x, in), true
	case *logical.Unnest:
		return logical.NewUnnest(in, d.shift(x.Expr), x.Ordinality, x.Outer), true
	}
	return nil, false
}
