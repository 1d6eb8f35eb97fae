package parse

import (
	"strings"

	"streamsql/planner/syntax"
)

// niladic are the functions that are called without parentheses.
var niladic = wordSet(`CURRENT_CATALOG CURRENT_DATE CURRENT_PATH CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME
	CURRENT_TIMESTAMP CURRENT_USER LOCALTIME LOCALTIMESTAMP SESSION_USER SYSTEM_USER`)

// primary shapes an operand with the subscripts and fields behind it.
func (s *shaper) primary() {
	start, mark := s.i, s.mark()
	s.atom()
	for {
		switch {
		case s.sign("["):
			s.i++
			x := &syntax.Index{}
			b := s.openAt(mark, slot{one: &x.Expr})
			s.arg(b, &x.Index)
			s.expectSign("]")
			x.Span = s.since(start)
			s.close(b, func() syntax.Expr { return x })
		case s.sign(".") && s.peek(1).name():
			s.i++
			f := &syntax.Field{Name: s.ident("a field behind the point")}
			b := s.openAt(mark, slot{one: &f.Expr})
			f.Span = s.since(start)
			s.close(b, func() syntax.Expr { return f })
		default:
			return
		}
		s.height++
		s.checkHeight(s.height)
	}
}

// atom shapes an operand without what may follow it.
func (s *shaper) atom() {
	t, after := s.tok(), s.peek(1)
	switch {
	case s.startsLiteral():
		s.leaf(s.literal())
	case t.sign("("):
		s.paren()
	case t.kind == quoted:
		s.nameOrCall()
	case t.kind != word:
		s.unexpected("an expression")
	case after.sign("(") && s.form(t):
	case after.sign("[") && t.is("ARRAY", "MAP", "MULTISET"):
		s.collection()
	case t.is("CASE"):
		s.caseExpr()
	case t.is("INTERVAL") && after.kind == number:
		s.fail(syntax.Errorf(syntax.CodeSyntax, after.span(), "the length of an interval is quoted").
			WithHint("write INTERVAL '%s'", after.val))
	case t.is("RUNNING", "FINAL") && after.kind == word && s.peek(2).sign("("):
		s.matchPrefix()
	case (niladic[t.up] || s.strict() && t.is("USER")) && !after.sign("(") && !after.sign("."):
		s.leaf(s.niladicCall())
	case t.is("DEFAULT"):
		s.i++
		s.leaf(&syntax.Default{Span: t.span()})
	default:
		s.nameOrCall()
	}
}

// form shapes a construct that looks like a call and is none; false if the word is none of
// these.
func (s *shaper) form(t *token) bool {
	switch t.up {
	case "CAST", "TRY_CAST":
		s.cast()
	case "EXISTS":
		s.exists()
	case "ROW":
		s.row()
	case "ARRAY", "MAP", "MULTISET":
		if !s.peek(2).is("SELECT", "WITH", "VALUES", "TABLE") {
			return false
		}
		s.collectionQuery()
	case "ALL", "ANY", "SOME":
		s.quantified()
	case "LEFT", "RIGHT":
		s.i++
		s.call(s.i-1, pathOf(s.identOf(t)), false)
	default:
		return false
	}
	return true
}

func pathOf(id syntax.Ident) syntax.Path {
	return syntax.Path{Span: id.Span, Parts: []syntax.Ident{id}}
}

func (s *shaper) niladicCall() *syntax.Call {
	t := s.next()
	return &syntax.Call{Span: t.span(), Name: pathOf(s.identOf(t)), NoParens: true}
}

// nameOrCall shapes a column's name or the call of a function.
func (s *shaper) nameOrCall() {
	start := s.i
	t := s.tok()
	if t.kind == word && s.peek(1).sign("(") && !structural[t.up] {
		s.functionWord(t)
		s.i++
		s.call(start, pathOf(s.identOf(t)), false)
		return
	}
	parts := s.parts("an expression")
	if s.sign("(") {
		s.call(start, syntax.Path{Span: spanOf(parts), Parts: parts}, false)
		return
	}
	s.leaf(&syntax.Name{Span: spanOf(parts), Parts: parts})
}

// foreignFunctions are names of other databases that Flink's parser knows and refuses.
var foreignFunctions = map[string]string{
	"GROUP_CONCAT": "write LISTAGG", "STRING_AGG": "write LISTAGG", "ARRAY_CONCAT_AGG": "", "SAFE_CAST": "write TRY_CAST",
	"DATETIME_DIFF": "write TIMESTAMPDIFF", "TIMESTAMP_DIFF": "write TIMESTAMPDIFF", "TIME_DIFF": "write TIMESTAMPDIFF",
	"DATE_TRUNC": "write FLOOR(x TO unit)", "DATETIME_TRUNC": "write FLOOR(x TO unit)",
	"TIMESTAMP_TRUNC": "write FLOOR(x TO unit)", "TIME_TRUNC": "write FLOOR(x TO unit)",
}

// functionWord checks that a word may name a function.
func (s *shaper) functionWord(t *token) {
	if hint, ok := foreignFunctions[t.up]; ok {
		err := syntax.Errorf(syntax.CodeSyntax, t.span(), "there is no function %s", t.up)
		err.Hint = hint
		s.fail(err)
	}
	if reserved[t.up] && !callable[t.up] {
		s.reservedAsName(t)
	}
}

// paren shapes (x), (a, b), (query) and (a - b) DAY.
func (s *shaper) paren() {
	start := s.i
	if s.startsParenQuery() {
		sub := &syntax.Subquery{}
		b := s.open()
		s.i++
		s.enter()
		s.queryArg(b, &sub.Query)
		s.leave()
		s.expectSign(")")
		sub.Span = s.since(start)
		s.close(b, func() syntax.Expr { return sub })
		return
	}
	r := &syntax.Row{Implicit: true}
	b := s.open()
	s.i++
	s.args(b, &r.Items)
	s.expectSign(")")
	if len(b.slots) == 1 && s.is("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND") {
		s.intervalOf(start, b, r)
		return
	}
	r.Span = s.since(start)
	s.close(b, func() syntax.Expr {
		if len(r.Items) > 1 {
			return r
		}
		return widen(r.Items[0], r.Span)
	})
}

// widen lets an expression's span cover the parentheses around it.
func widen(e syntax.Expr, to syntax.Span) syntax.Expr {
	if w, ok := e.(interface{ Widen(syntax.Span) }); ok {
		w.Widen(to)
	}
	return e
}

// intervalOf ends (a - b) unit.
func (s *shaper) intervalOf(start int, b *bracket, r *syntax.Row) {
	x := &syntax.IntervalOf{Units: s.intervalUnits()}
	x.Span = s.since(start)
	s.close(b, func() syntax.Expr {
		diff, ok := r.Items[0].(*syntax.Binary)
		if !ok || diff.Op != syntax.Sub {
			s.fail(syntax.Errorf(syntax.CodeSyntax, x.Units.Span, "a unit can only follow the difference of two times").
				WithHint("write (a - b) %s", strings.ToUpper(string(x.Units.From))))
		}
		x.Left, x.Right = diff.Left, diff.Right
		return x
	})
}

// matchPrefix shapes RUNNING f(..) and FINAL f(..) of MATCH_RECOGNIZE.
func (s *shaper) matchPrefix() {
	start, u := s.i, &syntax.Unary{Op: syntax.Final}
	b := s.open()
	if s.next().is("RUNNING") {
		u.Op = syntax.Running
	}
	s.argument(b, slot{one: &u.Expr})
	s.nameOrCall()
	u.Span = s.since(start)
	s.close(b, func() syntax.Expr { return u })
}
