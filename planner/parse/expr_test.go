package parse_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// Calcite's precedences, from loosest to tightest.
const (
	orRank        = 22
	andRank       = 24
	notRank       = 26
	isRank        = 28
	compareRank   = 30
	predicateRank = 32
	addRank       = 40
	mulRank       = 60
	signRank      = 80
	primaryRank   = 100
)

var binaryRanks = map[syntax.BinaryOp]int{
	syntax.Or: orRank, syntax.And: andRank,
	syntax.Eq: compareRank, syntax.Ne: compareRank, syntax.Lt: compareRank, syntax.Le: compareRank,
	syntax.Gt: compareRank, syntax.Ge: compareRank,
	syntax.IsDistinctFrom: compareRank, syntax.IsNotDistinctFrom: compareRank,
	syntax.Add: addRank, syntax.Sub: addRank,
	syntax.Concat: mulRank, syntax.Mul: mulRank, syntax.Div: mulRank, syntax.Mod: mulRank,
}

// printer writes expressions with no parentheses but those that the precedences demand.
type printer struct{}

// text returns an expression's text, in parentheses if it binds looser than need.
func (p printer) text(e syntax.Expr, need int) string {
	s, rank := p.print(e)
	if rank < need {
		return "(" + s + ")"
	}
	return s
}

func (p printer) list(es []syntax.Expr) string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = p.text(e, 0)
	}
	return strings.Join(texts, ", ")
}

func notWord(not bool) string {
	if not {
		return "NOT "
	}
	return ""
}

func (p printer) print(e syntax.Expr) (string, int) {
	switch x := e.(type) {
	case *syntax.Name:
		return x.String(), primaryRank
	case *syntax.Literal:
		return literalText(x), primaryRank
	case *syntax.Interval:
		return fmt.Sprintf("INTERVAL '%s' %s", x.Text, x.Units.From), primaryRank
	case *syntax.Unary:
		if x.Op == syntax.Not {
			return "NOT " + p.text(x.Expr, notRank), notRank
		}
		return x.Op.String() + " " + p.text(x.Expr, signRank), signRank
	case *syntax.Binary:
		rank := binaryRanks[x.Op]
		return p.text(x.Left, rank) + " " + x.Op.String() + " " + p.text(x.Right, rank+1), rank
	case *syntax.Is:
		return p.text(x.Expr, isRank) + " IS " + notWord(x.Not) + x.Test.String(), isRank
	case *syntax.Between:
		symmetric := ""
		if x.Symmetric {
			symmetric = "SYMMETRIC "
		}
		s := p.text(x.Expr, addRank) + " " + notWord(x.Not) + "BETWEEN " + symmetric
		return s + p.text(x.Low, addRank) + " AND " + p.text(x.High, addRank), predicateRank
	case *syntax.Like:
		word := "LIKE "
		if x.Kind == syntax.SimilarTo {
			word = "SIMILAR TO "
		}
		s := p.text(x.Expr, addRank) + " " + notWord(x.Not) + word + p.text(x.Pattern, addRank)
		if x.Escape != nil {
			s += " ESCAPE " + p.text(x.Escape, addRank)
		}
		return s, predicateRank
	case *syntax.In:
		return p.text(x.Expr, addRank) + " " + notWord(x.Not) + "IN (" + p.list(x.List) + ")", predicateRank
	}
	return p.primary(e), primaryRank
}

func (p printer) primary(e syntax.Expr) string {
	switch x := e.(type) {
	case *syntax.Case:
		s := "CASE"
		if x.Operand != nil {
			s += " " + p.text(x.Operand, 0)
		}
		for _, w := range x.Whens {
			s += " WHEN " + p.text(w.Cond, 0) + " THEN " + p.text(w.Then, 0)
		}
		if x.Else != nil {
			s += " ELSE " + p.text(x.Else, 0)
		}
		return s + " END"
	case *syntax.Cast:
		return "CAST(" + p.text(x.Expr, 0) + " AS ARRAY<INT>)"
	case *syntax.Row:
		return "(" + p.list(x.Items) + ")"
	case *syntax.Collection:
		return "ARRAY[" + p.list(x.Items) + "]"
	case *syntax.Index:
		return p.text(x.Expr, primaryRank) + "[" + p.text(x.Index, 0) + "]"
	case *syntax.Field:
		return p.text(x.Expr, primaryRank) + "." + x.Name.Name
	case *syntax.Quantified:
		panic("not printed here")
	case *syntax.Call:
		return p.call(x)
	}
	panic(fmt.Sprintf("%T", e))
}

func (p printer) call(x *syntax.Call) string {
	distinct := ""
	if x.Distinct {
		distinct = "DISTINCT "
	}
	s := x.Name.String() + "(" + distinct + p.list(x.Args) + ")"
	if x.Filter != nil {
		s += " FILTER (WHERE " + p.text(x.Filter, 0) + ")"
	}
	if x.Over != nil {
		s += " OVER (PARTITION BY " + p.list(x.Over.PartitionBy) + " ORDER BY " + p.text(x.Over.OrderBy[0].Expr, 0) + " DESC)"
	}
	return s
}

func literalText(l *syntax.Literal) string {
	switch l.Kind {
	case syntax.StringLiteral:
		return "'" + strings.ReplaceAll(l.Text, "'", "''") + "'"
	case syntax.NullLiteral:
		return "NULL"
	case syntax.DateLiteral:
		return "DATE '" + l.Text + "'"
	}
	return l.Text
}

// generator makes random expressions.
type generator struct{ r *rand.Rand }

func (g generator) pick(n int) int { return g.r.IntN(n) }

func (g generator) coin() bool { return g.r.IntN(2) == 0 }

