package bind

import (
	"strings"

	"streamsql/planner/syntax"
)

// groupAll makes what the select list has beside aggregates, calls with OVER and constants the keys of a GROUP BY ALL.
func (w *work) groupAll(q *syntax.Select, s *scope, g *grouping) ([]int, error) {
	list, err := w.places(q.Items, s)
	if err != nil {
		return nil, err
	}
	var set []int
	var pieces [][]syntax.Piece
	for _, p := range list {
		var k int
		switch {
		case p.x == nil:
			k = w.keyOf(p.e, p.star, g)
		case !varies(p.x):
			continue
		default:
			if k, err = w.groupKey(p.x, s, g); err != nil {
				return nil, err
			}
		}
		if k >= 0 {
			set = joinSets(set, []int{k})
		}
		pieces = append(pieces, []syntax.Piece{p.piece()})
	}
	if len(pieces) == 0 {
		pieces = [][]syntax.Piece{{asText("()")}}
	}
	w.rewrite(q.GroupBy.All, listedPieces(pieces)...)
	return set, nil
}

// replacement is what replaces a column of a star, or nil.
func replacement(star *syntax.Star, name string) *syntax.Replacement {
	for _, r := range star.Replace {
		if r.Name.Name == name {
			return r
		}
	}
	return nil
}

// varies tells an expression that reads columns of the rows, and nothing that takes several rows.
func varies(x syntax.Expr) bool {
	names := false
	walk(x, func(e syntax.Expr) {
		_, name := e.(*syntax.Name)
		names = names || name
	})
	return names && !gathers(x)
}

// gathers tells an expression with a call that takes several rows.
func gathers(x syntax.Expr) bool {
	several := false
	walk(x, func(e syntax.Expr) {
		if c, ok := e.(*syntax.Call); ok {
			several = several || c.Over != nil || len(c.Name.Parts) == 1 && isAggregate(strings.ToUpper(c.Name.Last()))
		}
	})
	return several
}
