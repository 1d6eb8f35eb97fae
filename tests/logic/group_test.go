package logic

import (
	"slices"
	"strings"
)

// group is GROUP BY with aggregates, filtered now and then, and HAVING.
func (w *writer) group(q query) query {
	from, cols := w.from(q)
	by := w.Perm(len(cols))[:1+w.IntN(min(2, len(cols)))]
	if w.IntN(6) == 0 {
		by = w.Perm(len(cols))
	}
	var own []column
	var keys []string
	for _, i := range by {
		own, keys = append(own, cols[i]), append(keys, cols[i].sql)
	}
	var calls []aggregate
	for range w.IntN(4) {
		a := w.aggregate(cols)
		if w.IntN(4) == 0 {
			p, of := (&maker{Rand: w.Rand, cols: cols}).of(boolean, 1), a.of
			a.sql += " FILTER (WHERE " + p.sql + ")"
			a.of = func(rows []row) any {
				return of(slices.DeleteFunc(slices.Clone(rows), func(x row) bool { return p.at(x) != true }))
			}
		}
		calls, own = append(calls, a), append(own, column{a.sql, a.t})
	}
	sets, grouping := [][]int{by}, strings.Join(keys, ", ")
	if len(q.rows) > 0 && w.IntN(3) == 0 {
		sets, grouping = w.sets(by, keys)
		last := by[len(by)-1]
		own = append(own, column{"GROUPING(" + cols[last].sql + ")", bigint})
		calls = append(calls, aggregate{})
	}
	out := query{cols: named(own, ""), sql: "SELECT " + list(own) + " FROM " + from + " GROUP BY " + grouping}
	having := expression{at: func(row) any { return true }}
	if w.IntN(3) == 0 {
		having = (&maker{Rand: w.Rand, cols: own}).of(boolean, 2)
		out.sql += " HAVING " + having.sql
	}
	for _, set := range sets {
		for _, g := range groups(q.cols, q.rows, set) {
			if x := grouped(g, by, set, calls); having.at(x) == true {
				out.rows = append(out.rows, x)
			}
		}
	}
	return out
}

// grouped is the row of a group of a set: keys of other sets are NULL, and the call that is none tells whether the last
// key is one of those.
func grouped(g []row, by, set []int, calls []aggregate) (x row) {
	for _, i := range by {
		if slices.Contains(set, i) {
			x = append(x, g[0][i])
		} else {
			x = append(x, nil)
		}
	}
	for _, a := range calls {
		switch {
		case a.of != nil:
			x = append(x, a.of(g))
		case slices.Contains(set, by[len(by)-1]):
			x = append(x, int64(0))
		default:
			x = append(x, int64(1))
		}
	}
	return x
}

// sets are those of columns: some of them, all, or the first ones.
func (w *writer) sets(by []int, keys []string) (sets [][]int, sql string) {
	all := strings.Join(keys, ", ")
	switch w.IntN(3) {
	case 0:
		for n := len(by); n >= 0; n-- {
			sets = append(sets, by[:n])
		}
		return sets, "ROLLUP (" + all + ")"
	case 1:
		for bits := range 1 << len(by) {
			sets = append(sets, chosen(by, bits))
		}
		return sets, "CUBE (" + all + ")"
	}
	// The whole set is among them, so that each column is a key.
	parts := []string{"(" + all + ")"}
	sets = [][]int{by}
	for bits := range 1<<len(by) - 1 {
		if w.IntN(2) == 0 {
			sets, parts = append(sets, chosen(by, bits)), append(parts, "("+strings.Join(chosen(keys, bits), ", ")+")")
		}
	}
	return sets, "GROUPING SETS (" + strings.Join(parts, ", ") + ")"
}

// chosen are the entries whose bits are set.
func chosen[T any](list []T, bits int) (out []T) {
	for i, x := range list {
		if bits>>i&1 == 1 {
			out = append(out, x)
		}
	}
	return out
}
