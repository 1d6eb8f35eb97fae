// Package logical is the bound plan: relational ideas as immutable nodes over resolved tables and typed
// expressions.
//
// It does not know SQL text, name lookup, operators or how a plan is run; of package op it has the descriptions
// that need no words of their own: of aggregate calls, frames, windows, sort orders and kinds of joins.
//
// Invariants:
//
//	L1 a plan is immutable and may be shared; rewriting makes new nodes by With.
//	L2 expr.Column.Index in a node's expressions is a position in its input's Schema.
//	L3 an expression's type equals the type of the schema column it makes, nullability included.
//	L4 the text of a plan is a function of the plan alone.
//	L5 which changes come of a node and which columns tell its rows apart is what it says itself (Changer); windows
//	   are built over rows that stay only.
package logical

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
)

// TimeAttribute says whether a column carries the time that windows and watermarks go by.
type TimeAttribute uint8

// The time attributes.
const (
	NoTime   TimeAttribute = iota
	Rowtime                // event time: a watermark follows it
	Proctime               // processing time: the clock
)

// String is the mark that DESCRIBE puts behind a type, with a blank before it.
func (t TimeAttribute) String() string { return [...]string{"", " *ROWTIME*", " *PROCTIME*"}[t] }

// Column is one column of a plan's result.
type Column struct {
	Name string
	Type types.Type
	Time TimeAttribute
}

// Schema is the columns of a plan's result in order. Names may repeat in the middle of a plan.
type Schema []Column

// Names lists the columns' names.
func (s Schema) Names() []string {
	out := make([]string, len(s))
	for i, c := range s {
		out[i] = c.Name
	}
	return out
}

// Types lists the columns' types.
func (s Schema) Types() []types.Type {
	out := make([]types.Type, len(s))
	for i, c := range s {
		out[i] = c.Type
	}
	return out
}

// Expr is column i as an expression.
func (s Schema) Expr(i int) *expr.Column {
	return &expr.Column{Index: i, Name: s[i].Name, T: s[i].Type}
}

// Exprs are all columns as expressions.
func (s Schema) Exprs() []expr.Expr {
	out := make([]expr.Expr, len(s))
	for i := range s {
		out[i] = s.Expr(i)
	}
	return out
}

// Rowtime is the position of the event-time attribute, or -1.
func (s Schema) Rowtime() int {
	for i, c := range s {
		if c.Time == Rowtime {
			return i
		}
	}
	return -1
}

// String is the schema in parentheses: (a INT, ts TIMESTAMP(3) *ROWTIME*).
func (s Schema) String() string {
	parts := make([]string, len(s))
	for i, c := range s {
		parts[i] = c.Name + " " + c.Type.String() + c.Time.String()
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Plan is a node of the tree.
type Plan interface {
	// Schema is what the node yields.
	Schema() Schema
	// Inputs are the nodes it reads.
	Inputs() []Plan
	// With is the node over other inputs, as many as before and with the same schemas.
	With(inputs []Plan) Plan
	// String is the node's line in EXPLAIN, without its inputs.
	String() string
}

// Explain draws the tree, one line a node, inputs below and indented.
func Explain(p Plan) string {
	var b strings.Builder
	explain(&b, p, 0)
	return b.String()
}

func explain(b *strings.Builder, p Plan, depth int) {
	indent(b, depth)
	b.WriteString(p.String() + "\n")
	for _, in := range p.Inputs() {
		explain(b, in, depth+1)
	}
}

func indent(b *strings.Builder, depth int) {
	if depth > 0 {
		b.WriteString(strings.Repeat("   ", depth-1) + "+- ")
	}
}

// Rewrite rebuilds p bottom-up: f sees each node over its rewritten inputs and returns the node to put
// there.
func Rewrite(p Plan, f func(Plan) Plan) Plan {
	old := p.Inputs()
	if len(old) > 0 {
		inputs := make([]Plan, len(old))
		changed := false
		for i, in := range old {
			inputs[i] = Rewrite(in, f)
			changed = changed || inputs[i] != in
		}
		if changed {
			p = p.With(inputs)
		}
	}
	return f(p)
}
