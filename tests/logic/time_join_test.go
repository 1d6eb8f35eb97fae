package logic

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/exec/types"
)

// joined are the rows of a join of a kind, SEMI and ANTI among them.
func joined(kind string, l, r []row, nl, nr int, on func(row) bool) (out []row) {
	met := make([]bool, len(r))
	for _, x := range l {
		alone := true
		for k, y := range r {
			both := slices.Concat(x, y)
			if !on(both) {
				continue
			}
			alone, met[k] = false, true
			if kind != "SEMI" && kind != "ANTI" {
				out = append(out, both)
			}
		}
		switch {
		case kind == "SEMI" && !alone, kind == "ANTI" && alone:
			out = append(out, x)
		case alone && (kind == "LEFT JOIN" || kind == "FULL JOIN"):
			out = append(out, slices.Concat(x, make(row, nr)))
		}
	}
	for k, y := range r {
		if !met[k] && (kind == "RIGHT JOIN" || kind == "FULL JOIN") {
			out = append(out, slices.Concat(make(row, nl), y))
		}
	}
	return out
}

var joinKinds = []string{"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"}

// behind writes columns behind an alias.
func behind(alias string, cols []column) (out []column) {
	for _, c := range cols {
		out = append(out, column{alias + "." + c.sql, c.t})
	}
	return out
}

// taken is a query of some columns of rows.
func taken(from string, cols []column, rows []row, at []int) query {
	var own []column
	out := query{rows: make([]row, len(rows))}
	for _, i := range at {
		own = append(own, cols[i])
		for k, x := range rows {
			out.rows[k] = append(out.rows[k], x[i])
		}
	}
	out.cols, out.sql = named(own, ""), "SELECT "+list(own)+" FROM "+from
	return out
}

// interval is a join of two tables whose event times are within bounds of each other.
func (w *writer) interval() query {
	l, r := w.timed(), w.timed()
	kind := joinKinds[w.IntN(4)]
	lo, hi := int64(w.IntN(6)-2)*hour/4, int64(w.IntN(6)-1)*hour/4
	nl, nr := len(l.cols), len(r.cols)
	cols := append(behind("l", l.cols), behind("r", r.cols)...)
	minutes := func(ms int64) string { return fmt.Sprintf("INTERVAL '%d' MINUTE", ms/60_000) }
	on := fmt.Sprintf("l.k = r.k AND l.rt BETWEEN r.rt - %s AND r.rt + %s", minutes(lo), minutes(hi))
	strictly := w.IntN(3) == 0
	if strictly {
		on = fmt.Sprintf("l.k = r.k AND l.rt > r.rt - %s AND r.rt >= l.rt - %s", minutes(lo), minutes(hi))
	}
	more := expression{at: func(row) any { return true }}
	if w.IntN(3) == 0 {
		more = (&maker{Rand: w.Rand, cols: cols}).of(boolean, 2)
		on += " AND " + more.sql
	}
	rows := joined(kind, l.rows, r.rows, nl, nr, func(x row) bool {
		d := x[2].(int64) - x[nl+2].(int64)
		return compared("=", x[1], x[nl+1]) == true && d >= -lo && d <= hi && (!strictly || d > -lo) && more.at(x) == true
	})
	return taken(l.name+" AS l "+kind+" "+r.name+" AS r ON "+on, cols, rows, []int{0, 1, nl, nl + 1})
}

// versions is a table no two of whose rows have one time, so that its rows are versions of their keys.
func (w *writer) versions() *table {
	for _, t := range w.tables {
		if t.versioned {
			return t
		}
	}
	t := someTable(w.Rand, "v", 5+w.IntN(25), someTypes(w.Rand))
	t.versioned = true
	for i, at := range w.Perm(40)[:len(t.rows)] {
		t.rows[i][2] = 1709164800000 + int64(at)*900_000
	}
	w.tables = append(w.tables, t)
	return t
}

// temporal joins rows with the version of their key at their time.
func (w *writer) temporal() query {
	v, l := w.versions(), w.timed()
	kind := joinKinds[w.IntN(2)]
	cols := append(behind("l", l.cols), behind("r", v.cols)...)
	latest := func(x row) (best int) {
		best = -1
		for i, y := range v.rows {
			if compared("=", x[1], y[1]) == true && y[2].(int64) <= x[2].(int64) && (best < 0 || y[2].(int64) > v.rows[best][2].(int64)) {
				best = i
			}
		}
		return best
	}
	var rows []row
	for _, x := range l.rows {
		if i := latest(x); i >= 0 {
			rows = append(rows, slices.Concat(x, v.rows[i]))
		} else if kind == "LEFT JOIN" {
			rows = append(rows, slices.Concat(x, make(row, len(v.cols))))
		}
	}
	n := len(l.cols)
	return taken(l.name+" AS l "+kind+" versions FOR SYSTEM_TIME AS OF l.rt AS r ON l.k = r.k", cols, rows, []int{0, 1, n, n + 3})
}

