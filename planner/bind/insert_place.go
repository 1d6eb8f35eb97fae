package bind

import (
	"slices"

	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// placeOf is where the value of a column of the target stands: its item of the select list, or the whole query.
func placeOf(i *syntax.Insert, target []catalog.Column, k int) syntax.Node {
	q, ok := i.Query.(*syntax.Select)
	if !ok || slices.ContainsFunc(q.Items, isStar) {
		return i.Query
	}
	item := k
	for _, c := range target[:k] {
		if slices.ContainsFunc(i.Partition, func(p syntax.PartitionValue) bool { return p.Value != nil && p.Name.Name == c.Name }) {
			item--
		}
	}
	for n, c := range i.Columns {
		if c.Parts[0].Name == target[k].Name {
			item = n
		}
	}
	if item >= len(q.Items) {
		return i.Query
	}
	return q.Items[item]
}

func isStar(it syntax.SelectItem) bool {
	_, ok := it.Expr.(*syntax.Star)
	return ok
}

// offsets are where a part of the statement begins and ends; zeros where it is of another text.
func (w *work) offsets(at syntax.Node) [2]int {
	if w.apart {
		return [2]int{}
	}
	return [2]int{at.At().Pos, at.At().End}
}
