package bind

import (
	"fmt"
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/logical"
)

// outers are the columns of queries around a subquery that stand in it.
type outers struct{ refs []*outerColumn }

// outerColumn stands for a column of a query around the subquery that it is in. It never leaves the package.
type outerColumn struct {
	*expr.Column
	of *scope
}

// With implements expr.Expr.
func (c *outerColumn) With([]expr.Expr) expr.Expr { return c }

// Type implements expr.Expr.
func (c *outerColumn) Type() types.Type { return c.T }

// String implements expr.Expr. It tells columns of one name apart.
func (c *outerColumn) String() string {
	depth := 0
	for s := c.of; s.outer != nil; s = s.outer {
		depth++
	}
	return fmt.Sprintf("%s$%d$%d", c.Name, depth, c.Index)
}

func (o *outers) add(c *expr.Column, of *scope) expr.Expr {
	r := &outerColumn{c, of}
	o.refs = append(o.refs, r)
	return r
}

// outerCount is how many columns of queries around were found so far.
func (w *work) outerCount() int {
	if w.outers == nil {
		return 0
	}
	return len(w.outers.refs)
}

// forgetOuters forgets those that were found since there were n: what stands in their place is bound once more.
func (w *work) forgetOuters(n int) {
	if w.outers != nil {
		w.outers.refs = w.outers.refs[:n]
	}
}

// in are those of the columns that an expression reads.
func (o *outers) in(e expr.Expr) []*outerColumn {
	var out []*outerColumn
	expr.Walk(e, func(x expr.Expr) bool {
		if c, ok := x.(*outerColumn); ok {
			out = append(out, c)
		}
		return true
	})
	return out
}

// joined makes a condition of a subquery one over the columns of the query around it, n of them, then its own.
func (o *outers) joined(e expr.Expr, n int) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		switch x := x.(type) {
		case *outerColumn:
			return x.Column
		case *expr.Column:
			return &expr.Column{Index: x.Index + n, Name: x.Name, T: x.T}
		}
		return x
	})
}

// around makes an expression over the rows around a query of one that reads them as its outer columns; those of rows
// further out stay.
func (o *outers) around(e expr.Expr, of *scope) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		if c, ok := x.(*outerColumn); ok && c.of == of {
			return c.Column
		}
		return x
	})
}

// near are those of the columns that belong to the rows around, not to rows further out.
func (o *outers) near(of *scope) []*outerColumn {
	var out []*outerColumn
	for _, r := range o.refs {
		if r.of == of {
			out = append(out, r)
		}
	}
	return out
}

// seeIn notes the columns of an expression as found.
func (o *outers) seeIn(e expr.Expr, d *dependence) {
	for _, c := range o.in(e) {
		d.seen[c] = true
	}
}

// takeOut takes the conditions that read columns of the scope around out of a plan. They are over the columns of
// the plan that is left, whose first ones are as before where they are wanted. What reads columns of scopes further out
// alone stays in it. It is false where a column stands somewhere else, or beside one from further out.
func (o *outers) takeOut(p logical.Plan, of *scope, wanted bool) (logical.Plan, []expr.Expr, bool) {
	near := o.near(of)
	if len(near) == 0 {
		return p, nil, true
	}
	p, conds := o.lift(p, of, wanted)
	var seen []*outerColumn
	for _, e := range conds {
		seen = append(seen, o.in(e)...)
	}
	further := func(r *outerColumn) bool { return r.of != of }
	if slices.ContainsFunc(seen, further) {
		return nil, nil, false
	}
	for _, r := range near {
		if !slices.Contains(seen, r) {
			return nil, nil, false
		}
	}
	return p, conds, true
}

// reads tells that an expression reads columns of a scope around.
func (o *outers) reads(e expr.Expr, of *scope) bool {
	return slices.ContainsFunc(o.in(e), func(r *outerColumn) bool { return r.of == of })
}

func (o *outers) lift(p logical.Plan, of *scope, wanted bool) (logical.Plan, []expr.Expr) {
	switch x := p.(type) {
	case *logical.Filter:
		in, conds := o.lift(x.Input, of, true)
		var rest []expr.Expr
		for _, e := range expr.Conjuncts(x.Cond) {
			if o.reads(e, of) {
				conds = append(conds, e)
			} else {
				rest = append(rest, e)
			}
		}
		if len(rest) > 0 {
			in = &logical.Filter{Input: in, Cond: expr.And(rest...)}
		}
		return in, conds
	case *logical.Project:
		in, conds := o.lift(x.Input, of, true)
		if len(conds) == 0 {
			return p, nil
		}
		if !wanted {
			return in, conds
		}
		return o.widen(x, in, conds)
	}
	return p, nil
}

// widen shows the columns behind a projection that conditions read.
func (o *outers) widen(x *logical.Project, in logical.Plan, conds []expr.Expr) (logical.Plan, []expr.Expr) {
	exprs := slices.Clone(x.Exprs)
	names := slices.Clone(x.Columns.Names())
	to := map[int]int{}
	s := in.Schema()
	for _, i := range innerColumns(conds) {
		to[i] = len(exprs)
		exprs = append(exprs, &expr.Column{Index: i, Name: s[i].Name, T: s[i].Type})
		names = append(names, s[i].Name)
	}
	out := make([]expr.Expr, len(conds))
	for i, e := range conds {
		out[i] = expr.Remap(e, to)
	}
	return logical.NewProject(in, exprs, names), out
}

// innerColumns are the subquery's own columns in expressions.
func innerColumns(list []expr.Expr) []int { return expr.Columns(list...) }
