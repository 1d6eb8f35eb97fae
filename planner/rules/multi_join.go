package rules

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// joinTogether makes one of inner joins that stand on the left of each other and have the same keys: of a = b and b = c,
// or a = c, so that the rows of all are remembered once and what two of them come to is not. It holds where the joins have
// no other conditions, the inputs hold rows that stay, and neither time to live, windows nor the watermark end rows.
func joinTogether(c *Context, p logical.Plan) logical.Plan {
	if c.Forgets {
		return p
	}
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		x, ok := p.(*logical.Join)
		if !ok || !plainJoin(x) {
			return p
		}
		var below *logical.MultiJoin
		switch l := x.Left.(type) {
		case *logical.Join:
			if plainJoin(l) {
				below = multiOf(l)
			}
		case *logical.MultiJoin:
			below = l
		}
		if below == nil {
			return p
		}
		if q := together(x, below); q != nil {
			return q
		}
		return p
	})
}

// plainJoin tells a join that gives the pairs of equal keys and no less, for ever.
func plainJoin(x *logical.Join) bool {
	if x.Kind != op.InnerJoin || x.AtEnd || x.TTL[0] != 0 || x.TTL[1] != 0 || len(x.Until[0])+len(x.Until[1]) > 0 {
		return false
	}
	changes := []logical.Changes{logical.ChangesOf(x.Left), logical.ChangesOf(x.Right)}
	k := x.Keys()
	return len(k.Left) > 0 && len(k.Residual) == 0 && !slices.Contains(k.NullSafe, true) && changes[0].Stays && changes[1].Stays &&
		!x.Windowed(changes) && !x.Once(changes)
}

// multiOf is a join of two as one of several.
func multiOf(x *logical.Join) *logical.MultiJoin {
	k := x.Keys()
	for i, l := range k.Left {
		if !l.Type().WithNull(true).Same(k.Right[i].Type().WithNull(true)) {
			return nil
		}
	}
	out := &logical.MultiJoin{List: x.Inputs(), Keys: [][]expr.Expr{k.Left, k.Right}, Columns: x.Columns}
	for i := range x.Columns {
		out.Output = append(out.Output, x.Source(i))
	}
	return out
}

// together is x with the joins that its left input is, nil where their keys are others.
func together(x *logical.Join, m *logical.MultiJoin) logical.Plan {
	k := x.Keys()
	if len(k.Left) != len(m.Keys[0]) {
		return nil
	}
	keys := make([]expr.Expr, len(k.Left))
	for i, l := range k.Left {
		c, ok := l.(*expr.Column)
		if !ok {
			return nil
		}
		at := keyAt(m, m.Output[c.Index])
		if at < 0 || keys[at] != nil || !m.Keys[0][at].Type().WithNull(true).Same(k.Right[i].Type().WithNull(true)) {
			return nil
		}
		keys[at] = k.Right[i]
	}
	out := &logical.MultiJoin{List: append(slices.Clip(m.List), x.Right), Keys: append(slices.Clip(m.Keys), keys), Columns: x.Columns}
	width := 0
	for _, in := range m.List {
		width += len(in.Schema())
	}
	for i := range x.Columns {
		at := x.Source(i)
		if n := len(m.Columns); at < n {
			at = m.Output[at]
		} else {
			at += width - n
		}
		out.Output = append(out.Output, at)
	}
	return out
}

// keyAt is which key a column of all inputs is, or -1.
func keyAt(m *logical.MultiJoin, column int) int {
	for i, in := range m.List {
		if n := len(in.Schema()); column >= n {
			column -= n
			continue
		}
		return slices.IndexFunc(m.Keys[i], func(e expr.Expr) bool { return isColumn(e, column) })
	}
	return -1
}
