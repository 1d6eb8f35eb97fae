package logic

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"streamsql/exec/types"
)

// query is SQL with columns c0, c1 … and the rows that plain loops make of it.
type query struct {
	sql  string
	cols []column
	rows []row
}

// writer makes random queries over tables.
type writer struct {
	*rand.Rand
	tables  []*table
	aliases int
	windows bool // some query goes by event time, which is of rows that stay
	stream  bool // some query is of sessions, which are of streams only
}

// most is how many rows a query may have, that joins of joins stay small.
const most = 150

// named gives columns their names, behind an alias where there is one.
func named(cols []column, alias string) []column {
	out := make([]column, len(cols))
	for i, c := range cols {
		out[i] = column{fmt.Sprint(alias, "c", i), c.t}
	}
	return out
}

// from is a query in FROM, and its columns there.
func (w *writer) from(q query) (sql string, cols []column) {
	w.aliases++
	alias := fmt.Sprint("q", w.aliases)
	return "(" + q.sql + ") AS " + alias, named(q.cols, alias+".")
}

// list writes columns as c0, c1 …
func list(cols []column) string {
	parts := make([]string, len(cols))
	for i, c := range cols {
		parts[i] = fmt.Sprintf("%s AS c%d", c.sql, i)
	}
	return strings.Join(parts, ", ")
}

func (w *writer) query(depth int) query {
	if depth <= 0 || w.IntN(8) == 0 {
		return w.base()
	}
	q := w.over(w.query(depth-1), depth-1)
	if len(q.rows) > most {
		return w.base()
	}
	return q
}

// over makes a query of another, or of a table where that goes by event time.
func (w *writer) over(q query, depth int) query {
	switch w.IntN(25) {
	case 0:
		return w.filter(q)
	case 1:
		return w.project(q, someTypes(w.Rand))
	case 2, 3, 4:
		return w.join(q, w.query(depth))
	case 5, 6:
		return w.semi(q, w.query(depth))
	case 7, 8:
		return w.group(q)
	case 9, 10:
		return w.set(q, w.query(depth))
	case 11:
		return w.first(q)
	case 12, 13:
		return w.running(q)
	case 14, 15:
		return w.nested(q)
	case 16:
		return w.elements(q)
	case 17, 18:
		return w.lateral(q, w.query(depth))
	case 19, 20, 21, 22, 23:
		return w.byTime()
	}
	return w.limit(q)
}

// byTime is a query of tables by their event time.
func (w *writer) byTime() query {
	makers := []func() query{w.window, w.window, w.windowFirst, w.groupWindow, w.interval, w.temporal, w.deduplicated,
		w.windowJoin, w.frame}
	return makers[w.IntN(len(makers))]()
}

// base is some columns of a table.
func (w *writer) base() query {
	t := w.tables[w.IntN(len(w.tables))]
	at := []int{1, 0}[:1+w.IntN(2)]
	for i := 3; i < len(t.cols); i++ {
		if w.IntN(3) > 0 {
			at = append(at, i)
		}
	}
	q := query{}
	for _, i := range at {
		q.cols = append(q.cols, t.cols[i])
	}
	q.sql = "SELECT " + list(q.cols) + " FROM " + t.name
	for _, x := range t.rows {
		var out row
		for _, i := range at {
			out = append(out, x[i])
		}
		q.rows = append(q.rows, out)
	}
	q.cols = named(q.cols, "")
	return q
}

func (w *writer) filter(q query) query {
	from, cols := w.from(q)
	p := w.where(cols)
	out := query{sql: "SELECT " + list(cols) + " FROM " + from + " WHERE " + p.sql, cols: q.cols}
	for _, x := range q.rows {
		if p.at(x) == true {
			out.rows = append(out.rows, x)
		}
	}
	return out
}

// where is a condition on rows, which holds queries now and then.
func (w *writer) where(cols []column) expression {
	m := &maker{Rand: w.Rand, cols: cols}
	if w.IntN(2) == 0 {
		m.more = func(t types.Type) (expression, bool) { return w.subquery(cols, t) }
	}
	return m.of(boolean, 3)
}

