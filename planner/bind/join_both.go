package bind

import (
	"slices"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// bothSides is an outer join by a condition of which a query reads both sides. Which rows belong together is computed
// for what the condition reads of a side that is padded, each such row once; the rows themselves are joined with that.
type bothSides struct {
	kind  op.JoinKind
	sides [2]logical.Plan
	// cond is the condition without queries, over both sides, or nil; queried the one with them.
	cond    expr.Expr
	queried syntax.Expr
	s       *scope
	// ttl is how long the rows of a side live, where a hint says it.
	ttl [2]time.Duration
	// read are the columns of each side that the conditions read.
	read [2][]int
}

// bind is the join, or nil where each query reads one side alone.
func (b *bothSides) bind(w *work) (logical.Plan, error) {
	both, err := b.find(w)
	if err != nil || !both {
		return nil, err
	}
	for side := range b.sides {
		s := b.sides[side].Schema()
		for _, i := range b.read[side] {
			if t := s[i].Type; b.kind.Pads(1-side) && !vector.KeyType(t) {
				w.lack(b.queried, "a query in the ON of an outer join that reads both sides, and "+t.WithNull(true).String()+" of one",
					"compute it in a query below one of them")
				return logical.NewJoin(b.kind, b.sides[0], b.sides[1], nil), nil // which stands for it
			}
		}
	}
	return b.plan(w)
}

// find notes what the conditions read, and tells that a query reads both sides.
func (b *bothSides) find(w *work) (bool, error) {
	n := len(b.sides[0].Schema())
	var both bool
	var at []int
	for _, e := range conjuncts(b.queried) {
		read, err := w.readBy(e, b.s)
		if err != nil {
			return false, err
		}
		isLeft := func(i int) bool { return i < n }
		both = both || slices.ContainsFunc(read, isLeft) && slices.ContainsFunc(read, func(i int) bool { return !isLeft(i) })
		at = append(at, read...)
	}
	if b.cond != nil {
		at = append(at, expr.Columns(b.cond)...)
	}
	slices.Sort(at)
	for _, i := range slices.Compact(at) {
		if i < n {
			b.read[0] = append(b.read[0], i)
		} else {
			b.read[1] = append(b.read[1], i-n)
		}
	}
	return both, nil
}

// conjuncts are the parts of an AND.
func conjuncts(e syntax.Expr) []syntax.Expr {
	if b, ok := e.(*syntax.Binary); ok && b.Op == syntax.And {
		return append(conjuncts(b.Left), conjuncts(b.Right)...)
	}
	return []syntax.Expr{e}
}

func (b *bothSides) plan(w *work) (logical.Plan, error) {
	switch b.kind {
	case op.LeftJoin:
		return b.padded(w, 0)
	case op.RightJoin:
		return b.padded(w, 1)
	}
	left, err := b.padded(w, 0)
	if err != nil {
		return nil, err
	}
	right, err := b.lonely(w)
	if err != nil {
		return nil, err
	}
	return logical.NewUnion([]logical.Plan{left, right}), nil
}

// pairs joins the sides, of those in once what is read, each row once, and NULL for the other columns.
func (b *bothSides) pairs(w *work, once [2]bool) (logical.Plan, error) {
	sides := b.sides
	for i := range sides {
		if once[i] {
			sides[i] = b.readOnce(w, i)
		}
	}
	j := logical.NewJoin(op.InnerJoin, sides[0], sides[1], b.cond)
	j.AtEnd, j.TTL = w.batch(), b.ttl
	return w.joinedWhere(b.queried, j, b.s)
}

// readOnce are the different rows that the conditions see of a side.
func (b *bothSides) readOnce(w *work, side int) logical.Plan {
	s := b.sides[side].Schema()
	p := w.once(logical.NewProject(b.sides[side], pick(columnsOf(s), b.read[side]), pick(s.Names(), b.read[side])))
	all := make([]expr.Expr, len(s))
	for i, c := range s {
		all[i] = expr.Null(c.Type.WithNull(true))
	}
	for k, i := range b.read[side] {
		all[i] = columnsOf(p.Schema())[k]
	}
	return logical.NewProject(p, all, s.Names())
}

// padded joins each row of a side with its partners, or with NULLs.
func (b *bothSides) padded(w *work, kept int) (logical.Plan, error) {
	pairs, err := b.pairs(w, [2]bool{kept == 0, kept == 1})
	if err != nil {
		return nil, err
	}
	all, n, k := columnsOf(pairs.Schema()), len(b.sides[0].Schema()), len(b.read[kept])
	own, other := all[:n], all[n:]
	if kept == 1 {
		own, other = other, own
	}
	found := append(pick(own, b.read[kept]), other...)
	right := logical.NewProject(pairs, found, textsOf(found))
	j := logical.NewJoin(op.LeftJoin, b.sides[kept], right, b.ties(kept))
	j.AtEnd, j.TTL[0] = w.batch(), b.ttl[kept]
	cols := columnsOf(j.Schema())
	left, partner := cols[:len(own)], cols[len(own)+k:]
	if kept == 1 {
		left, partner = partner, left
	}
	return b.project(j, append(slices.Clone(left), partner...)), nil
}

// lonely are the rows of the right side without a partner, behind NULLs.
func (b *bothSides) lonely(w *work) (logical.Plan, error) {
	pairs, err := b.pairs(w, [2]bool{true, true})
	if err != nil {
		return nil, err
	}
	left, right := b.sides[0].Schema(), b.sides[1].Schema()
	cols := pick(columnsOf(pairs.Schema())[len(left):], b.read[1])
	j := logical.NewJoin(op.AntiJoin, b.sides[1], w.once(logical.NewProject(pairs, cols, textsOf(cols))), b.ties(1))
	j.AtEnd, j.TTL[0] = w.batch(), b.ttl[1]
	var all []expr.Expr
	for _, c := range left {
		all = append(all, expr.Null(c.Type.WithNull(true)))
	}
	return b.project(j, append(all, columnsOf(j.Schema())[:len(right)]...)), nil
}

// project gives columns the names of both sides, and no times: a row may be there before its partner.
func (b *bothSides) project(in logical.Plan, cols []expr.Expr) logical.Plan {
	p := logical.NewProject(in, cols, append(b.sides[0].Schema().Names(), b.sides[1].Schema().Names()...))
	for i := range p.Columns {
		side := 0
		if i >= len(b.sides[0].Schema()) {
			side = 1
		}
		p.Columns[i].Time = logical.NoTime
		p.Columns[i].Type = p.Columns[i].Type.WithNull(p.Columns[i].Type.Nullable() || b.kind.Pads(side))
	}
	return p
}

// ties joins the rows of a side, before the others, with what is read of them.
func (b *bothSides) ties(side int) expr.Expr {
	s := b.sides[side].Schema()
	list := make([]expr.Expr, len(b.read[side]))
	for k, i := range b.read[side] {
		own := &expr.Column{Index: i, Name: s[i].Name, T: s[i].Type}
		list[k] = same(own, &expr.Column{Index: len(s) + k, Name: s[i].Name, T: s[i].Type})
	}
	return expr.And(list...)
}

func pick[T any](list []T, at []int) []T {
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = list[k]
	}
	return out
}
