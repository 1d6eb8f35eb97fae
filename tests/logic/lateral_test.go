package logic

import (
	"fmt"
	"slices"

	"streamsql/exec/types"
)

// matched are the rows of a side whose column k equals a value.
func matched(rows []row, k int, v any) (out []row) {
	for _, y := range rows {
		if compared("=", v, y[k]) == true {
			out = append(out, y)
		}
	}
	return out
}

// lateral joins each row with a query that reads it: rows of the other side, what they come to, or the first of them.
func (w *writer) lateral(l, r query) query {
	lf, lc := w.from(l)
	rf, rc := w.from(r)
	i, k, ok := w.pair(lc, rc)
	if !ok {
		return w.elements(l)
	}
	w.aliases++
	alias := fmt.Sprint("q", w.aliases)
	where := fmt.Sprintf(" FROM %s WHERE %s = %s", rf, lc[i].sql, rc[k].sql)
	cols, inner := named(r.cols, alias+"."), "SELECT "+list(rc)+where
	of := func(rows []row) []row { return rows }
	switch w.IntN(3) {
	case 0:
		a := w.aggregate(rc)
		cols, inner = []column{{alias + ".c0", bigint}, {alias + ".c1", a.t}}, "SELECT COUNT(*) AS c0, "+a.sql+" AS c1"+where
		of = func(rows []row) []row {
			if len(rows) == 0 {
				return nil // of no rows Flink makes no group here
			}
			return []row{{int64(len(rows)), a.of(rows)}}
		}
	case 1:
		order, down, sql := w.order(rc, nil)
		n := 1 + w.IntN(3)
		inner += fmt.Sprintf(" ORDER BY %s LIMIT %d", sql, n)
		of = func(rows []row) []row { return sorted(rows, order, down)[:min(n, len(rows))] }
	}
	left := w.IntN(2) == 0
	all := slices.Concat(lc, cols)
	out := query{cols: named(all, ""), sql: "SELECT " + list(all) + " FROM " + lf + " CROSS JOIN LATERAL (" + inner + ") AS " + alias}
	if left {
		out.sql = "SELECT " + list(all) + " FROM " + lf + " LEFT JOIN LATERAL (" + inner + ") AS " + alias + " ON TRUE"
	}
	for _, x := range l.rows {
		own := of(matched(r.rows, k, x[i]))
		if len(own) == 0 && left {
			own = []row{make(row, len(cols))}
		}
		for _, y := range own {
			out.rows = append(out.rows, slices.Concat(x, y))
		}
	}
	return w.narrow(out)
}

// elements are the columns of a type, one row for each.
func (w *writer) elements(q query) query {
	from, cols := w.from(q)
	t := cols[w.IntN(len(cols))].t
	var at []int
	sql := ""
	for i, c := range cols {
		if c.t.Same(t) {
			at, sql = append(at, i), sql+", "+c.sql
		}
	}
	own := []column{cols[0], {"u.x", t}}
	call := " CROSS JOIN UNNEST(ARRAY[" + sql[2:] + "]) AS u(x)"
	numbered := w.IntN(2) == 0
	if numbered {
		own, call = append(own, column{"u.o", integer}), " CROSS JOIN UNNEST(ARRAY["+sql[2:]+"]) WITH ORDINALITY AS u(x, o)"
	}
	out := query{cols: named(own, ""), sql: "SELECT " + list(own) + " FROM " + from + call}
	for _, x := range q.rows {
		for n, i := range at {
			y := row{x[0], x[i]}
			if numbered {
				y = append(y, int64(n+1))
			}
			out.rows = append(out.rows, y)
		}
	}
	return out
}

// subquery makes a value or a condition of another query, which reads columns of this one now and then.
func (w *writer) subquery(cols []column, t types.Type) (e expression, ok bool) {
	r := w.base()
	rf, rc := w.from(r)
	i, k, ok := w.pair(cols, rc)
	if !ok {
		return e, false
	}
	some, where := func(x row) []row { return matched(r.rows, k, x[i]) }, fmt.Sprintf(" FROM %s WHERE %s = %s", rf, cols[i].sql, rc[k].sql)
	if w.IntN(3) == 0 {
		some, where = func(row) []row { return r.rows }, " FROM "+rf
	}
	if t.Kind != types.Boolean {
		for n, c := range rc {
			if c.t.Same(t) {
				return expression{"(SELECT MAX(" + c.sql + ")" + where + ")", t, func(x row) any { return extreme(some(x), n, 1) }}, true
			}
		}
		return expression{"(SELECT COUNT(*)" + where + ")", bigint, func(x row) any { return int64(len(some(x))) }}, t.Same(bigint)
	}
	op, word := []string{"=", "<>", "<", ">="}[w.IntN(4)], []string{"ALL", "ANY"}[w.IntN(2)]
	if cols[i].t.Kind == types.Boolean {
		op = "="
	}
	switch w.IntN(3) {
	case 0:
		return expression{"EXISTS (SELECT 1" + where + ")", boolean, func(x row) any { return len(some(x)) > 0 }}, true
	case 1:
		return expression{fmt.Sprintf("(%s IN (SELECT %s FROM %s))", cols[i].sql, rc[k].sql, rf), boolean,
			func(x row) any { return quantified("=", "ANY", x[i], r.rows, k) }}, true
	}
	return expression{fmt.Sprintf("(%s %s %s (SELECT %s FROM %s))", cols[i].sql, op, word, rc[k].sql, rf), boolean,
		func(x row) any { return quantified(op, word, x[i], r.rows, k) }}, true
}

// quantified compares a value with all of a column, or with any.
func quantified(op, word string, v any, rows []row, k int) any {
	all := any(true)
	for _, y := range rows {
		c := compared(op, v, y[k])
		if word == "ANY" {
			c = not(c)
		}
		all = and(all, c)
	}
	if word == "ANY" {
		return not(all)
	}
	return all
}
