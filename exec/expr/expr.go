// Package expr is the one expression tree of the engine: bound by the planner, printed by EXPLAIN and
// evaluated by operators, batch by batch.
//
// It does not know SQL text, plans, tables or operators.
//
// Invariants (E1 is the design's):
//
//	E1 an expression that can fail is judged only on lanes that are reached: active, not NULL, chosen by
//	   the CASE or kept by the AND and OR around it. The first such row fails the evaluation.
//	E2 a tree is immutable and may be shared by tasks; an Evaluator owns its scratch and belongs to one.
//	E3 results are lent until the Evaluator's next call.
//	E4 a pure subtree over shared dictionaries with one code array is evaluated once per entry.
package expr

import (
	"strconv"
	"strings"

	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Expr is a node.
type Expr interface {
	// Type is the result type, nullability included.
	Type() types.Type
	// String is the SQL-like text used by EXPLAIN and by errors.
	String() string
	// Args are the direct subexpressions.
	Args() []Expr
	// With is the node with other subexpressions of the same number and types.
	With(args []Expr) Expr
}

// Column reads column Index of the input.
type Column struct {
	Index int
	Name  string
	T     types.Type
}

// Const is a literal: a constant column of length 1.
type Const struct {
	Value *vector.Column
	T     types.Type
	// Text is how the literal prints.
	Text string
}

// Call applies a function. Fn is its declaration, T the result type that its signature gave.
type Call struct {
	Fn   *function.Scalar
	List []Expr
	T    types.Type
	// Pos is the byte offset in the statement that the planner was given, or -1.
	Pos int
}

// When is one branch of a Case.
type When struct{ Cond, Then Expr }

// Case takes the first branch whose condition is TRUE, or Else. All branches and Else have type T.
// COALESCE, IF, IFNULL and NULLIF are bound to it.
type Case struct {
	Whens []When
	Else  Expr
	T     types.Type
}

// Logic is an AND or OR of two or more BOOLEAN expressions, evaluated left to right: a lane that the
// left side decides does not reach the right side.
type Logic struct {
	Or   bool
	List []Expr
	T    types.Type
}

// Field reads field Index of a ROW; it is NULL where the row is.
type Field struct {
	Row   Expr
	Index int
	Name  string
	T     types.Type
}

// NewField reads field i of row, with the nullability of both.
func NewField(row Expr, i int) *Field {
	t := row.Type()
	f := t.Fields[i]
	return &Field{Row: row, Index: i, Name: f.Name, T: f.Type.WithNull(!f.Type.NotNull || !t.NotNull)}
}

// NewConst wraps a constant column of length 1.
func NewConst(v *vector.Column, text string) *Const {
	return &Const{Value: v, T: v.Type.WithNull(v.IsConstNull()), Text: text}
}

// Null is the literal NULL of type t.
func Null(t types.Type) *Const {
	t.NotNull = false
	return &Const{Value: vector.ConstNull(t, 1), T: t, Text: "NULL"}
}

// Bool is the literal TRUE or FALSE.
func Bool(v bool) *Const {
	t := types.Of(types.Boolean).WithNull(false)
	return &Const{Value: vector.ConstBool(t, v, 1), T: t, Text: strings.ToUpper(strconv.FormatBool(v))}
}

// And is the conjunction of list, flattened; one element is returned as it is, none is TRUE.
func And(list ...Expr) Expr { return logic(false, list) }

// Or is the disjunction of list.
func Or(list ...Expr) Expr { return logic(true, list) }

func logic(or bool, list []Expr) Expr {
	var flat []Expr
	notNull := true
	for _, e := range list {
		if l, ok := e.(*Logic); ok && l.Or == or {
			flat = append(flat, l.List...)
		} else {
			flat = append(flat, e)
		}
		notNull = notNull && e.Type().NotNull
	}
	switch len(flat) {
	case 0:
		return Bool(!or)
	case 1:
		return flat[0]
	}
	return &Logic{Or: or, List: flat, T: types.Of(types.Boolean).WithNull(!notNull)}
}

// Conjuncts takes the ANDs of list apart, those below each other too.
func Conjuncts(list ...Expr) []Expr {
	var out []Expr
	for _, e := range list {
		if l, ok := e.(*Logic); ok && !l.Or {
			out = append(out, Conjuncts(l.List...)...)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// Type implements Expr.
func (e *Column) Type() types.Type { return e.T }

// Type implements Expr.
func (e *Const) Type() types.Type { return e.T }

// Type implements Expr.
func (e *Call) Type() types.Type { return e.T }

// Type implements Expr.
func (e *Case) Type() types.Type { return e.T }

// Type implements Expr.
func (e *Logic) Type() types.Type { return e.T }

// Type implements Expr.
func (e *Field) Type() types.Type { return e.T }

// Args implements Expr.
func (e *Column) Args() []Expr { return nil }

// Args implements Expr.
func (e *Const) Args() []Expr { return nil }

// Args implements Expr.
func (e *Call) Args() []Expr { return e.List }

// Args implements Expr: conditions and results in turn, then Else.
func (e *Case) Args() []Expr {
	out := make([]Expr, 0, 2*len(e.Whens)+1)
	for _, w := range e.Whens {
		out = append(out, w.Cond, w.Then)
	}
	return append(out, e.Else)
}

// Args implements Expr.
func (e *Logic) Args() []Expr { return e.List }

// Args implements Expr.
func (e *Field) Args() []Expr { return []Expr{e.Row} }

// With implements Expr.
func (e *Column) With([]Expr) Expr { return e }

// With implements Expr.
func (e *Const) With([]Expr) Expr { return e }

// With implements Expr.
func (e *Call) With(a []Expr) Expr { return &Call{e.Fn, a, e.T, e.Pos} }

// With implements Expr.
func (e *Case) With(a []Expr) Expr {
	c := &Case{T: e.T, Else: a[len(a)-1]}
	for i := range e.Whens {
		c.Whens = append(c.Whens, When{a[2*i], a[2*i+1]})
	}
	return c
}

// With implements Expr.
func (e *Logic) With(a []Expr) Expr { return &Logic{e.Or, a, e.T} }

// With implements Expr.
func (e *Field) With(a []Expr) Expr { return &Field{a[0], e.Index, e.Name, e.T} }
