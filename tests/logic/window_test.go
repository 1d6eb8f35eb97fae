package logic

import (
	"fmt"
	"slices"
	"strings"
)

const hour = 3_600_000

// windowed is a table in windows of its event time: a row stands once in each of its windows, whose start and end come
// behind its own columns.
type windowed struct {
	sql  string // the call
	cols []column
	rows []row
	keys []int                // what its windows belong to besides
	like func(t *table) []row // another table in the same windows
}

// timed is a table in FROM by its event time, of rows that stay.
func (w *writer) timed() *table {
	w.windows = true
	return w.tables[w.IntN(len(w.tables))]
}

// inWindows are tumbling, hopping or cumulating windows, or sessions of the key.
func (w *writer) inWindows(t *table) windowed {
	d := windowed{cols: append(slices.Clone(t.cols), column{"window_start", moment}, column{"window_end", moment})}
	by := "TABLE " + t.name
	switch w.IntN(4) {
	case 0:
		d.sql, d.like = "TABLE(TUMBLE("+by+", DESCRIPTOR(rt), INTERVAL '1' HOUR))", func(t *table) []row { return hopping(t, hour) }
	case 1:
		d.sql = "TABLE(HOP(" + by + ", DESCRIPTOR(rt), INTERVAL '1' HOUR, INTERVAL '3' HOUR))"
		d.like = func(t *table) []row { return hopping(t, 3*hour) }
	case 2:
		d.sql, d.like = "TABLE(CUMULATE("+by+", DESCRIPTOR(rt), INTERVAL '1' HOUR, INTERVAL '4' HOUR))", cumulating
	default:
		gap := int64(1+w.IntN(4)) * hour / 4
		d.sql = fmt.Sprintf("TABLE(SESSION(%s PARTITION BY k, DESCRIPTOR(rt), INTERVAL '%d' MINUTE))", by, gap/60_000)
		w.stream = true
		d.keys, d.like = []int{1}, func(t *table) []row { return sessions(t, gap) }
	}
	d.rows = d.like(t)
	return d
}

// hopping windows begin each hour; those of an hour tumble.
func hopping(t *table, size int64) (out []row) {
	for _, x := range t.rows {
		at := x[2].(int64)
		for start := floorDiv(at, hour) * hour; start > at-size; start -= hour {
			out = append(out, append(slices.Clone(x), start, start+size))
		}
	}
	return out
}

// cumulating windows grow by an hour up to four.
func cumulating(t *table) (out []row) {
	for _, x := range t.rows {
		start := floorDiv(x[2].(int64), 4*hour) * 4 * hour
		for end := start + hour; end <= start+4*hour; end += hour {
			if end > x[2].(int64) {
				out = append(out, append(slices.Clone(x), start, end))
			}
		}
	}
	return out
}

// sessions end a gap behind their last row; those that touch are one.
func sessions(t *table, gap int64) (out []row) {
	for _, g := range groups(t.cols, t.rows, []int{1}) {
		g = sorted(g, []int{2}, []bool{false})
		for len(g) > 0 {
			n := 1
			for n < len(g) && g[n][2].(int64) <= g[n-1][2].(int64)+gap {
				n++
			}
			start, end := g[0][2].(int64), g[n-1][2].(int64)+gap
			for _, x := range g[:n] {
				out = append(out, append(slices.Clone(x), start, end))
			}
			g = g[n:]
		}
	}
	return out
}

