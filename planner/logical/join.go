package logical

import (
	"strconv"
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Join is a join of two inputs that remembers the rows of both: each pair for which the condition is TRUE gives
// a row, and rows without a partner are given as the kind has it.
type Join struct {
	Kind        op.JoinKind
	Left, Right Plan
	// Cond is over the columns of Left, then those of Right; nil is TRUE.
	Cond expr.Expr
	// AtEnd gives the rows when both inputs have ended, as batch mode does.
	AtEnd bool
	// TTL is how long rows of either side live, where a hint says so: -1 for ever, 0 leaves it to the session.
	TTL [2]time.Duration
	// Until are bounds of the time at which the rows of each side may still find partners, over its own columns.
	Until [2][]op.Until
	// Unique are keys of each side, over its columns, of which no two rows have the same values: rows of the other side have
	// one partner at most, and are kept until they met it. nil is none.
	Unique [2][]expr.Expr
	// Output are the columns that the result has, by their positions among those of Left and then Right, ascending; nil
	// is all.
	Output []int
	// Columns are those of Left, then, unless the kind keeps rows of Left alone, those of Right; nullable where
	// the kind pads them, and under names of their own. But for interval joins (KeepTimes) none has a time attribute:
	// a row may come any time after its partner.
	Columns Schema
}

// NewJoin joins left and right.
func NewJoin(kind op.JoinKind, left, right Plan, cond expr.Expr) *Join {
	s := joinColumns(kind, left.Schema(), right.Schema())
	if cond != nil {
		cond = expr.Rewrite(cond, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok {
				return &expr.Column{Index: c.Index, Name: s[c.Index].Name, T: c.T}
			}
			return x
		})
	}
	if kind.Halves() {
		s = s[:len(left.Schema())]
	}
	return &Join{Kind: kind, Left: left, Right: right, Cond: cond, Columns: s}
}

// joinColumns are the columns of both sides. A name that is taken gets a number behind it, as in Flink: id, id0.
func joinColumns(kind op.JoinKind, left, right Schema) Schema {
	s := make(Schema, 0, len(left)+len(right))
	taken := map[string]bool{}
	for side, of := range []Schema{left, right} {
		for _, c := range of {
			c.Time = NoTime
			if kind.Pads(side) {
				c.Type = c.Type.WithNull(true)
			}
			name := c.Name
			for k := 0; taken[c.Name]; k++ {
				c.Name = name + strconv.Itoa(k)
			}
			taken[c.Name] = true
			s = append(s, c)
		}
	}
	return s
}

// Schema implements Plan.
func (j *Join) Schema() Schema { return j.Columns }

// Inputs implements Plan.
func (j *Join) Inputs() []Plan { return []Plan{j.Left, j.Right} }

// With implements Plan.
func (j *Join) With(in []Plan) Plan { return j.Over(j.Kind, in[0], in[1], j.Cond) }

// Over is the same join, of the same columns, of other inputs and by another condition.
func (j *Join) Over(kind op.JoinKind, left, right Plan, cond expr.Expr) *Join {
	out := *j
	out.Kind, out.Left, out.Right, out.Cond = kind, left, right, cond
	return &out
}

// Source is the position of column i of the result among those of Left and then Right.
func (j *Join) Source(i int) int {
	if j.Output == nil {
		return i
	}
	return j.Output[i]
}

// Column is a column of Left and then Right, as the result of an inner join has it.
func (j *Join) Column(source int) Column {
	return joinColumns(j.Kind, j.Left.Schema(), j.Right.Schema())[source]
}

// Conds are the conjuncts of the condition.
func (j *Join) Conds() []expr.Expr {
	if j.Cond == nil {
		return nil
	}
	return expr.Conjuncts(j.Cond)
}

// name is what EXPLAIN calls the join.
func (j *Join) name() string {
	if j.AtEnd {
		return "Join("
	}
	if w, ok := j.Windows(); ok {
		return "WindowJoin(window=[" + w.Window.String() + "], "
	}
	if _, ok := j.Interval(); ok {
		return "IntervalJoin("
	}
	return "Join("
}

// String implements Plan.
func (j *Join) String() string {
	text := j.name() + "type=[" + j.Kind.String() + "], where=["
	if j.Cond == nil {
		return text + "TRUE])"
	}
	text += j.Cond.String() + "]"
	for side, name := range []string{"left", "right"} {
		if len(j.Until[side]) > 0 {
			text += ", " + name + "Until=[" + op.UntilText(j.Until[side]) + "]"
		}
		if len(j.Unique[side]) > 0 {
			text += ", " + name + "Unique=[" + textOf(j.Unique[side]) + "]"
		}
	}
	return text + ")"
}