// deduplicated is the first or the last row of each key, by time.
func (w *writer) deduplicated() query {
	v := w.versions()
	w.windows = true
	down := w.IntN(2) == 0
	at := append([]int{0, 1}, w.Perm(len(v.cols) - 3)[:1]...)
	at[2] += 3
	inner := "(SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY rt" + map[bool]string{true: " DESC", false: ""}[down] + ") AS n FROM v)"
	var rows []row
	for _, g := range groups(v.cols, v.rows, []int{1}) {
		rows = append(rows, sorted(g, []int{2}, []bool{down})[0])
	}
	out := taken(inner, v.cols, rows, at)
	out.sql += " WHERE n = 1"
	return out
}

// windowJoin joins the rows of two tables that are in the same window.
func (w *writer) windowJoin() query {
	l, r := w.timed(), w.timed()
	a := w.inWindows(l)
	if a.keys != nil { // sessions of two tables are hardly ever the same
		return w.windowFirst()
	}
	b := windowed{cols: append(slices.Clone(r.cols), a.cols[len(a.cols)-2:]...), sql: strings.Replace(a.sql, "TABLE "+l.name, "TABLE "+r.name, 1)}
	b.rows = a.like(r)
	nl, nr := len(a.cols), len(b.cols)
	cols := append(behind("l", a.cols), behind("r", b.cols)...)
	on := "l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end"
	same := func(x row) bool {
		return compared("=", x[1], x[nl+1]) == true && x[nl-2] == x[nl+nr-2] && x[nl-1] == x[nl+nr-1]
	}
	from := "(SELECT * FROM " + a.sql + ") AS l"
	if w.IntN(3) == 0 {
		no := w.IntN(2) == 0
		word, kind := map[bool]string{true: "NOT ", false: ""}[no], map[bool]string{true: "ANTI", false: "SEMI"}[no]
		out := taken(from, cols[:nl], joined(kind, a.rows, b.rows, nl, nr, same), []int{0, 1, nl - 2})
		out.sql += " WHERE " + word + "EXISTS (SELECT * FROM (SELECT * FROM " + b.sql + ") AS r WHERE " + on + ")"
		return out
	}
	kind := joinKinds[w.IntN(4)]
	return taken(from+" "+kind+" (SELECT * FROM "+b.sql+") AS r ON "+on, cols, joined(kind, a.rows, b.rows, nl, nr, same),
		[]int{0, 1, nl - 2, nl, nl + nr - 1})
}

// frame is a call over the rows of its key within a time, or so many of them.
func (w *writer) frame() query {
	t := w.timed()
	n := int64(w.IntN(5))
	within := fmt.Sprintf("RANGE BETWEEN INTERVAL '%d' MINUTE PRECEDING AND CURRENT ROW", n*15)
	reach := func(g []row, i int) (out []row) {
		for _, y := range g {
			if d := g[i][2].(int64) - y[2].(int64); d >= 0 && d <= n*hour/4 {
				out = append(out, y)
			}
		}
		return out
	}
	if w.IntN(2) == 0 {
		t = w.versions()
		within = fmt.Sprintf("ROWS BETWEEN %d PRECEDING AND CURRENT ROW", n)
		reach = func(g []row, i int) []row { return g[max(0, i-int(n)) : i+1] }
	}
	var own []column
	var calls []aggregate
	for range 1 + w.IntN(2) {
		a := w.aggregate(t.cols)
		for strings.Contains(a.sql, "DISTINCT") || a.t.Kind == types.Boolean {
			a = w.aggregate(t.cols)
		}
		calls, own = append(calls, a), append(own, column{a.sql + " OVER (PARTITION BY k ORDER BY rt " + within + ")", a.t})
	}
	own = append([]column{{"id", bigint}, {"k", bigint}}, own...)
	out := query{cols: named(own, ""), sql: "SELECT " + list(own) + " FROM " + t.name}
	for _, g := range groups(t.cols, t.rows, []int{1}) {
		g = sorted(g, []int{2}, []bool{false})
		for i, x := range g {
			y := row{x[0], x[1]}
			for _, a := range calls {
				y = append(y, a.of(reach(g, i)))
			}
			out.rows = append(out.rows, y)
		}
	}
	return out
}
