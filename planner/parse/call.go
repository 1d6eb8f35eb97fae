package parse

import (
	"strings"

	"streamsql/planner/syntax"
)

// callShape is a call that is being shaped.
type callShape struct {
	*bracket
	call *syntax.Call
}

// call shapes f(..) with all that may follow it, the cursor at the parenthesis. table says
// that it stands in FROM, where its arguments may be tables.
func (s *shaper) call(start int, name syntax.Path, table bool) {
	c := callShape{s.open(), &syntax.Call{Name: name}}
	s.expectSign("(")
	special := ""
	if len(name.Parts) == 1 && !name.Parts[0].Quoted && !table {
		special = strings.ToUpper(name.Parts[0].Name)
	}
	switch special {
	case "EXTRACT":
		s.extract(c)
	case "FLOOR", "CEIL", "CEILING":
		s.floor(c)
	case "TIMESTAMPADD", "TIMESTAMPDIFF":
		s.timestampAdd(c)
	case "TRIM":
		s.trim(c)
	case "SUBSTRING":
		s.substring(c)
	case "POSITION":
		s.position(c)
	case "OVERLAY":
		s.overlay(c)
	case "DESCRIPTOR":
		s.descriptor(start, c)
		return
	case "JSON_OBJECT", "JSON_OBJECTAGG", "JSON_ARRAY", "JSON_ARRAYAGG", "JSON_EXISTS", "JSON_VALUE", "JSON_QUERY":
		s.jsonCall(c, special)
	default:
		s.plainArgs(c, special, table)
	}
	s.expectSign(")")
	s.callTail(c)
	c.call.Span = s.since(start)
	s.close(c.bracket, func() syntax.Expr { return c.call })
}

// callArg shapes one more argument of a call.
func (s *shaper) callArg(c callShape) {
	s.argument(c.bracket, slot{many: &c.call.Args})
	s.expr()
}

// leafArg adds an argument that needs no lowering.
func (s *shaper) leafArg(c callShape, e syntax.Expr) {
	s.argument(c.bracket, slot{many: &c.call.Args})
	s.leaf(e)
}

// plainArgs shapes ([DISTINCT] a, b ..), (*), (name => a) and what aggregates have inside.
func (s *shaper) plainArgs(c callShape, name string, table bool) {
	switch {
	case s.sign(")"):
		return
	case s.sign("*") && s.peek(1).sign(")"):
		s.i++
		c.call.Star = true
		return
	case s.accept("DISTINCT"):
		c.call.Distinct = true
	default:
		s.accept("ALL")
	}
	for {
		s.argName(c, table)
		s.plainArg(c, table)
		if !s.acceptSign(",") {
			break
		}
	}
	if n := len(c.call.ArgNames); n > 0 && n != len(c.slots) {
		s.fail(syntax.Errorf(syntax.CodeSyntax, c.call.Name.Span, "either all arguments have names or none"))
	}
	if s.is("ORDER") && name != "ARRAY_AGG" {
		s.fail(syntax.Errorf(syntax.CodeSyntax, s.tok().span(), "ORDER BY cannot stand inside %s(..)", c.call.Name))
	}
	if s.accept("ORDER", "BY") {
		s.orderItems(c.bracket, &c.call.OrderBy)
	}
	s.nullTreatment(c)
}

// argName reads name => if it stands here. In a table function names may begin behind arguments without one.
func (s *shaper) argName(c callShape, table bool) {
	if s.tok().name() && s.peek(1).sign("=>") {
		for table && len(c.call.ArgNames) < len(c.slots) {
			c.call.ArgNames = append(c.call.ArgNames, syntax.Ident{})
		}
		c.call.ArgNames = append(c.call.ArgNames, s.identOf(s.tok()))
		s.i += 2
	}
}

func (s *shaper) plainArg(c callShape, table bool) {
	switch {
	case s.is("TABLE") && (s.peek(1).name() || s.peek(1).sign("(")):
		s.tableArg(c)
	case table && s.sign("(") && s.startsParenQuery():
		s.queryTableArg(c)
	case table && s.is("MODEL") && s.peek(1).name():
		s.fail(syntax.NotSupported(s.tok().span(), "MODEL arguments", ""))
	default:
		s.callArg(c)
	}
}

// nullTreatment reads IGNORE NULLS or RESPECT NULLS if it stands here.
func (s *shaper) nullTreatment(c callShape) {
	switch {
	case s.accept("IGNORE", "NULLS"):
		c.call.Nulls = syntax.IgnoreNulls
	case s.accept("RESPECT", "NULLS"):
		c.call.Nulls = syntax.RespectNulls
	}
}

// callTail shapes what follows the arguments: all of it becomes more arguments.
func (s *shaper) callTail(c callShape) {
	s.nullTreatment(c)
	if s.accept("WITHIN", "GROUP") {
		s.expectSign("(")
		s.expect("ORDER", "BY")
		s.orderItems(c.bracket, &c.call.WithinGroup)
		s.expectSign(")")
	}
	if s.is("FILTER") && s.peek(1).sign("(") {
		s.i += 2
		s.expect("WHERE")
		s.arg(c.bracket, &c.call.Filter)
		s.expectSign(")")
	}
	if s.accept("OVER") {
		c.call.Over = s.over(c.bracket)
	}
}
