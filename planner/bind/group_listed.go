package bind

import (
	"errors"
	"strconv"

	"streamsql/exec/expr"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// listColumn is one column of a select list: an expression, or a column that a star stands for, which is bound already and
// has text for a name.
type listColumn struct {
	x    syntax.Expr
	e    expr.Expr
	text string
	star *syntax.Star
}

// piece is the column's text for a rewrite.
func (p listColumn) piece() syntax.Piece {
	if p.x == nil {
		return asText(p.text)
	}
	return syntax.Piece{Span: p.x.At()}
}

// places are the columns of a select list.
func (w *work) places(items []syntax.SelectItem, s *scope) ([]listColumn, error) {
	var out []listColumn
	for _, it := range items {
		star, ok := it.Expr.(*syntax.Star)
		if !ok {
			out = append(out, listColumn{x: it.Expr})
			continue
		}
		plain := *star
		plain.Replace = nil
		columns, err := w.starOf(&plain, s)
		if err != nil {
			return nil, err
		}
		for _, c := range columns {
			if r := replacement(star, c.name); r != nil {
				out = append(out, listColumn{x: r.Expr})
			} else {
				out = append(out, listColumn{e: c.e, text: c.text, star: star})
			}
		}
	}
	return out, nil
}

// listedKey is what a grouping expression groups by that is the number or the alias of a column of the select list, or
// nil. A column of the input wins over an alias. A number whose column is made of aggregates is a constant, as all
// numbers are in Flink: such a statement means the same there.
func (w *work) listedKey(x syntax.Expr, s *scope, g *grouping) (expr.Expr, error) {
	if g.items == nil {
		return nil, nil
	}
	switch x := x.(type) {
	case *syntax.Literal:
		if x.Kind == syntax.IntegerLiteral {
			return w.numberedKey(x, s, g)
		}
	case *syntax.Name:
		return w.aliasedKey(x, s, g)
	}
	return nil, nil
}

func (w *work) numberedKey(x *syntax.Literal, s *scope, g *grouping) (expr.Expr, error) {
	list, err := w.places(g.items, s)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(x.Text)
	if err != nil || n < 1 || n > len(list) {
		return nil, failf(x, CodeShape, "GROUP BY %s: the result has %d columns", x.Text, len(list)).
			WithHint("a number is the place of a column in the select list, from 1")
	}
	p := list[n-1]
	if p.x != nil && gathers(p.x) {
		return nil, nil
	}
	w.widened(parse.GroupByNumber(), x.At(), p.piece())
	if p.x == nil {
		return p.e, nil
	}
	return w.expr(p.x, s)
}

func (w *work) aliasedKey(x *syntax.Name, s *scope, g *grouping) (expr.Expr, error) {
	if len(x.Parts) > 1 {
		return nil, nil
	}
	var e *syntax.Error
	if _, err := s.resolve(x); !errors.As(err, &e) || e.Code != CodeColumn {
		return nil, nil
	}
	var named syntax.Expr
	for _, it := range g.items {
		if it.Alias == nil || it.Alias.Name != x.Parts[0].Name {
			continue
		}
		if named != nil {
			return nil, failf(x, CodeAmbiguous, "'%s' is the alias of several columns", it.Alias.Name).WithHint("group by the expression")
		}
		named = it.Expr
	}
	if named == nil {
		return nil, nil
	}
	w.widened(parse.GroupByAlias(), x.At(), syntax.Piece{Span: named.At()})
	return w.expr(named, s)
}
