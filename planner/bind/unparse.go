package bind

import (
	"fmt"
	"strconv"
	"strings"

	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// How tightly operators bind, from loosest to tightest.
const (
	looseOr = iota
	tightAnd
	tightNot
	tightTest // comparisons, IS, IN, LIKE, BETWEEN
	tightAdd
	tightMul
	tightSign
	tightest
)

// unparse writes an expression as Flink writes it back: names in back-ticks, functions in upper case,
// parentheses only where they are needed.
func unparse(e syntax.Expr) string { return unparseIn(e, looseOr) }

func unparseIn(e syntax.Expr, around int) string {
	text, own := unparsed(e)
	if own < around {
		return "(" + text + ")"
	}
	return text
}

func unparsed(e syntax.Expr) (text string, tight int) {
	switch e := e.(type) {
	case *syntax.Name:
		return quotedPath(e.Parts), tightest
	case *syntax.Literal:
		return literalText(e), tightest
	case *syntax.Interval:
		sign := ""
		if e.Negative {
			sign = "-"
		}
		return "INTERVAL " + sign + quoted(e.Text) + " " + unitsText(e.Units), tightest
	case *syntax.UnitArg:
		return string(e.Unit), tightest
	case *syntax.Keyword:
		return e.Word, tightest
	case *syntax.Unary:
		if e.Op == syntax.Not {
			return "NOT " + unparseIn(e.Expr, tightNot), tightNot
		}
		return e.Op.String() + " " + unparseIn(e.Expr, tightSign), tightSign
	case *syntax.Binary:
		own := tightness(e.Op)
		return unparseIn(e.Left, own) + " " + e.Op.String() + " " + unparseIn(e.Right, own+1), own
	case *syntax.Between, *syntax.In, *syntax.Like, *syntax.Is:
		return unparseTest(e), tightTest
	}
	return unparseTerm(e), tightest
}

func tightness(op syntax.BinaryOp) int {
	switch {
	case op == syntax.Or:
		return looseOr
	case op == syntax.And:
		return tightAnd
	case op <= syntax.Overlaps:
		return tightTest
	case op == syntax.Add || op == syntax.Sub:
		return tightAdd
	}
	return tightMul
}

func unparseTest(e syntax.Expr) string {
	not := func(b bool) string {
		if b {
			return " NOT"
		}
		return ""
	}
	switch e := e.(type) {
	case *syntax.Between:
		word := " BETWEEN ASYMMETRIC "
		if e.Symmetric {
			word = " BETWEEN SYMMETRIC "
		}
		return unparseIn(e.Expr, tightAdd) + not(e.Not) + word + unparseIn(e.Low, tightAdd) + " AND " + unparseIn(e.High, tightAdd)
	case *syntax.In:
		return unparseIn(e.Expr, tightAdd) + not(e.Not) + " IN (" + unparseList(e.List) + ")"
	case *syntax.Like:
		word := " LIKE "
		if e.Kind == syntax.SimilarTo {
			word = " SIMILAR TO "
		}
		text := unparseIn(e.Expr, tightAdd) + not(e.Not) + word + unparseIn(e.Pattern, tightAdd)
		if e.Escape != nil {
			text += " ESCAPE " + unparseIn(e.Escape, tightAdd)
		}
		return text
	case *syntax.Is:
		return unparseIn(e.Expr, tightAdd) + " IS" + not(e.Not) + " " + e.Test.String()
	}
	panic(fmt.Sprintf("bind: test %T", e))
}

func unparseTerm(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Case:
		return unparseCase(e)
	case *syntax.Cast:
		name := "CAST("
		if e.Try {
			name = "TRY_CAST("
		}
		return name + unparse(e.Expr) + " AS " + unparseType(e.Type) + ")"
	case *syntax.Call:
		return unparseCall(e)
	case *syntax.Row:
		if e.Implicit {
			return "(" + unparseList(e.Items) + ")"
		}
		return "ROW(" + unparseList(e.Items) + ")"
	case *syntax.Collection:
		return [...]string{syntax.Array: "ARRAY", syntax.Map: "MAP", syntax.Multiset: "MULTISET"}[e.Kind] +
			"[" + unparseList(e.Items) + "]"
	case *syntax.Index:
		return unparseIn(e.Expr, tightest) + "[" + unparse(e.Index) + "]"
	case *syntax.Field:
		return unparseIn(e.Expr, tightest) + "." + catalog.Quote(e.Name.Name)
	case *syntax.IntervalOf:
		return "(" + unparse(e.Left) + " - " + unparse(e.Right) + ") " + unitsText(e.Units)
	case *syntax.Default:
		return "DEFAULT"
	case *syntax.Star:
		return "*"
	}
	return "(…)"
}

