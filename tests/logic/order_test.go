package logic

import (
	"fmt"
	"slices"
	"strings"
)

// sorted orders rows by columns, all of which are in order, so that rows that are equal in it are the same. NULL is
// less than anything.
func sorted(rows []row, order []int, down []bool) []row {
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b row) int { return ordered(a, b, order, down) })
	return out
}

func ordered(a, b row, order []int, down []bool) int {
	for n, i := range order {
		c := 0
		switch {
		case a[i] == nil || b[i] == nil:
			c = sign(a[i] != nil && b[i] == nil, a[i] == nil && b[i] != nil)
		default:
			c = compare(a[i], b[i])
		}
		if down[n] {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// order is a random one of all columns but those of the partition.
func (w *writer) order(cols []column, but []int) (order []int, down []bool, sql string) {
	var parts []string
	for _, i := range w.Perm(len(cols)) {
		if slices.Contains(but, i) {
			continue
		}
		order, down = append(order, i), append(down, w.IntN(2) == 0)
		parts = append(parts, cols[i].sql+map[bool]string{true: " DESC", false: ""}[down[len(down)-1]])
	}
	return order, down, strings.Join(parts, ", ")
}

// first is the first rows of each partition.
func (w *writer) first(q query) query {
	if len(q.cols) < 2 {
		return w.filter(q)
	}
	from, cols := w.from(q)
	by := []int{w.IntN(len(cols))}
	order, down, sql := w.order(cols, by)
	n := 1 + w.IntN(3)
	inner := fmt.Sprintf("SELECT %s, ROW_NUMBER() OVER (PARTITION BY %s ORDER BY %s) AS n FROM %s", list(cols), cols[by[0]].sql, sql, from)
	out := query{cols: q.cols}
	names := list(q.cols)
	ranked := w.IntN(2) == 0
	if ranked {
		names += fmt.Sprint(", n AS c", len(cols))
		out.cols = append(slices.Clone(q.cols), column{fmt.Sprint("c", len(cols)), bigint})
	}
	w.aliases++
	least, where := 1, []string{fmt.Sprint("n <= ", n), fmt.Sprint("n < ", n+1), fmt.Sprint("n = ", n), fmt.Sprint("n BETWEEN 2 AND ", n)}[w.IntN(4)]
	switch {
	case strings.HasPrefix(where, "n ="):
		least = n
	case strings.HasPrefix(where, "n B"):
		least = 2
	}
	out.sql = fmt.Sprintf("SELECT %s FROM (%s) AS q%d WHERE %s", names, inner, w.aliases, where)
	for _, g := range groups(q.cols, q.rows, by) {
		g = sorted(g, order, down)
		for i, x := range g[:min(n, len(g))] {
			if i+1 < least {
				continue
			}
			if ranked {
				x = append(slices.Clone(x), int64(i+1))
			}
			out.rows = append(out.rows, x)
		}
	}
	return out
}

// limit is the first rows of all.
func (w *writer) limit(q query) query {
	from, cols := w.from(q)
	order, down, sql := w.order(cols, nil)
	n, skip := 1+w.IntN(6), w.IntN(3)
	out := query{cols: q.cols, sql: fmt.Sprintf("SELECT %s FROM %s ORDER BY %s LIMIT %d", list(cols), from, sql, n)}
	if skip > 0 {
		out.sql += fmt.Sprint(" OFFSET ", skip)
	}
	out.sql = "SELECT * FROM (" + out.sql + ")"
	rows := sorted(q.rows, order, down)
	rows = rows[min(skip, len(rows)):]
	out.rows = rows[:min(n, len(rows))]
	return out
}

// running is an aggregate with OVER, of all rows up to those that are equal in the order.
func (w *writer) running(q query) query {
	if len(q.cols) < 2 {
		return w.filter(q)
	}
	from, cols := w.from(q)
	by := []int{w.IntN(len(cols))}
	order, _, _ := w.order(cols, by)
	order, down := order[:1], []bool{false} // a stream has no other
	if clear(q, by, order) && w.IntN(2) == 0 {
		return w.placed(q, by, order)
	}
	a := w.aggregate(cols)
	for strings.Contains(a.sql, "DISTINCT") {
		a = w.aggregate(cols)
	}
	call := fmt.Sprintf("%s OVER (PARTITION BY %s ORDER BY %s)", a.sql, cols[by[0]].sql, cols[order[0]].sql)
	own := append(slices.Clone(cols), column{call, a.t})
	out := query{cols: named(own, ""), sql: "SELECT " + list(own) + " FROM " + from}
	for _, g := range groups(q.cols, q.rows, by) {
		for _, x := range g {
			seen := slices.DeleteFunc(slices.Clone(g), func(y row) bool { return ordered(y, x, order, down) > 0 })
			out.rows = append(out.rows, append(slices.Clone(x), a.of(seen)))
		}
	}
	return w.narrow(out)
}

// clear tells an order that says of any two rows of a partition which comes first.
func clear(q query, by, order []int) bool {
	return len(groups(q.cols, q.rows, slices.Concat(by, order))) == len(q.rows)
}

// placed is a call with OVER that goes by places: an aggregate of so many rows, or a column of the row before.
func (w *writer) placed(q query, by, order []int) query {
	from, cols := w.from(q)
	over := fmt.Sprintf(" OVER (PARTITION BY %s ORDER BY %s", cols[by[0]].sql, cols[order[0]].sql)
	n := w.IntN(4)
	a := w.aggregate(cols)
	for strings.Contains(a.sql, "DISTINCT") {
		a = w.aggregate(cols)
	}
	own := append(slices.Clone(cols), column{fmt.Sprintf("%s%s ROWS BETWEEN %d PRECEDING AND CURRENT ROW)", a.sql, over, n), a.t})
	of := func(g []row, i int) any { return a.of(g[max(0, i-n) : i+1]) }
	switch w.IntN(3) {
	case 0:
		k := w.IntN(len(cols))
		own[len(cols)] = column{fmt.Sprintf("LAG(%s, %d)%s)", cols[k].sql, n, over), cols[k].t}
		of = func(g []row, i int) any {
			if i < n {
				return nil
			}
			return g[i-n][k]
		}
	case 1:
		own[len(cols)], of = column{"ROW_NUMBER()" + over + ")", bigint}, func(_ []row, i int) any { return int64(i + 1) }
	}
	out := query{cols: named(own, ""), sql: "SELECT " + list(own) + " FROM " + from}
	for _, g := range groups(q.cols, q.rows, by) {
		g = sorted(g, order, []bool{false})
		for i, x := range g {
			out.rows = append(out.rows, append(slices.Clone(x), of(g, i)))
		}
	}
	return w.narrow(out)
}