func name(parts ...string) *syntax.Name {
	n := &syntax.Name{}
	for _, part := range parts {
		n.Parts = append(n.Parts, syntax.Ident{Name: part})
	}
	return n
}

var oneDay = syntax.IntervalUnits{From: syntax.Day, Precision: syntax.Unset, Fraction: syntax.Unset}

func (g generator) leaf() syntax.Expr {
	leaves := []syntax.Expr{
		name("a"), name("t", "b"), name("x", "y", "z", "w"), name("key"),
		&syntax.Literal{Kind: syntax.IntegerLiteral, Text: "7"},
		&syntax.Literal{Kind: syntax.DecimalLiteral, Text: "0.90"},
		&syntax.Literal{Kind: syntax.StringLiteral, Text: "it's"},
		&syntax.Literal{Kind: syntax.NullLiteral},
		&syntax.Literal{Kind: syntax.BoolLiteral, Text: "TRUE"},
		&syntax.Literal{Kind: syntax.DateLiteral, Text: "2024-01-01"},
		&syntax.Interval{Text: "1", Units: oneDay},
	}
	return leaves[g.pick(len(leaves))]
}

func (g generator) exprs(depth int) []syntax.Expr {
	var es []syntax.Expr
	for range 1 + g.pick(3) {
		es = append(es, g.expr(depth))
	}
	return es
}

func (g generator) expr(depth int) syntax.Expr {
	if depth == 0 || g.pick(6) == 0 {
		return g.leaf()
	}
	depth--
	switch g.pick(12) {
	case 0, 1, 2, 3:
		op := syntax.BinaryOp(g.pick(int(syntax.Mod) + 1))
		if op == syntax.Overlaps {
			op = syntax.Eq
		}
		return &syntax.Binary{Op: op, Left: g.expr(depth), Right: g.expr(depth)}
	case 4:
		return &syntax.Unary{Op: []syntax.UnaryOp{syntax.Not, syntax.Neg, syntax.Plus}[g.pick(3)], Expr: g.expr(depth)}
	case 5:
		return &syntax.Is{Expr: g.expr(depth), Test: syntax.IsTest(g.pick(8)), Not: g.coin()}
	case 6:
		low, high := g.expr(depth), g.expr(depth)
		return &syntax.Between{Expr: g.expr(depth), Low: low, High: high, Not: g.coin(), Symmetric: g.coin()}
	case 7:
		l := &syntax.Like{Kind: syntax.LikeKind(g.pick(2)), Expr: g.expr(depth), Pattern: g.expr(depth), Not: g.coin()}
		if g.coin() {
			l.Escape = g.expr(depth)
		}
		return l
	case 8:
		return &syntax.In{Expr: g.expr(depth), List: g.exprs(depth), Not: g.coin()}
	case 9:
		return g.call(depth)
	}
	return g.constructor(depth)
}

func (g generator) constructor(depth int) syntax.Expr {
	switch g.pick(6) {
	case 0:
		c := &syntax.Case{Whens: []syntax.When{{Cond: g.expr(depth), Then: g.expr(depth)}}}
		if g.coin() {
			c.Operand = g.expr(depth)
		}
		if g.coin() {
			c.Else = g.expr(depth)
		}
		return c
	case 1:
		element := &syntax.Type{Name: "INT", Precision: syntax.Unset, Scale: syntax.Unset}
		array := &syntax.Type{Name: "ARRAY", Precision: syntax.Unset, Scale: syntax.Unset, Elems: []*syntax.Type{element}}
		return &syntax.Cast{Expr: g.expr(depth), Type: array}
	case 2:
		return &syntax.Row{Items: append(g.exprs(depth), g.expr(depth)), Implicit: true}
	case 3:
		return &syntax.Collection{Kind: syntax.Array, Items: g.exprs(depth)}
	case 4:
		return &syntax.Index{Expr: g.expr(depth), Index: g.expr(depth)}
	}
	return &syntax.Field{Expr: g.call(depth), Name: syntax.Ident{Name: "f"}}
}

func (g generator) call(depth int) syntax.Expr {
	c := &syntax.Call{Name: syntax.Path{Parts: name("sum").Parts}, Args: g.exprs(depth), Distinct: g.coin()}
	if g.coin() {
		c.Filter = g.expr(depth)
	}
	if g.coin() {
		order := []syntax.OrderItem{{Expr: g.expr(depth), Desc: true}}
		c.Over = &syntax.WindowSpec{PartitionBy: g.exprs(depth), OrderBy: order}
	}
	return c
}

// TestRandomExpressions prints random trees with minimal parentheses and compares what the
// parser makes of the text. It is the proof that the operators, split between the shaper,
// TiDB and the lowering, bind as in Flink.
func TestRandomExpressions(t *testing.T) {
	count := 25_000
	if testing.Short() {
		count /= 10
	}
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	failed := 0
	for range count {
		want := generator{r}.expr(1 + r.IntN(4))
		text := printer{}.text(want, 0)
		got, err := parse.Options{Dialect: parse.Flink}.Expr(text)
		if err != nil {
			t.Errorf("seed %d: %s\n%v", seed, text, err)
			failed++
		} else if g, w := syntax.Dump(got, false), syntax.Dump(want, false); g != w {
			t.Errorf("seed %d: %s\ngot\n%swant\n%s", seed, text, g, w)
			failed++
		} else if span := got.At(); span.Text(text) != text {
			t.Errorf("seed %d: %s\nspan covers only %q", seed, text, span.Text(text))
			failed++
		}
		if failed > 5 {
			t.FailNow()
		}
	}
	t.Logf("%d expressions, seed %d", count, seed)
}