func unparseList(list []syntax.Expr) string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = unparse(e)
	}
	return strings.Join(out, ", ")
}

func unparseCase(e *syntax.Case) string {
	var b strings.Builder
	b.WriteString("CASE ")
	if e.Operand != nil {
		b.WriteString(unparse(e.Operand) + " ")
	}
	for _, w := range e.Whens {
		b.WriteString("WHEN " + unparse(w.Cond) + " THEN " + unparse(w.Then) + " ")
	}
	b.WriteString("ELSE ")
	if e.Else != nil {
		b.WriteString(unparse(e.Else))
	} else {
		b.WriteString("NULL")
	}
	return b.String() + " END"
}

// standard are the functions that SQL itself has: Flink writes them without back-ticks.
var standard = words(`ABS CARDINALITY CEIL CHARACTER_LENGTH CHAR_LENGTH COALESCE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP
 EXP EXTRACT FLOOR LN LOCALTIME LOCALTIMESTAMP LOG10 LOWER MOD NULLIF OVERLAY POSITION POWER PROCTIME SQRT SUBSTRING
 TIMESTAMPADD TIMESTAMPDIFF TRIM UPPER YEAR MONTH DAY HOUR MINUTE SECOND`)

func unparseCall(e *syntax.Call) string {
	name := strings.ToUpper(e.Name.Last())
	args := unparseList(e.Args)
	switch {
	case e.NoParens:
		return name
	case name == "EXTRACT" && len(e.Args) == 2:
		args = unparse(e.Args[0]) + " FROM " + unparse(e.Args[1])
	case (name == "FLOOR" || name == "CEIL") && len(e.Args) == 2 && isUnit(e.Args[1]):
		args = unparse(e.Args[0]) + " TO " + unparse(e.Args[1])
	case len(e.Name.Parts) > 1:
		return quotedPath(e.Name.Parts) + "(" + args + ")"
	case !standard[name]:
		name = catalog.Quote(e.Name.Last())
	}
	return name + "(" + args + ")"
}

func quotedPath(parts []syntax.Ident) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = catalog.Quote(p.Name)
	}
	return strings.Join(out, ".")
}

func literalText(e *syntax.Literal) string {
	switch e.Kind {
	case syntax.NullLiteral:
		return "NULL"
	case syntax.StringLiteral:
		return quoted(e.Text)
	case syntax.BinaryLiteral:
		return "X" + quoted(e.Text)
	case syntax.DateLiteral:
		return "DATE " + quoted(e.Text)
	case syntax.TimeLiteral:
		return "TIME " + quoted(e.Text)
	case syntax.TimestampLiteral:
		return "TIMESTAMP " + quoted(e.Text)
	case syntax.TimestampLTZLiteral:
		return "TIMESTAMP WITH LOCAL TIME ZONE " + quoted(e.Text)
	case syntax.BoolLiteral:
		return strings.ToUpper(e.Text)
	}
	return e.Text
}

// unparseType writes a type as it was declared.
func unparseType(t *syntax.Type) string {
	if t.Name == "" {
		return quotedPath(t.User)
	}
	text := t.Name
	switch t.Name {
	case "ARRAY", "MAP", "MULTISET":
		parts := make([]string, len(t.Elems))
		for i, e := range t.Elems {
			parts[i] = unparseType(e)
		}
		text += "<" + strings.Join(parts, ", ") + ">"
	case "ROW":
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = catalog.Quote(f.Name.Name) + " " + unparseType(f.Type)
		}
		text += "<" + strings.Join(parts, ", ") + ">"
	case "INTERVAL":
		text += " " + unitsText(*t.Interval)
	default:
		switch {
		case t.Precision != syntax.Unset && t.Scale != syntax.Unset:
			text += "(" + strconv.Itoa(t.Precision) + ", " + strconv.Itoa(t.Scale) + ")"
		case t.Precision != syntax.Unset:
			text += "(" + strconv.Itoa(t.Precision) + ")"
		}
		if t.Zone == syntax.LocalTimeZone {
			text += " WITH LOCAL TIME ZONE"
		}
	}
	if t.Nulls == syntax.NotNull {
		text += " NOT NULL"
	}
	return text
}
