package bind

import (
	"fmt"
	"strconv"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// query binds a query whose names may also mean columns of outer, when it is a subquery.
func (w *work) query(q syntax.Query, outer *scope) (result, error) {
	switch q := q.(type) {
	case *syntax.Select:
		r, _, err := w.selectBlock(q, outer)
		return r, err
	case *syntax.SetOp:
		return w.setOp(q, outer)
	case *syntax.Values:
		return w.values(q, outer)
	case *syntax.TableQuery:
		s := &scope{outer: outer}
		plan, err := w.table(q.Table, s)
		return result{plan, s.schema()}, err
	case *syntax.Ordered:
		return w.ordered(q, outer)
	case *syntax.With:
		return w.with(q, outer)
	}
	panic(fmt.Sprintf("bind: query %T", q))
}

// rename gives the plan's result the names of the text, made unique as Flink does: a, a0.
func rename(r result) logical.Plan {
	names := unique(r.schema.Names())
	same := true
	have := r.plan.Schema()
	for i, n := range names {
		same = same && have[i].Name == n
	}
	if same {
		return r.plan
	}
	if p, ok := r.plan.(*logical.Project); ok {
		return logical.NewProject(p.Input, p.Exprs, names)
	}
	return logical.NewProject(r.plan, columnsOf(r.plan.Schema()), names)
}

// columnsOf reads every column of a schema as it is.
func columnsOf(s logical.Schema) []expr.Expr {
	out := make([]expr.Expr, len(s))
	for i, c := range s {
		out[i] = &expr.Column{Index: i, Name: c.Name, T: c.Type}
	}
	return out
}

// unique appends numbers to names that occurred before.
func unique(names []string) []string {
	used := map[string]bool{}
	out := make([]string, len(names))
	for i, n := range names {
		name := n
		for k := 0; used[name]; k++ {
			name = n + strconv.Itoa(k)
		}
		used[name], out[i] = true, name
	}
	return out
}

// final checks what may be the result of a whole query.
func (w *work) final(q syntax.Node, s logical.Schema) error {
	for _, c := range s {
		if c.Type.Kind == types.Null {
			return illegalNull(q)
		}
	}
	return nil
}

func illegalNull(at syntax.Node) error {
	return failf(at, CodeType, "illegal use of NULL: its type is not known here").
		WithHint("write CAST(NULL AS type)")
}

// selectBlock binds one SELECT. The scope it returns is that of its FROM clause, for ORDER BY.
func (w *work) selectBlock(q *syntax.Select, outer *scope) (result, *scope, error) {
	s := &scope{outer: outer}
	plan, err := w.from(q.From, s)
	if err != nil {
		return result{}, nil, err
	}
	if err := w.windows(q, s); err != nil {
		return result{}, nil, err
	}
	if q.Where != nil {
		cond, err := w.condition(q.Where, s, "WHERE")
		if err != nil {
			return result{}, nil, err
		}
		plan = &logical.Filter{Input: plan, Cond: cond}
	}
	keys, err := w.groupBy(q, s)
	if err != nil {
		return result{}, nil, err
	}
	items, err := w.selectList(q.Items, s)
	if err != nil {
		return result{}, nil, err
	}
	if err := w.afterGrouping(q, s, keys, items); err != nil {
		return result{}, nil, err
	}
	if q.Distinct {
		w.lack(q, "SELECT DISTINCT", "")
	}
	exprs := make([]expr.Expr, len(items))
	names := make([]string, len(items))
	for i, it := range items {
		exprs[i], names[i] = it.e, it.name
	}
	project := w.project(plan, exprs, names)
	return result{project, project.Schema()}, s, nil
}

// project is a Project, or the input itself when that has the same columns under the same names.
func (w *work) project(input logical.Plan, exprs []expr.Expr, names []string) logical.Plan {
	in := input.Schema()
	if len(in) == len(exprs) && len(in) > 0 {
		same := true
		for i, e := range exprs {
			c, ok := e.(*expr.Column)
			same = same && ok && c.Index == i && in[i].Name == names[i]
		}
		if same {
			return input
		}
	}
	return logical.NewProject(input, exprs, names)
}

// item is one column of a select list.
type item struct {
	e    expr.Expr
	name string
	at   syntax.Expr
}

// selectList binds the items, stars spread out.
func (w *work) selectList(list []syntax.SelectItem, s *scope) ([]item, error) {
	var out []item
	for _, it := range list {
		if star, ok := it.Expr.(*syntax.Star); ok {
			more, err := w.star(star, s)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
			continue
		}
		e, err := w.expr(it.Expr, s)
		if err != nil {
			return nil, err
		}
		if e.Type().Kind == types.Null {
			return nil, illegalNull(it.Expr)
		}
		name := "EXPR$" + strconv.Itoa(len(out))
		if x, ok := it.Expr.(*syntax.Name); ok {
			name = x.Parts[len(x.Parts)-1].Name
		}
		if it.Alias != nil {
			name = it.Alias.Name
		}
		out = append(out, item{e, name, it.Expr})
	}
	return out, nil
}

// star spreads *, t.* and t.r.*.
func (w *work) star(star *syntax.Star, s *scope) ([]item, error) {
	var out []item
	if len(star.Qualifier) == 0 {
		if len(s.relations) == 0 {
			return nil, failf(star, CodeColumn, "SELECT * needs a FROM clause")
		}
		for i := range s.relations {
			out = append(out, s.relations[i].items(star)...)
		}
		return out, nil
	}
	if r := s.relation(star.Qualifier); r != nil {
		return r.items(star), nil
	}
	name := &syntax.Name{Span: star.Span, Parts: star.Qualifier}
	f, err := s.resolve(name)
	if err != nil {
		return nil, err
	}
	t := f.e.Type()
	if t.Kind != types.Row {
		return nil, failf(star, CodeType, "%s.* needs a ROW, but %s is %s", name, name, t.WithNull(true))
	}
	for i, field := range t.Fields {
		out = append(out, item{expr.NewField(f.e, i), field.Name, star})
	}
	return out, nil
}

// items are all columns of a table.
func (r *relation) items(at syntax.Expr) []item {
	var out []item
	for i, c := range r.schema {
		if !r.hidden[c.Name] {
			out = append(out, item{r.at(i), c.Name, at})
		}
	}
	return out
}

// condition binds an expression that must be a BOOLEAN.
func (w *work) condition(e syntax.Expr, s *scope, clause string) (expr.Expr, error) {
	inner := *s
	inner.clause = clause
	x, err := w.expr(e, &inner)
	if err != nil {
		return nil, err
	}
	switch x.Type().Kind {
	case types.Boolean:
		return x, nil
	case types.Null:
		return expr.Null(types.Of(types.Boolean)), nil
	}
	return nil, failf(e, CodeCondition, "%s must be a BOOLEAN, but this is %s", clause, typeText(x)).
		WithHint("compare it with something: %s <> …", shortText(x))
}

// with binds common tables and the query behind them.
func (w *work) with(q *syntax.With, outer *scope) (result, error) {
	before := w.ctes
	defer func() { w.ctes = before }()
	if q.Recursive {
		return result{}, syntax.NotSupported(q.Span, "WITH RECURSIVE", "")
	}
	for _, t := range q.Tables {
		r, err := w.query(t.Query, outer)
		if err != nil {
			return result{}, err
		}
		if len(t.Columns) > 0 {
			if len(t.Columns) != len(r.schema) {
				return result{}, failf(t.Name, CodeShape, "%s lists %d columns, but its query has %d",
					t.Name.Name, len(t.Columns), len(r.schema))
			}
			r.schema = renamed(r.schema, t.Columns)
		}
		w.ctes = append(w.ctes[:len(w.ctes):len(w.ctes)], commonTable{t.Name.Name, r})
	}
	return w.query(q.Body, outer)
}

func renamed(s logical.Schema, names []syntax.Ident) logical.Schema {
	out := append(logical.Schema(nil), s...)
	for i, n := range names {
		out[i].Name = n.Name
	}
	return out
}

// ordered binds ORDER BY, LIMIT and OFFSET.
func (w *work) ordered(q *syntax.Ordered, outer *scope) (result, error) {
	var r result
	var err error
	s := &scope{outer: outer}
	if block, ok := q.Body.(*syntax.Select); ok {
		r, s, err = w.selectBlock(block, outer)
	} else {
		r, err = w.query(q.Body, outer)
	}
	if err != nil {
		return result{}, err
	}
	if err := w.orderBy(q.OrderBy, r, s); err != nil {
		return result{}, err
	}
	for _, n := range []syntax.Expr{q.Limit, q.Offset} {
		if n == nil {
			continue
		}
		e, err := w.expr(n, &scope{})
		if err != nil {
			return result{}, err
		}
		if !e.Type().Kind.IsInteger() {
			return result{}, failf(n, CodeType, "LIMIT and OFFSET take an integer, not %s", typeText(e))
		}
	}
	switch {
	case len(q.OrderBy) > 0:
		w.lack(q.OrderBy[0], "ORDER BY", "")
	case q.Limit != nil:
		w.lack(q.Limit, "LIMIT", "")
	case q.Offset != nil:
		w.lack(q.Offset, "OFFSET", "")
	}
	return r, nil
}

// orderBy checks the sort keys: result columns by name or number, or expressions over the FROM clause.
func (w *work) orderBy(list []syntax.OrderItem, r result, s *scope) error {
	inner := *s
	inner.relations = append([]relation{{schema: r.schema}}, s.relations...)
	inner.aliases = map[string]expr.Expr{}
	for i, c := range r.schema {
		inner.aliases[c.Name] = &expr.Column{Index: i, Name: c.Name, T: c.Type}
	}
	for _, it := range list {
		if lit, ok := it.Expr.(*syntax.Literal); ok && lit.Kind == syntax.IntegerLiteral {
			n, err := strconv.Atoi(lit.Text)
			if err != nil || n < 1 || n > len(r.schema) {
				return failf(lit, CodeShape, "ORDER BY %s: the result has %d columns", lit.Text, len(r.schema))
			}
			continue
		}
		if _, err := w.expr(it.Expr, &inner); err != nil {
			return err
		}
	}
	return nil
}

// values binds VALUES: the columns have the common types of their rows.
func (w *work) values(q *syntax.Values, outer *scope) (result, error) {
	n := len(q.Rows[0].Items)
	s := &scope{outer: outer, clause: "VALUES"}
	rows := make([][]expr.Expr, len(q.Rows))
	schema := make(logical.Schema, n)
	for i, row := range q.Rows {
		if len(row.Items) != n {
			return result{}, failf(row, CodeShape, "rows of VALUES differ: this one has %d columns, the first %d",
				len(row.Items), n)
		}
		rows[i] = make([]expr.Expr, n)
		for k, it := range row.Items {
			e, err := w.expr(it, s)
			if err != nil {
				return result{}, err
			}
			if e.Type().Kind == types.Null {
				return result{}, illegalNull(it)
			}
			rows[i][k] = e
			if i == 0 {
				schema[k] = logical.Column{Name: "EXPR$" + strconv.Itoa(k), Type: e.Type()}
				continue
			}
			t, ok := types.Common(schema[k].Type, e.Type())
			if !ok {
				return result{}, failf(it, CodeType, "column %d of VALUES is %s in an earlier row, %s here",
					k+1, schema[k].Type.WithNull(true), typeText(e))
			}
			schema[k].Type = t
		}
	}
	for i, row := range q.Rows {
		for k := range rows[i] {
			e, err := w.coerce(rows[i][k], schema[k].Type, row.Items[k])
			if err != nil {
				return result{}, err
			}
			rows[i][k] = e
		}
	}
	plan := &logical.Values{Columns: schema, Rows: rows}
	return result{plan, schema}, nil
}

// setOp binds UNION, INTERSECT and EXCEPT. UNION ALL alone is built.
func (w *work) setOp(q *syntax.SetOp, outer *scope) (result, error) {
	left, err := w.query(q.Left, outer)
	if err != nil {
		return result{}, err
	}
	right, err := w.query(q.Right, outer)
	if err != nil {
		return result{}, err
	}
	name := [...]string{syntax.Union: "UNION", syntax.Intersect: "INTERSECT", syntax.Except: "EXCEPT"}[q.Op]
	if q.All {
		name += " ALL"
	}
	if len(left.schema) != len(right.schema) {
		return result{}, failf(q.Right, CodeShape, "%s joins queries of %d and %d columns",
			name, len(left.schema), len(right.schema))
	}
	want := make([]types.Type, len(left.schema))
	for i, l := range left.schema {
		t, ok := types.Common(l.Type, right.schema[i].Type)
		if !ok {
			return result{}, failf(q.Right, CodeType, "column %d of %s is %s on the left and %s on the right",
				i+1, name, l.Type.WithNull(true), right.schema[i].Type.WithNull(true)).WithHint("write a CAST")
		}
		want[i] = t
	}
	if q.Op != syntax.Union || !q.All {
		w.lack(q, name, "UNION ALL is")
	}
	l, err := w.coerceAll(left.plan, want, q.Left)
	if err != nil {
		return result{}, err
	}
	r, err := w.coerceAll(right.plan, want, q.Right)
	if err != nil {
		return result{}, err
	}
	inputs := []logical.Plan{l, r}
	if u, ok := l.(*logical.Union); ok {
		inputs = append(append([]logical.Plan(nil), u.List...), r)
	}
	u := logical.NewUnion(inputs)
	for i := range u.Columns {
		u.Columns[i].Name = left.schema[i].Name
	}
	return result{u, u.Columns}, nil
}

// coerceAll casts the columns of a plan to the given types where they differ.
func (w *work) coerceAll(p logical.Plan, want []types.Type, at syntax.Node) (logical.Plan, error) {
	s := p.Schema()
	exprs := columnsOf(s)
	changed := false
	for i := range exprs {
		if exprs[i].Type().Same(want[i]) {
			continue
		}
		e, err := w.coerce(exprs[i], want[i], at)
		if err != nil {
			return nil, err
		}
		exprs[i], changed = e, true
	}
	if !changed {
		return p, nil
	}
	return logical.NewProject(p, exprs, s.Names()), nil
}
