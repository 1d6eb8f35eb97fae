package parse

import "streamsql/planner/syntax"

// sharedSigns are the operators that both dialects rank alike. || is written DIV, which TiDB
// ranks like * and /, as Flink ranks ||.
var sharedSigns = map[string]string{
	"+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "||": "DIV",
	"=": "=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "<>": "<>", "!=": "<>",
}

// arithmetic are the signs that bind tighter than any comparison.
var arithmetic = map[string]bool{"+": true, "-": true, "*": true, "/": true, "%": true, "||": true}

// expr shapes an expression: operands and operators in turn. What binds to what is left to
// TiDB.
func (s *shaper) expr() {
	s.enter()
	defer s.leave()
	outer, operators := s.height, 0
	s.height = 0
	s.operand()
	for s.operator() {
		operators++
		s.checkHeight(operators)
	}
	height := s.height + operators + 1
	s.checkHeight(height)
	s.height = max(outer, height)
}

// operator shapes an operator with its right side; false if none stands here.
func (s *shaper) operator() bool {
	t := s.tok()
	if t.kind == symbol {
		if sharedSigns[t.up] == "" {
			return false
		}
		if t.up == "!=" {
			s.widen(bangEqual, t.span(), asText("<>"))
		}
		s.emit(sharedSigns[t.up])
		s.i++
		s.rightOperand()
		return true
	}
	if t.kind != word {
		return false
	}
	switch t.up {
	case "AND", "OR":
		s.emit(t.up)
		s.i++
		s.operand()
	case "IS":
		s.isTest()
	case "IN", "BETWEEN", "LIKE", "SIMILAR":
		s.predicate()
	case "NOT":
		if !s.peek(1).is("IN", "BETWEEN", "LIKE", "SIMILAR") {
			return false
		}
		s.emit("NOT")
		s.i++
		s.predicate()
	case "OVERLAPS":
		s.overlaps()
	default:
		return false
	}
	return true
}

func (s *shaper) predicate() {
	switch {
	case s.is("IN"):
		s.in()
	case s.is("BETWEEN"):
		s.between()
	default:
		s.like()
	}
}

// tightExpr shapes an expression of arithmetic and concatenation only, as it stands inside
// LIKE and POSITION.
func (s *shaper) tightExpr() {
	s.operand()
	for s.tok().kind == symbol && arithmetic[s.tok().up] {
		s.emit(sharedSigns[s.next().up])
		s.rightOperand()
		s.height++
		s.checkHeight(s.height)
	}
}

// operand shapes what stands between operators: NOT, signs, a primary.
func (s *shaper) operand() {
	for s.is("NOT") && !s.peek(1).is("IN", "BETWEEN", "LIKE", "SIMILAR") {
		s.emit("NOT")
		s.i++
		s.height++
		s.checkHeight(s.height)
	}
	s.rightOperand()
}

// rightOperand shapes an operand behind an operator that binds tighter than NOT.
func (s *shaper) rightOperand() {
	if !s.sign("-") && !s.sign("+") {
		s.primary()
		return
	}
	start, b := s.i, s.open()
	u := &syntax.Unary{Op: syntax.Plus}
	if s.next().sign("-") {
		u.Op = syntax.Neg
	}
	s.argument(b, slot{one: &u.Expr})
	s.enter()
	s.rightOperand()
	s.leave()
	s.height++
	u.Span = s.since(start)
	s.close(b, func() syntax.Expr { return u })
}

// overlaps shapes (a, b) OVERLAPS (c, d) as a comparison with a marked right side.
func (s *shaper) overlaps() {
	s.i++
	s.emit("<=>")
	b := s.open()
	o := &overlapsRight{}
	s.argument(b, slot{one: &o.Expr})
	s.primary()
	s.close(b, func() syntax.Expr { return o })
	s.complete()
}

// overlapsRight is the right side of OVERLAPS until nullSafe makes the node.
type overlapsRight struct{ syntax.Expr }