// project makes columns of the types.
func (w *writer) project(q query, want []types.Type) query {
	from, cols := w.from(q)
	m, list := &maker{Rand: w.Rand, cols: cols}, []string(nil)
	out := query{rows: make([]row, len(q.rows))}
	for i, t := range want {
		e := m.of(t, w.IntN(3))
		list = append(list, fmt.Sprintf("%s AS c%d", e.sql, i))
		out.cols = append(out.cols, column{fmt.Sprint("c", i), t})
		for k, x := range q.rows {
			out.rows[k] = append(out.rows[k], e.at(x))
		}
	}
	out.sql = "SELECT " + strings.Join(list, ", ") + " FROM " + from
	return out
}

// pair is a column of each side with one type.
func (w *writer) pair(l, r []column) (i, k int, ok bool) {
	for range 20 {
		i, k = w.IntN(len(l)), w.IntN(len(r))
		if l[i].t.Same(r[k].t) {
			return i, k, true
		}
	}
	return 0, 0, false
}

// condition is an equality of the sides, and now and then more.
func (w *writer) condition(l, r []column) (p expression, ok bool) {
	i, k, ok := w.pair(l, r)
	if !ok {
		return p, false
	}
	p = expression{fmt.Sprintf("%s = %s", l[i].sql, r[k].sql), boolean, func(x row) any { return compared("=", x[i], x[len(l)+k]) }}
	if w.IntN(2) == 0 {
		both := p
		more := (&maker{Rand: w.Rand, cols: slices.Concat(l, r)}).of(boolean, 2)
		p = expression{both.sql + " AND " + more.sql, boolean, func(x row) any { return and(both.at(x), more.at(x)) }}
	}
	return p, true
}

// join is one of any kind.
func (w *writer) join(l, r query) query {
	lf, lc := w.from(l)
	rf, rc := w.from(r)
	on, ok := w.condition(lc, rc)
	if !ok {
		return l
	}
	kind := joinKinds[w.IntN(4)]
	cols := slices.Concat(lc, rc)
	out := query{cols: named(cols, ""), sql: "SELECT " + list(cols) + " FROM " + lf + " " + kind + " " + rf + " ON " + on.sql}
	out.rows = joined(kind, l.rows, r.rows, len(lc), len(rc), func(x row) bool { return on.at(x) == true })
	return w.narrow(out)
}

// narrow keeps a few columns.
func (w *writer) narrow(q query) query {
	if len(q.cols) < 6 {
		return q
	}
	from, cols := w.from(q)
	at := w.Perm(len(cols))[:4]
	var own []column
	out := query{rows: make([]row, len(q.rows))}
	for _, i := range at {
		own = append(own, cols[i])
		for k := range q.rows {
			out.rows[k] = append(out.rows[k], q.rows[k][i])
		}
	}
	out.sql, out.cols = "SELECT "+list(own)+" FROM "+from, named(own, "")
	return out
}

// semi is IN, EXISTS, or a comparison with the maximum, and what is not so.
func (w *writer) semi(l, r query) query {
	lf, lc := w.from(l)
	rf, rc := w.from(r)
	i, k, ok := w.pair(lc, rc)
	if !ok {
		return l
	}
	yes := w.IntN(2) == 0
	word := map[bool]string{true: "", false: "NOT "}[yes]
	var p expression
	switch w.IntN(3) {
	case 0:
		p = expression{fmt.Sprintf("%s %sIN (SELECT %s FROM %s)", lc[i].sql, word, rc[k].sql, rf), boolean, func(x row) any {
			in := any(false)
			for _, y := range r.rows {
				in = not(and(not(in), not(compared("=", x[i], y[k]))))
			}
			return in
		}}
	case 1:
		on, ok := w.condition(lc, rc)
		if !ok {
			return l
		}
		p = expression{fmt.Sprintf("%sEXISTS (SELECT 1 FROM %s WHERE %s)", word, rf, on.sql), boolean, func(x row) any {
			return slices.ContainsFunc(r.rows, func(y row) bool { return on.at(slices.Concat(x, y)) == true })
		}}
	default:
		if rc[k].t.Kind == types.Boolean {
			return l
		}
		yes = true
		best := extreme(r.rows, k, 1)
		p = expression{fmt.Sprintf("%s = (SELECT MAX(%s) FROM %s)", lc[i].sql, rc[k].sql, rf), boolean, func(x row) any { return compared("=", x[i], best) }}
	}
	out := query{cols: l.cols, sql: "SELECT " + list(lc) + " FROM " + lf + " WHERE " + p.sql}
	for _, x := range l.rows {
		if v := p.at(x); v == yes {
			out.rows = append(out.rows, x)
		}
	}
	return out
}

