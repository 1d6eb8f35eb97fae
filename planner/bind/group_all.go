package bind

import (
	"strings"

	"streamsql/planner/syntax"
)

// groupAll makes what the select list has beside aggregates, calls with OVER and constants the keys of a GROUP BY ALL.
func (w *work) groupAll(q *syntax.Select, s *scope, g *grouping) ([]int, error) {
	var set []int
	var pieces [][]syntax.Piece
	add := func(x syntax.Expr) error {
		if !varies(x) {
			return nil
		}
		k, err := w.groupKey(x, s, g)
		if err == nil && k >= 0 {
			set = joinSets(set, []int{k})
		}
		pieces = append(pieces, []syntax.Piece{{Span: x.At()}})
		return err
	}
	for _, it := range q.Items {
		star, ok := it.Expr.(*syntax.Star)
		if !ok {
			if err := add(it.Expr); err != nil {
				return nil, err
			}
			continue
		}
		plain := *star
		plain.Replace = nil
		items, err := w.starOf(&plain, s)
		if err != nil {
			return nil, err
		}
		for _, x := range items {
			if r := replacement(star, x.name); r != nil {
				if err := add(r.Expr); err != nil {
					return nil, err
				}
				continue
			}
			set = joinSets(set, []int{w.keyOf(x.e, star, g)})
			pieces = append(pieces, []syntax.Piece{asText(x.text)})
		}
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
	names, several := false, false
	walk(x, func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Name:
			names = true
		case *syntax.Call:
			several = several || e.Over != nil || len(e.Name.Parts) == 1 && isAggregate(strings.ToUpper(e.Name.Last()))
		}
	})
	return names && !several
}