// window is what is in each window of a table: of its key, of all, or both.
func (w *writer) window() query {
	t := w.timed()
	d := w.inWindows(t)
	n := len(t.cols)
	own := []column{{"window_start", moment}, {"window_end", moment}}
	var calls []aggregate
	for range 1 + w.IntN(3) {
		calls = append(calls, w.aggregate(t.cols[:2]))
	}
	sets, by := [][]int{{n, n + 1, 1}}, "GROUP BY window_start, window_end, k"
	keyed := true
	if d.keys == nil {
		switch w.IntN(4) {
		case 0:
			sets, by, keyed = [][]int{{n, n + 1}}, "GROUP BY window_start, window_end", false
		case 1:
			sets, by = append(sets, []int{n, n + 1}), "GROUP BY window_start, window_end, GROUPING SETS ((k), ())"
		}
	}
	if keyed {
		own = append(own, column{"k", bigint})
	}
	for _, a := range calls {
		own = append(own, column{a.sql, a.t})
	}
	out := query{cols: named(own, ""), sql: "SELECT " + list(own) + " FROM " + d.sql + " " + by}
	for _, set := range sets {
		for _, g := range groups(d.cols, d.rows, set) {
			x := row{g[0][n], g[0][n+1]}
			if keyed {
				x = append(x, nil)
				if slices.Contains(set, 1) {
					x[2] = g[0][1]
				}
			}
			for _, a := range calls {
				x = append(x, a.of(g))
			}
			out.rows = append(out.rows, x)
		}
	}
	return out
}

// windowFirst is the first rows of each window of a table, of each of its keys now and then.
func (w *writer) windowFirst() query {
	t := w.timed()
	d := w.inWindows(t)
	n := len(t.cols)
	by, names := []int{n, n + 1}, "window_start, window_end"
	if d.keys != nil || w.IntN(2) == 0 {
		by, names = append(by, 1), names+", k"
	}
	own := []column{{"window_start", moment}, {"window_end", moment}, {"k", bigint}, {"id", bigint}}
	most, word := 1+w.IntN(3), map[bool]string{true: " DESC", false: ""}
	down := []bool{w.IntN(2) == 0, w.IntN(2) == 0}
	inner := fmt.Sprintf("SELECT *, ROW_NUMBER() OVER (PARTITION BY %s ORDER BY rt%s, id%s) AS n FROM %s", names, word[down[0]], word[down[1]], d.sql)
	w.aliases++
	out := query{cols: append(named(own, ""), column{"c4", bigint}),
		sql: fmt.Sprintf("SELECT %s, n AS c4 FROM (%s) AS q%d WHERE n <= %d", list(own), inner, w.aliases, most)}
	for _, g := range groups(d.cols, d.rows, by) {
		g = sorted(g, []int{2, 0}, down)
		for i, x := range g[:min(most, len(g))] {
			out.rows = append(out.rows, row{x[n], x[n+1], x[1], x[0], int64(i + 1)})
		}
	}
	return out
}

// groupWindow is a window as it was written before there were table functions.
func (w *writer) groupWindow() query {
	t := w.timed()
	call, by := "TUMBLE(rt, INTERVAL '1' HOUR)", []int{len(t.cols), len(t.cols) + 1}
	d := windowed{cols: append(slices.Clone(t.cols), column{"s", moment}, column{"e", moment})}
	keyed := w.IntN(2) == 0
	switch w.IntN(3) {
	case 0:
		gap := int64(1+w.IntN(4)) * hour / 4
		w.stream = true
		call, d.rows, keyed = fmt.Sprintf("SESSION(rt, INTERVAL '%d' MINUTE)", gap/60_000), sessions(t, gap), true
	case 1:
		call, d.rows = "HOP(rt, INTERVAL '1' HOUR, INTERVAL '2' HOUR)", hopping(t, 2*hour)
	default:
		d.rows = hopping(t, hour)
	}
	a := w.aggregate(t.cols[:2])
	name, rest, _ := strings.Cut(call, "(")
	own := []column{{name + "_START(" + rest, moment}, {name + "_END(" + rest, moment}, {a.sql, a.t}}
	sql := " GROUP BY " + call
	if keyed {
		by, own, sql = append(by, 1), append(own, column{"k", bigint}), sql+", k"
	}
	out := query{cols: named(own, ""), sql: "SELECT " + list(own) + " FROM " + t.name + sql}
	for _, g := range groups(d.cols, d.rows, by) {
		x := row{g[0][len(t.cols)], g[0][len(t.cols)+1], a.of(g)}
		if keyed {
			x = append(x, g[0][1])
		}
		out.rows = append(out.rows, x)
	}
	return out
}
