package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// sideQueries are the conditions over queries in the ON clause of an outer join. They are computed for the rows of the side
// that they read, as columns behind its own.
type sideQueries struct {
	sides [2]logical.Plan
	// added is how many columns each side has behind its own.
	added [2]int
}

// readColumns are the columns of a scope that queries in an expression read.
type readColumns struct{ at []int }

// add notes what a query that stands as a value reads of the scope that it stands in.
func (r *readColumns) add(v *valueOf) {
	for _, c := range v.q.refs.refs {
		if c.of == v.of {
			r.at = append(r.at, c.Index)
		}
	}
	r.at = append(r.at, expr.Columns(v.left...)...)
}

// readBy tells which columns of the scope a condition reads. It is bound for nothing else.
func (w *work) readBy(e syntax.Expr, s *scope) ([]int, error) {
	asked := *s
	asked.reads = &readColumns{}
	missing, before := w.missing, w.outerCount()
	x, err := w.condition(e, &asked, "ON")
	w.missing = missing
	w.forgetOuters(before)
	if err != nil {
		return nil, err
	}
	return append(asked.reads.at, expr.Columns(x)...), nil
}

// rebased is the scope of the tables from first to last, without last, over their columns alone.
func (s *scope) rebased(first, last int) *scope {
	out := s.part(first, first, last)
	if first == last {
		return out
	}
	base := s.relations[first].start
	out.relations = slices.Clone(out.relations)
	for i := range out.relations {
		out.relations[i].start -= base
	}
	out.merged = slices.Clone(out.merged)
	for i := range out.merged {
		m := &out.merged[i]
		m.e, m.first, m.last = logical.Shifted(m.e, -base), m.first-first, m.last-first
	}
	return out
}

// bind puts the conjuncts of a condition over queries, of which none reads both sides, to the sides of a join of the
// tables from first on, whose right one begins at middle. It gives the condition of the join, with cond.
func (q *sideQueries) bind(w *work, e syntax.Expr, cond expr.Expr, kind op.JoinKind, s *scope, first, middle int) (expr.Expr, error) {
	n := len(q.sides[0].Schema())
	for _, c := range conjuncts(e) {
		if err := q.put(w, c, kind, s, first, middle); err != nil {
			return nil, err
		}
	}
	return q.with(cond, n), nil
}

// put computes a conjunct for the side that it reads.
func (q *sideQueries) put(w *work, e syntax.Expr, kind op.JoinKind, s *scope, first, middle int) error {
	last := len(s.relations)
	whole := s.rebased(first, last)
	at, err := w.readBy(e, whole)
	if err != nil {
		return err
	}
	n := whole.part(0, 0, middle-first).width()
	side, part := 1, s.rebased(middle, last)
	if slices.ContainsFunc(at, func(i int) bool { return i < n }) {
		side, part = 0, s.rebased(first, middle)
	}
	if !kind.Pads(1 - side) { // rows of this side that do not pass are not there
		return q.filter(w, e, side, part)
	}
	return q.compute(w, e, side, part)
}

// filter keeps the rows of a side for which a condition holds.
func (q *sideQueries) filter(w *work, e syntax.Expr, side int, s *scope) error {
	n := len(q.sides[side].Schema())
	p, err := w.where(e, q.sides[side], s)
	if err == nil {
		q.sides[side] = firstColumns(p, n)
	}
	return err
}

// compute adds a condition to the columns of a side.
func (q *sideQueries) compute(w *work, e syntax.Expr, side int, s *scope) error {
	in := q.sides[side].Schema()
	closed := s.attachable(q.sides[side])
	cond, err := w.condition(e, s, "ON")
	if err != nil {
		return err
	}
	plan := closed()
	n := len(in)
	p := logical.NewProject(plan, append(columnsOf(plan.Schema())[:n:n], cond), append(in.Names(), cond.String()))
	for i := range in {
		p.Columns[i].Time = in[i].Time
	}
	q.sides[side], q.added[side] = p, q.added[side]+1
	return nil
}

// with is the condition of the join, of whose left side n columns are its own, together with the computed ones.
func (q *sideQueries) with(cond expr.Expr, n int) expr.Expr {
	var list []expr.Expr
	if cond != nil {
		list = append(list, expr.Rewrite(cond, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok && c.Index >= n {
				return &expr.Column{Index: c.Index + q.added[0], Name: c.Name, T: c.T}
			}
			return x
		}))
	}
	at := 0
	for side, p := range q.sides {
		s := p.Schema()
		for i := len(s) - q.added[side]; i < len(s); i++ {
			list = append(list, &expr.Column{Index: at + i, Name: s[i].Name, T: s[i].Type})
		}
		at += len(s)
	}
	if len(list) == 0 {
		return nil
	}
	return expr.And(list...)
}

// without is the join without the computed columns.
func (q *sideQueries) without(j *logical.Join) logical.Plan {
	if q.added == [2]int{} {
		return j
	}
	l := len(q.sides[0].Schema())
	s := j.Schema()
	own := slices.Concat(columnsOf(s)[:l-q.added[0]], columnsOf(s)[l:len(s)-q.added[1]])
	names := make([]string, len(own))
	for i, e := range own {
		names[i] = e.(*expr.Column).Name
	}
	p := logical.NewProject(j, own, names)
	for i, e := range own {
		p.Columns[i].Time = s[e.(*expr.Column).Index].Time
	}
	return p
}
