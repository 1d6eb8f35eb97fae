package logical

import (
	"slices"
	"strconv"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/vector"
)

// Ranked is a filter as what finds its rows without ranking all others, where it is one: a condition that bounds
// a rank from above, over an Over of that rank alone, with projections between them. It is then a Rank, for
// windows one of windows, or a Deduplicate; what else the condition says stays above. found is the rank with its
// bounds; it is nil, and the plan the filter, where there is none.
//
// value computes an expression without columns, if it is a whole number.
func Ranked(f *Filter, value func(expr.Expr) (int64, bool)) (p Plan, found *Rank) {
	over, path := underProjects(f.Input)
	if over == nil || len(over.Calls) != 1 || !over.Calls[0].Ranks() {
		return f, nil
	}
	from, to := int64(1), int64(Unlimited)
	var rest []expr.Expr
	for _, c := range expr.Conjuncts(f.Cond) {
		x, ok := inlined(c, path)
		low, high := int64(0), int64(0)
		if ok {
			low, high, ok = placeBounds(x, over.Width(), value)
		}
		if !ok {
			rest = append(rest, c)
			continue
		}
		from, to = max(from, low), min(to, high)
	}
	if to == Unlimited {
		return f, nil
	}
	out, found := over.ranked(from, to)
	for _, x := range slices.Backward(path) {
		out = x.With([]Plan{out})
	}
	if len(rest) > 0 {
		out = &Filter{Input: out, Cond: expr.And(rest...)}
	}
	return out, found
}

// underProjects finds an Over below projections, which are given from the top.
func underProjects(p Plan) (*Over, []*Project) {
	var path []*Project
	for {
		switch x := p.(type) {
		case *Over:
			return x, path
		case *Project:
			path = append(path, x)
			p = x.Input
		default:
			return nil, nil
		}
	}
}

// inlined is a condition over the columns below projections, where all that it reads are columns there.
func inlined(e expr.Expr, path []*Project) (expr.Expr, bool) {
	for _, x := range path {
		for _, i := range expr.Columns(e) {
			if _, plain := x.Exprs[i].(*expr.Column); !plain {
				return nil, false
			}
		}
		e = expr.Inline(e, x.Exprs)
	}
	return e, true
}

// BoundByColumn is the Over below projections whose rank a filter bounds from above by what it reads of its rows, and that
// bound. It is nil where there is none.
func BoundByColumn(f *Filter) (*Over, expr.Expr) {
	over, path := underProjects(f.Input)
	if over == nil || len(over.Calls) != 1 || !over.Calls[0].Ranks() {
		return nil, nil
	}
	isPlace := func(e expr.Expr) bool {
		c, ok := e.(*expr.Column)
		return ok && c.Index == over.Width()
	}
	for _, e := range expr.Conjuncts(f.Cond) {
		e, ok := inlined(e, path)
		c, is := e.(*expr.Call)
		if !ok || !is || len(c.List) != 2 {
			continue
		}
		l, r := c.List[0], c.List[1]
		switch name := c.Fn.Name; {
		case isPlace(l) && len(expr.Columns(r)) > 0 && (name == "<" || name == "<=" || name == "="):
			return over, r
		case isPlace(r) && len(expr.Columns(l)) > 0 && (name == ">" || name == ">=" || name == "="):
			return over, l
		}
	}
	return nil, nil
}

// placeBounds reads a comparison of column at with a constant as the places that it keeps.
func placeBounds(e expr.Expr, at int, value func(expr.Expr) (int64, bool)) (low, high int64, ok bool) {
	c, name, is := comparison(e)
	if !is {
		return 0, 0, false
	}
	l, r := c.List[0], c.List[1]
	if _, column := r.(*expr.Column); column {
		flipped := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
		l, r, name = r, l, flipped[name]
	}
	if col, is := l.(*expr.Column); !is || col.Index != at || len(expr.Columns(r)) > 0 {
		return 0, 0, false
	}
	n, ok := value(r)
	if !ok {
		return 0, 0, false
	}
	switch name {
	case "<":
		return 1, max(n, 1) - 1, true
	case "<=":
		return 1, max(n, 0), true
	case ">":
		return min(max(n, 0), Unlimited-1) + 1, Unlimited, true
	case ">=":
		return max(n, 1), Unlimited, true
	case "=":
		return max(n, 1), max(n, 0), true
	}
	return 0, 0, false
}

// comparison is a call of two arguments and its name, that of the opposite where NOT stands around it.
func comparison(e expr.Expr) (c *expr.Call, name string, ok bool) {
	c, is := e.(*expr.Call)
	switch {
	case is && len(c.List) == 2:
		return c, c.Fn.Name, true
	case is && c.Fn.Name == "NOT":
		if c, name, ok = comparison(c.List[0]); ok {
			name, ok = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "<>": "="}[name]
		}
		return c, name, ok
	}
	return nil, "", false
}

// ranked is the rows at some places, with the columns of the Over.
func (o *Over) ranked(from, to int64) (Plan, *Rank) {
	in, number := o.Input, o.Columns[o.Width()]
	r := NewRank(in, o.Partition, o.Order, from, to, nil)
	r.Function, r.AtEnd, r.Pos, r.End = o.Calls[0].Name, o.AtEnd, o.Pos, o.End
	width := len(in.Schema())
	if at := windowOfKeys(in, o.Partition); at >= 0 && !o.AtEnd && !Retracts(in) {
		in, r.Time = ExposeTime(in, at)
		r.Input, r.Columns = in, slices.Clone(in.Schema())
	}
	p := Plan(r)
	switch t := r.oneByTime(); {
	case t < 0:
	case r.Windowed():
		r.Newest = r.Order[0].Desc
	default:
		p = &Deduplicate{Input: in, Keys: r.Partition, Time: t, Last: r.Order[0].Desc}
	}
	place := expr.Expr(&expr.Column{Index: len(in.Schema()), Name: number.Name, T: number.Type})
	switch {
	case from == to:
		place = expr.NewConst(vector.ConstOf(placeType(), from, 1), strconv.FormatInt(from, 10))
	default:
		r.Number = true
		r.Columns = append(r.Columns, number)
		if len(in.Schema()) == width {
			return p, r
		}
	}
	exprs := make([]expr.Expr, width, width+1)
	for i, c := range o.Columns[:width] {
		exprs[i] = &expr.Column{Index: i, Name: c.Name, T: c.Type}
	}
	return &Project{Input: p, Exprs: append(exprs, place), Columns: o.Columns}, r
}

// oneByTime is the column of the time attribute that the one row of each partition goes by, or -1 when r is
// something else.
func (r *Rank) oneByTime() int {
	if r.AtEnd || r.Shares() || r.From != 1 || r.To != 1 || len(r.Order) != 1 || Retracts(r.Input) {
		return -1
	}
	c, ok := r.Order[0].Expr.(*expr.Column)
	if !ok || TimeOf(r.Input, c.Index) == NoTime {
		return -1
	}
	return c.Index
}

// windowOfKeys finds start and end of the same windows among keys: the column of one of them, or -1.
func windowOfKeys(in Plan, keys []expr.Expr) int {
	bounds := map[int][2]bool{}
	for _, k := range keys {
		c, ok := k.(*expr.Column)
		if !ok {
			continue
		}
		s, ok := WindowOf(in, c.Index)
		if !ok || s.Column == op.WindowTime {
			continue
		}
		b := bounds[s.Depth]
		b[s.Column-op.WindowStart] = true
		if bounds[s.Depth] = b; b[0] && b[1] {
			return c.Index
		}
	}
	return -1
}
