package logical

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
)

// LookupJoin joins rows with those that a table holds for them: the table of Join.Right, whose rows do not change
// and are read before the first row comes. It is no input: nothing flows from it. The columns of Join.Left keep
// their time attributes.
type LookupJoin struct {
	*Join
	// Pos and End are where the table stands in the text.
	Pos, End int
}

// NewLookupJoin looks the rows of j.Left up in j.Right, a Scan under projections and filters.
func NewLookupJoin(j *Join) *LookupJoin {
	return &LookupJoin{Join: j.timed(j.Left.Schema())}
}

// timed is the join whose first columns have the time attributes of a schema.
func (j *Join) timed(s Schema) *Join {
	out := *j
	out.Columns = append(Schema(nil), j.Columns...)
	for i, c := range s {
		out.Columns[i].Time = c.Time
	}
	return &out
}

// Inputs implements Plan.
func (l *LookupJoin) Inputs() []Plan { return []Plan{l.Left} }

// With implements Plan.
func (l *LookupJoin) With(in []Plan) Plan { return l.Of(l.Over(l.Kind, in[0], l.Right, l.Cond)) }

// Of is the same lookup by another join.
func (l *LookupJoin) Of(j *Join) Plan { return &LookupJoin{j, l.Pos, l.End} }

// Changes implements Changer: each change finds the same rows, so that it comes for each of them. Whoever takes a
// row back must say what it was.
func (l *LookupJoin) Changes(in []Changes, _ Need) (Changes, []Need) {
	out := Changes{Kinds: in[0].Kinds, Stays: in[0].Stays}
	if ChangesOf(l.Right).HasKey(Columns(l.LookupKeys().Right)) {
		out.Keys = in[0].Keys
	}
	return out, []Need{Everything}
}

// String implements Plan.
func (l *LookupJoin) String() string {
	text := "LookupJoin(table=[" + lookedUp(l.Right) + "], type=[" + l.Kind.String() + "], where=["
	if l.Cond == nil {
		return text + "TRUE])"
	}
	return text + l.Cond.String() + "])"
}

// lookedUp names what a table's rows are made of, from the table up.
func lookedUp(p Plan) string {
	text := p.String()
	for _, in := range p.Inputs() {
		text = lookedUp(in) + " -> " + text
	}
	return text
}

// Looked is the kinds of joins that can be done by looking up.
func Looked(k op.JoinKind) bool { return k == op.InnerJoin || k == op.LeftJoin }

// LookupKeys are the parts of the condition. Rows are looked up by values alone: that NULL equals NULL is tested
// afterwards.
func (l *LookupJoin) LookupKeys() JoinKeys {
	return l.keysAmong(func(e expr.Expr) bool {
		c, ok := e.(*expr.Call)
		return ok && c.Fn.Name == "="
	})
}

// LooksUpConstant tells that the condition has a column of the table equal a constant.
func (l *LookupJoin) LooksUpConstant() bool {
	n := len(l.Left.Schema())
	column := func(e expr.Expr) bool {
		_, ok := e.(*expr.Column)
		return ok && SideOf(e, n) == RightSide
	}
	return slices.ContainsFunc(l.Conds(), func(e expr.Expr) bool {
		c, ok := e.(*expr.Call)
		return ok && c.Fn.Name == "=" && (column(c.List[0]) && SideOf(c.List[1], n) == NoSide ||
			column(c.List[1]) && SideOf(c.List[0], n) == NoSide)
	})
}

// keysAmong are the parts of a condition of which some conjuncts only are taken for keys.
func (j *Join) keysAmong(key func(expr.Expr) bool) JoinKeys {
	var some, others []expr.Expr
	for _, e := range j.Conds() {
		if key(e) {
			some = append(some, e)
		} else {
			others = append(others, e)
		}
	}
	by := *j
	if by.Cond = nil; len(some) > 0 {
		by.Cond = expr.And(some...)
	}
	k := by.Keys()
	k.Residual = append(k.Residual, others...)
	return k
}