// textOf lists expressions.
func textOf(list []expr.Expr) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = e.String()
	}
	return strings.Join(parts, ", ")
}

// JoinKeys are a condition in parts: Left[i] = Right[i], over the columns of their own sides, and the rest.
type JoinKeys struct {
	Left, Right []expr.Expr
	// NullSafe says of each pair that NULL equals NULL.
	NullSafe []bool
	// Residual are conjuncts over the columns of both sides.
	Residual []expr.Expr
}

// Keys finds the equalities of the condition that rows can be looked up by. One that may fail is only taken where
// there is no other: a key is computed for rows without a partner, too.
func (j *Join) Keys() JoinKeys {
	var k JoinKeys
	n := len(j.Left.Schema())
	for _, e := range j.Conds() {
		if expr.CanFail(e) || !k.take(e, n) {
			k.Residual = append(k.Residual, e)
		}
	}
	if len(k.Left) > 0 {
		return k
	}
	list := k.Residual
	k.Residual = nil
	for i, e := range list {
		if len(k.Left) > 0 || !k.take(e, n) {
			k.Residual = append(k.Residual, list[i])
		}
	}
	return k
}

// take adds e, if it is an equality between the sides, of which the left one has n columns.
func (k *JoinKeys) take(e expr.Expr, n int) bool {
	call, ok := e.(*expr.Call)
	if !ok || len(call.List) != 2 || call.Fn.Name != "=" && call.Fn.Name != "IS NOT DISTINCT FROM" {
		return false
	}
	a, b := call.List[0], call.List[1]
	if SideOf(a, n) == RightSide {
		a, b = b, a
	}
	if SideOf(a, n) != LeftSide || SideOf(b, n) != RightSide || !expr.Pure(a) || !expr.Pure(b) {
		return false
	}
	a, b, ok = alike(a, b)
	if !ok {
		return false
	}
	k.Left = append(k.Left, a)
	k.Right = append(k.Right, Shifted(b, -n))
	k.NullSafe = append(k.NullSafe, call.Fn.Name != "=")
	return true
}

// alike brings two expressions that are compared to types whose equal values are equal keys.
func alike(a, b expr.Expr) (x, y expr.Expr, ok bool) {
	s, t := a.Type(), b.Type()
	if s.Same(t) && function.Packs(s) && function.Exact(s) {
		return Packed(a), Packed(b), true
	}
	if !vector.KeyType(s) || !vector.KeyType(t) {
		return nil, nil, false
	}
	switch {
	case s.Same(t), s.Kind.IsInteger() && t.Kind.IsInteger(), s.Kind.IsText() && t.Kind.IsText(), s.Kind.IsBinary() && t.Kind.IsBinary():
		return a, b, true
	case !s.Kind.IsExact() || !t.Kind.IsExact():
		return nil, nil, false
	}
	common, ok := types.Common(s.AsDecimal(), t.AsDecimal())
	if !ok || common.Scale < max(s.AsDecimal().Scale, t.AsDecimal().Scale) {
		return nil, nil, false
	}
	x, ok = castKey(a, common)
	if ok {
		y, ok = castKey(b, common)
	}
	return x, y, ok
}

// Packed is a composite value in the form in which it is a key.
func Packed(e expr.Expr) expr.Expr {
	return &expr.Call{Fn: function.Pack, List: []expr.Expr{e}, T: types.Bytes().WithNull(e.Type().Nullable()), Pos: -1}
}

func castKey(e expr.Expr, t types.Type) (expr.Expr, bool) {
	if e.Type().Same(t) {
		return e, true
	}
	fn, err := function.Cast(e.Type(), t, false)
	if err != nil {
		return nil, false
	}
	sig, err := fn.Type([]function.Arg{{Type: e.Type()}})
	if err != nil {
		return nil, false
	}
	return &expr.Call{Fn: fn, List: []expr.Expr{e}, T: sig.Result, Pos: -1}, true
}

// Side says which inputs of a join an expression reads.
type Side uint8

// The sides: LeftSide|RightSide is BothSides.
const (
	NoSide    Side = 0
	LeftSide  Side = 1
	RightSide Side = 2
	BothSides Side = 3
)

// SideOf is the side of an expression over the columns of a join, of which the left input has n.
func SideOf(e expr.Expr, n int) Side {
	side := NoSide
	for _, i := range expr.Columns(e) {
		if i < n {
			side |= LeftSide
		} else {
			side |= RightSide
		}
	}
	return side
}

// Shifted is an expression whose columns stand by positions further right.
func Shifted(e expr.Expr, by int) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		if c, ok := x.(*expr.Column); ok {
			return &expr.Column{Index: c.Index + by, Name: c.Name, T: c.T}
		}
		return x
	})
}
