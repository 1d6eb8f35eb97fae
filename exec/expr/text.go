package expr

import "strings"

// String implements Expr.
func (e *Column) String() string { return e.Name }

// String implements Expr.
func (e *Const) String() string { return e.Text }

// String implements Expr.
func (e *Field) String() string { return e.Row.String() + "." + e.Name }

// String implements Expr.
func (e *Logic) String() string {
	word := " AND "
	if e.Or {
		word = " OR "
	}
	parts := make([]string, len(e.List))
	for i, a := range e.List {
		parts[i] = operand(a)
	}
	return strings.Join(parts, word)
}

// String implements Expr.
func (e *Case) String() string {
	var b strings.Builder
	b.WriteString("CASE")
	for _, w := range e.Whens {
		b.WriteString(" WHEN " + w.Cond.String() + " THEN " + w.Then.String())
	}
	b.WriteString(" ELSE " + e.Else.String() + " END")
	return b.String()
}

// String implements Expr.
func (e *Call) String() string {
	n := e.Fn.Name
	switch {
	case n == "CAST" || n == "TRY_CAST":
		return n + "(" + e.List[0].String() + " AS " + e.T.WithNull(true).String() + ")"
	case strings.HasPrefix(n, "IS ") && len(e.List) == 1:
		return operand(e.List[0]) + " " + n
	case n == "NOT":
		return "NOT " + operand(e.List[0])
	case n == "NEGATE":
		return "-" + operand(e.List[0])
	case n == "ITEM":
		return operand(e.List[0]) + "[" + e.List[1].String() + "]"
	case len(e.List) == 2 && infix(n):
		return operand(e.List[0]) + " " + n + " " + operand(e.List[1])
	}
	parts := make([]string, len(e.List))
	for i, a := range e.List {
		parts[i] = a.String()
	}
	switch n {
	case "ARRAY", "MAP", "MULTISET":
		return n + "[" + strings.Join(parts, ", ") + "]"
	}
	return n + "(" + strings.Join(parts, ", ") + ")"
}

func infix(n string) bool {
	switch n {
	case "LIKE", "SIMILAR TO":
		return true
	}
	return strings.HasPrefix(n, "IS ") || strings.ContainsAny(n[:1], "+-*/%=<>|")
}

// operand prints e in parentheses where its text would not stand as one operand.
func operand(e Expr) string {
	switch x := e.(type) {
	case *Logic:
		return "(" + x.String() + ")"
	case *Call:
		if n := x.Fn.Name; n == "NOT" || strings.HasPrefix(n, "IS ") || (len(x.List) == 2 && infix(n)) {
			return "(" + x.String() + ")"
		}
	}
	return e.String()
}