// extreme is the most of a column, or the least.
func extreme(rows []row, k, way int) (best any) {
	for _, x := range rows {
		if x[k] != nil && (best == nil || compare(x[k], best) == way) {
			best = x[k]
		}
	}
	return best
}

// set is a set operation.
func (w *writer) set(l, r query) query {
	var want []types.Type
	for _, c := range l.cols {
		want = append(want, c.t)
	}
	r = w.project(r, want)
	op := []string{"UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"}[w.IntN(6)]
	lf, lc := w.from(l)
	out := query{cols: l.cols, sql: "SELECT " + list(lc) + " FROM " + lf + " " + op + " " + r.sql}
	key := func(x row) string { return lines(l.cols, []row{x})[0] }
	seen, there := map[string]bool{}, map[string]int{}
	for _, y := range r.rows {
		there[key(y)]++
	}
	all := slices.Clone(l.rows)
	if strings.HasPrefix(op, "UNION") {
		all = append(all, r.rows...)
	}
	for _, x := range all {
		k := key(x)
		keep := !seen[k] && (op == "UNION" || there[k] > 0 == (op == "INTERSECT"))
		if strings.HasSuffix(op, " ALL") {
			keep = op == "UNION ALL" || there[k] > 0 == (op == "INTERSECT ALL")
			there[k]--
		}
		if seen[k] = true; keep {
			out.rows = append(out.rows, x)
		}
	}
	return out
}

// aggregate is a call, what it gives, and its value for the rows of a group.
type aggregate struct {
	sql string
	t   types.Type
	of  func(rows []row) any
}

func (w *writer) aggregate(cols []column) aggregate {
	k := w.IntN(len(cols))
	c := cols[k]
	numeric := c.t.Kind == types.Int || c.t.Kind == types.BigInt || c.t.Kind == types.Decimal && c.t.Precision < 38
	switch n := w.IntN(6); {
	case n == 0:
		return aggregate{"COUNT(*)", bigint, func(rows []row) any { return int64(len(rows)) }}
	case n == 1:
		return aggregate{"COUNT(" + c.sql + ")", bigint, func(rows []row) any { return int64(len(valid(rows, k))) }}
	case n == 2:
		return aggregate{"COUNT(DISTINCT " + c.sql + ")", bigint, func(rows []row) any {
			seen := map[string]bool{}
			for _, v := range valid(rows, k) {
				seen[cell(c.t, v)] = true
			}
			return int64(len(seen))
		}}
	case n == 3 && numeric:
		return aggregate{"SUM(" + c.sql + ")", sumType(c.t), func(rows []row) any { return sum(c.t, valid(rows, k)) }}
	case c.t.Kind == types.Boolean:
		return aggregate{"COUNT(" + c.sql + ")", bigint, func(rows []row) any { return int64(len(valid(rows, k))) }}
	case n == 4:
		return aggregate{"MIN(" + c.sql + ")", c.t, func(rows []row) any { return extreme(rows, k, -1) }}
	}
	return aggregate{"MAX(" + c.sql + ")", c.t, func(rows []row) any { return extreme(rows, k, 1) }}
}

func valid(rows []row, k int) (out []any) {
	for _, x := range rows {
		if x[k] != nil {
			out = append(out, x[k])
		}
	}
	return out
}

func sumType(t types.Type) types.Type {
	if t.Kind == types.Decimal {
		return types.DecimalOf(38, t.Scale)
	}
	return t
}

func sum(t types.Type, values []any) any {
	if len(values) == 0 {
		return nil
	}
	if t.Kind == types.Decimal {
		total := new(big.Int)
		for _, v := range values {
			total.Add(total, v.(*big.Int))
		}
		return fit(total, t.Scale, sumType(t))
	}
	var total int64
	for _, v := range values {
		total += v.(int64)
	}
	return wrap(t, total)
}

// groups divides rows by columns, in the order in which groups come.
func groups(cols []column, rows []row, by []int) (out [][]row) {
	at := map[string]int{}
	for _, x := range rows {
		var key []string
		for _, i := range by {
			key = append(key, cell(cols[i].t, x[i]))
		}
		k, ok := at[strings.Join(key, "\t")]
		if !ok {
			k = len(out)
			at[strings.Join(key, "\t")] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], x)
	}
	return out
}
