package bind

import (
	"slices"
	"strconv"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// maxSets bounds what CUBE and products of sets unfold to.
const maxSets = 256

// setRef stands for a number that each grouping set has, as GROUPING gives it, until the rows are grouped. It
// never leaves the package.
type setRef struct {
	text string
	vals []int64
}

func (e *setRef) Type() types.Type           { return types.Of(types.BigInt).WithNull(false) }
func (e *setRef) String() string             { return e.text }
func (e *setRef) Args() []expr.Expr          { return nil }
func (e *setRef) With([]expr.Expr) expr.Expr { return e }

// groupSets are the sets of positions of keys that the items of a GROUP BY stand for: their product.
func (w *work) groupSets(at syntax.Node, items []syntax.GroupItem, s *scope, g *grouping) ([][]int, error) {
	sets := [][]int{nil}
	for _, it := range items {
		more, err := w.itemSets(it, s, g)
		if err != nil {
			return nil, err
		}
		if len(sets)*len(more) > maxSets {
			return nil, failf(at, syntax.CodeLimit, "more than the limit of %d grouping sets", maxSets)
		}
		var product [][]int
		for _, a := range sets {
			for _, b := range more {
				product = append(product, joinSets(a, b))
			}
		}
		sets = product
	}
	return sets, nil
}

// joinSets is the positions of both, each once.
func joinSets(a, b []int) []int {
	out := slices.Clone(a)
	for _, k := range b {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

func (w *work) itemSets(it syntax.GroupItem, s *scope, g *grouping) ([][]int, error) {
	switch it.Kind {
	case syntax.GroupExpr, syntax.GroupTuple:
		var set []int
		for _, x := range it.Exprs {
			k, err := w.groupKey(x, s, g)
			if err != nil {
				return nil, err
			}
			if k >= 0 {
				set = joinSets(set, []int{k})
			}
		}
		return [][]int{set}, nil
	}
	var parts [][][]int
	for _, sub := range it.Items {
		sets, err := w.itemSets(sub, s, g)
		if err != nil {
			return nil, err
		}
		parts = append(parts, sets)
	}
	switch it.Kind {
	case syntax.GroupingSets:
		return slices.Concat(parts...), nil
	case syntax.Rollup:
		out := [][]int{nil}
		for _, p := range parts {
			out = append([][]int{joinSets(out[0], p[0])}, out...)
		}
		return out, nil
	}
	if len(parts) > 8 {
		return nil, failf(it, syntax.CodeLimit, "CUBE over %d items: the limit is 8", len(parts))
	}
	var out [][]int
	for mask := 1<<len(parts) - 1; mask >= 0; mask-- {
		var set []int
		for i, p := range parts {
			if mask>>(len(parts)-1-i)&1 != 0 {
				set = joinSets(set, p[0])
			}
		}
		out = append(out, set)
	}
	return out, nil
}

// groupingCall binds GROUPING(k, …), GROUPING_ID and GROUP_ID.
func (w *work) groupingCall(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	g := s.group
	ref := &setRef{text: name + "(…)", vals: make([]int64, len(g.sets))}
	if name == "GROUP_ID" {
		if len(e.Args) > 0 {
			return nil, failf(e, CodeType, "GROUP_ID takes no arguments").
				WithHint("GROUP_ID(); GROUPING_ID(k, …) takes keys of GROUP BY")
		}
		for i, set := range g.sets {
			for _, before := range g.sets[:i] {
				if sameSet(before, set) {
					ref.vals[i]++
				}
			}
		}
		return ref, nil
	}
	if len(e.Args) == 0 || e.Star {
		return nil, failf(e, CodeType, "%s needs an argument", name).
			WithHint("%s", aggregateForm(name))
	}
	inner := *s
	inner.inAggregate = true
	for _, a := range e.Args {
		x, err := w.expr(a, &inner)
		if err != nil {
			return nil, err
		}
		k, ok := g.at[expr.Key(x)]
		if !ok {
			return nil, failf(a, CodeAggregate, "%s takes expressions of GROUP BY, and this is none", name).
				WithHint("%s", aggregateForm(name))
		}
		for i, set := range g.sets {
			ref.vals[i] <<= 1
			if !slices.Contains(set, k) {
				ref.vals[i]++
			}
		}
	}
	return ref, nil
}

func sameSet(a, b []int) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(k int) bool { return !slices.Contains(b, k) })
}

// several tells that there is more than one grouping set.
func (g *grouping) several() bool { return len(g.sets) > 1 }

// always tells that key k is in every set.
func (g *grouping) always(k int) bool {
	return !slices.ContainsFunc(g.sets, func(set []int) bool { return !slices.Contains(set, k) })
}

// of is the number that the set of a grouped row has. The set's own number is the column behind the keys.
func (g *grouping) of(ref *setRef) expr.Expr {
	big := types.Of(types.BigInt).WithNull(false)
	number := func(v int64) expr.Expr { return constant(big, v, strconv.FormatInt(v, 10)) }
	if !slices.ContainsFunc(ref.vals, func(v int64) bool { return v != ref.vals[0] }) {
		return number(ref.vals[0])
	}
	id := &expr.Column{Index: len(g.keys), Name: setID, T: big}
	last := len(ref.vals) - 1
	out := &expr.Case{T: big, Else: number(ref.vals[last])}
	for i, v := range ref.vals[:last] {
		is := &expr.Call{Fn: function.Must("="), List: []expr.Expr{id, number(int64(i))}, T: types.Of(types.Boolean).WithNull(false), Pos: -1}
		out.Whens = append(out.Whens, expr.When{Cond: is, Then: number(v)})
	}
	return out
}

const setID = "$e"

// expanded is the rows of the input once per set, and the keys over them: a key that is not in every set is a
// column that is NULL in the others, and the set's number is the last key.
func (g *grouping) expanded(in logical.Plan) (logical.Plan, []expr.Expr) {
	s := in.Schema()
	x := &logical.Expand{Input: in, Sets: make([][]expr.Expr, len(g.sets)), Columns: slices.Clone(s)}
	for i := range x.Sets {
		x.Sets[i] = columnsOf(s)
	}
	var keys []expr.Expr
	for k, e := range g.keys {
		if g.always(k) {
			keys = append(keys, e)
			continue
		}
		t := e.Type().WithNull(true)
		for i, set := range g.sets {
			v := expr.Expr(expr.Null(t))
			if slices.Contains(set, k) {
				v = e
			}
			x.Sets[i] = append(x.Sets[i], v)
		}
		keys = append(keys, &expr.Column{Index: len(x.Columns), Name: e.String(), T: t})
		x.Columns = append(x.Columns, logical.Column{Name: e.String(), Type: t})
	}
	big := types.Of(types.BigInt).WithNull(false)
	for i := range x.Sets {
		x.Sets[i] = append(x.Sets[i], constant(big, int64(i), strconv.Itoa(i)))
	}
	keys = append(keys, &expr.Column{Index: len(x.Columns), Name: setID, T: big})
	x.Columns = append(x.Columns, logical.Column{Name: setID, Type: big})
	return x, keys
}
