package logic

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/exec/types"
)

// nested packs columns of a query into a ROW and an ARRAY, does what compares rows as a whole, and unpacks them: what
// comes of it is what comes of the columns alone.
func (w *writer) nested(q query) query {
	in, cols := w.from(q)
	packed, back := w.packed(cols)
	sql := "SELECT " + packed + " FROM " + in
	out := query{cols: q.cols, rows: q.rows}
	key := func(x row) string { return lines(q.cols, []row{x})[0] }
	once := func(rows []row) (out []row) {
		for _, g := range groups(q.cols, rows, allOf(q.cols)) {
			out = append(out, g[0])
		}
		return out
	}
	p := (&maker{Rand: w.Rand, cols: cols}).of(boolean, 2)
	part := slices.DeleteFunc(slices.Clone(q.rows), func(x row) bool { return p.at(x) != true })
	there := map[string]bool{}
	for _, x := range part {
		there[key(x)] = true
	}
	other := sql + " WHERE " + p.sql
	switch w.IntN(6) {
	case 0:
		sql, out.rows = "SELECT DISTINCT"+strings.TrimPrefix(sql, "SELECT"), once(q.rows)
	case 1:
		sql, out.rows = sql+" UNION ALL "+other, slices.Concat(q.rows, part)
	case 2:
		sql, out.rows = sql+" UNION "+other, once(q.rows)
	case 3:
		sql = sql + " EXCEPT " + other
		out.rows = slices.DeleteFunc(once(q.rows), func(x row) bool { return there[key(x)] })
	case 4:
		sql, out.rows = sql+" INTERSECT "+other, once(part)
	}
	w.aliases++
	alias := fmt.Sprint("q", w.aliases)
	from := "(" + sql + ") AS " + alias
	switch w.IntN(4) {
	case 0:
		from, out.rows = w.through(from, back(alias), out)
	case 1:
		b := w.base()
		other, keys := w.from(b)
		if i, k, ok := w.pair(q.cols, keys); ok {
			from += fmt.Sprintf(" JOIN %s ON %s = %s", other, back(alias)[i].sql, keys[k].sql)
			rows := joined("JOIN", out.rows, b.rows, len(q.cols), len(keys), func(x row) bool { return compared("=", x[i], x[len(q.cols)+k]) == true })
			out.rows = nil
			for _, x := range rows {
				out.rows = append(out.rows, x[:len(q.cols)])
			}
		}
	}
	out.sql = "SELECT " + list(back(alias)) + " FROM " + from
	return out
}

// through is the first rows of each value of one column, in the order of the others, as they are packed.
func (w *writer) through(from string, cols []column, q query) (sql string, rows []row) {
	if len(cols) < 2 {
		return from, q.rows
	}
	by := []int{w.IntN(len(cols))}
	order, down, sorting := w.order(cols, by)
	n := 1 + w.IntN(2)
	sql = fmt.Sprintf("(SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY %s ORDER BY %s) AS rn FROM %s) WHERE rn <= %d) AS %s",
		cols[by[0]].sql, sorting, from, n, from[strings.LastIndex(from, " ")+1:])
	for _, g := range groups(q.cols, q.rows, by) {
		g = sorted(g, order, down)
		rows = append(rows, g[:min(n, len(g))]...)
	}
	return sql, rows
}

func allOf(cols []column) (out []int) {
	for i := range cols {
		out = append(out, i)
	}
	return out
}

// packed puts the columns in an order by chance into a ROW r, into an ARRAY a where two have one type, or leaves them,
// and says how each is read.
func (w *writer) packed(cols []column) (sql string, back func(alias string) []column) {
	read := make([]string, len(cols))
	var fields, defs, parts, array []string
	var of types.Type
	for _, i := range w.Perm(len(cols)) {
		switch c := cols[i]; {
		case w.IntN(3) == 0 && (array == nil || of.Same(c.t)):
			of, array = c.t, append(array, c.sql)
			read[i] = fmt.Sprintf("a[%d]", len(array))
		case w.IntN(2) == 0:
			fields, defs = append(fields, c.sql), append(defs, fmt.Sprintf("f%d %s", i, c.t))
			read[i] = fmt.Sprintf("r.f%d", i)
		default:
			parts = append(parts, fmt.Sprintf("%s AS p%d", c.sql, i))
			read[i] = fmt.Sprint("p", i)
		}
	}
	if fields != nil {
		parts = append(parts, fmt.Sprintf("CAST(ROW(%s) AS ROW<%s>) AS r", strings.Join(fields, ", "), strings.Join(defs, ", ")))
	}
	if array != nil {
		parts = append(parts, "ARRAY["+strings.Join(array, ", ")+"] AS a")
	}
	return strings.Join(parts, ", "), func(alias string) (out []column) {
		for i, c := range cols {
			out = append(out, column{alias + "." + read[i], c.t})
		}
		return out
	}
}
