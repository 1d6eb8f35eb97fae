package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// Insert binds an INSERT of the statement text. The plan is a sink.
func (b *Binder) Insert(i *syntax.Insert, text string) (logical.Plan, error) {
	w := b.work(text)
	p, err := w.insert(i)
	if err != nil {
		return nil, err
	}
	if w.missing != nil {
		return nil, w.missing
	}
	return p, w.bounded(i, p)
}

func (w *work) insert(i *syntax.Insert) (logical.Plan, error) {
	t, err := w.find(i.Target)
	if err != nil {
		return nil, err
	}
	if t.IsView() {
		return nil, failf(i.Target, CodeInsert, "%s is a view and cannot be written to", t.Name.Object).
			WithHint("INSERT INTO a table; CREATE TABLE … AS SELECT * FROM %s makes one of the view's rows", t.Name.Object)
	}
	if i.Upsert {
		return nil, failf(i, CodeStatement, "UPSERT INTO does not run, in Flink either").
			WithHint("INSERT INTO a table with a primary key replaces its rows")
	}
	if t, err = w.withHints(t, i.Hints); err != nil {
		return nil, err
	}
	r, err := w.query(i.Query, nil)
	if err != nil {
		return nil, err
	}
	if err := w.final(i.Query, r.schema); err != nil {
		return nil, err
	}
	target := t.Persisted()
	if i.ByName != (syntax.Span{}) {
		i = w.byName(i, r)
	}
	from, err := w.targets(i, t, target, r)
	if err != nil {
		return nil, err
	}
	exprs, err := w.fit(i, t, target, from)
	if err != nil {
		return nil, err
	}
	if err := w.usable(t, i.Target, true); err != nil {
		return nil, err
	}
	if i.Overwrite && w.cat.Settings().Mode == "STREAMING" {
		return nil, failf(i, CodeInsert, "INSERT OVERWRITE is for batch mode").
			WithHint("SET 'execution.runtime-mode' = 'BATCH'")
	}
	return w.sink(i, t, target, r.plan, exprs), nil
}

// byName gives an INSERT .. BY NAME the names of its query's columns as its column list. An error about one of them is at
// the words.
func (w *work) byName(i *syntax.Insert, r result) *syntax.Insert {
	named := *i
	var names []string
	for _, c := range r.schema {
		named.Columns = append(named.Columns, syntax.TargetColumn{Span: i.ByName, Parts: []syntax.Ident{{Span: i.ByName, Name: c.Name}}})
		names = append(names, c.Name)
	}
	w.rewrite(i.ByName, asText("("+quotedNames(names)+")"))
	return &named
}

// sink projects the query to the target's columns and puts the sink on top.
func (w *work) sink(i *syntax.Insert, t *catalog.Table, target []catalog.Column, in logical.Plan, exprs []expr.Expr) logical.Plan {
	s := &logical.Sink{Table: t, Overwrite: i.Overwrite, Static: make([]expr.Expr, len(target))}
	names := make([]string, len(target))
	for k, c := range target {
		names[k] = c.Name
		s.Columns = append(s.Columns, logical.Column{Name: c.Name, Type: c.Type})
		for _, p := range i.Partition {
			if p.Name.Name == c.Name && p.Value != nil {
				s.Static[k] = exprs[k]
			}
		}
		if c.Type.NotNull && exprs[k].Type().Nullable() {
			s.Required, s.RequiredAt = append(s.Required, k), append(s.RequiredAt, w.offsets(placeOf(i, target, k)))
		}
	}
	s.Input = w.project(in, exprs, names)
	return s
}

// targets finds what each column of the target is filled with: a column of the query, the value of a
// static partition, or nil for NULL.
func (w *work) targets(i *syntax.Insert, t *catalog.Table, target []catalog.Column, r result) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(target))
	static, err := w.staticPartition(i, t, target, out)
	if err != nil {
		return nil, err
	}
	var order []int
	if len(i.Columns) == 0 {
		for k := range target {
			if !static[k] {
				order = append(order, k)
			}
		}
	} else if order, err = w.targetColumns(i, t, target, static); err != nil {
		return nil, err
	}
	if len(order) != len(r.schema) {
		return nil, w.mismatched(i, t, target, r, order)
	}
	columns := columnsOf(r.plan.Schema())
	for k, at := range order {
		out[at] = columns[k]
	}
	return out, nil
}

// targetColumns are the positions of an INSERT's column list.
func (w *work) targetColumns(i *syntax.Insert, t *catalog.Table, target []catalog.Column, static []bool) ([]int, error) {
	var order []int
	taken := make([]bool, len(target))
	for _, c := range i.Columns {
		if len(c.Parts) > 1 {
			return nil, syntax.NotSupported(c.Span, "fields of a ROW in the column list", "insert the whole ROW")
		}
		name := c.Parts[0].Name
		at := -1
		names := make([]string, len(target))
		for k, tc := range target {
			names[k] = tc.Name
			if tc.Name == name {
				at = k
			}
		}
		switch {
		case at < 0 && t.Column(name) >= 0:
			return nil, failf(c, CodeInsert, "column '%s' is computed and cannot be written to", name).
				WithHint("leave it out; columns: %s", strings.Join(names, ", "))
		case at < 0:
			return nil, failf(c, CodeColumn, "column '%s' not found in %s", name, t.Name.Object).
				WithHint("%s", suggest(name, "columns", names))
		case taken[at]:
			return nil, failf(c, CodeDuplicate, "column '%s' stands twice in the list", name).
				WithHint("leave one of them out")
		case static[at]:
			return nil, failf(c, CodeInsert, "column '%s' has its value in PARTITION already", name).
				WithHint("leave it out of the list, or out of PARTITION")
		}
		taken[at] = true
		order = append(order, at)
	}
	return order, nil
}

// staticPartition fills in the columns of PARTITION (k = v).
func (w *work) staticPartition(i *syntax.Insert, t *catalog.Table, target []catalog.Column, out []expr.Expr) ([]bool, error) {
	static := make([]bool, len(target))
	for _, p := range i.Partition {
		at := -1
		for k, c := range target {
			if c.Name == p.Name.Name {
				at = k
			}
		}
		isKey := false
		for _, k := range t.PartitionKeys {
			isKey = isKey || k == p.Name.Name
		}
		if at < 0 || !isKey {
			return nil, failf(p.Name, CodeColumn, "'%s' is no partition column of %s", p.Name.Name, t.Name.Object).
				WithHint("%s", suggest(p.Name.Name, "partition columns", t.PartitionKeys))
		}
		if p.Value == nil {
			continue
		}
		e, err := w.expr(p.Value, &scope{})
		if err != nil {
			return nil, err
		}
		if e, err = w.coerce(e, target[at].Type, p.Value); err != nil {
			return nil, err
		}
		out[at], static[at] = e, true
	}
	return static, nil
}

// fit casts what goes into the columns to their types, where INSERT may.
func (w *work) fit(i *syntax.Insert, t *catalog.Table, target []catalog.Column, from []expr.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(target))
	for k, c := range target {
		switch {
		case from[k] == nil && c.Type.NotNull:
			return nil, failf(i.Target, CodeInsert, "column '%s' of %s is NOT NULL and gets no value", c.Name, t.Name.Object).
				WithHint("list it too, INSERT INTO %s (…, %s), and give it a value", t.Name.Object, c.Name)
		case from[k] == nil:
			out[k] = expr.Null(c.Type)
			continue
		case !types.CanStore(from[k].Type(), c.Type):
			return nil, w.mismatchedType(i, t, c, k, from[k])
		}
		e, err := w.coerce(w.checkedLength(w.trimmed(from[k], c.Type), c.Type, placeOf(i, target, k)), c.Type, i.Query)
		if err != nil {
			return nil, err
		}
		out[k] = e
	}
	return out, nil
}

// trimmed widens a text that is declared as its target is, where texts may be longer than declared and
// sinks are told to cut and pad: the cast back does that.
func (w *work) trimmed(e expr.Expr, t types.Type) expr.Expr {
	wide := widest(t)
	if w.cat.Settings().TypeLength != "TRIM_PAD" || !e.Type().Same(t) || t.Same(wide) {
		return e
	}
	out, err := w.castTo(e, wide, false, syntax.Span{})
	if err != nil {
		panic("bind: " + err.Error())
	}
	return out
}

// checkedLength makes texts that are longer than declared fail, where sinks are told so. Others are cut by the cast.
func (w *work) checkedLength(e expr.Expr, t types.Type, at syntax.Node) expr.Expr {
	if w.cat.Settings().TypeLength != "ERROR" || !e.Type().Same(t) || t.Same(widest(t)) {
		return e
	}
	return &expr.Call{Fn: function.Fits, List: []expr.Expr{e}, T: e.Type(), Pos: w.posOf(at)}
}

// widest is the type of all texts, of all binary values, or of those of t.
func widest(t types.Type) types.Type {
	switch {
	case t.Kind.IsText():
		return types.String()
	case t.Kind.IsBinary():
		return types.Bytes()
	}
	return t
}

func (w *work) mismatchedType(i *syntax.Insert, t *catalog.Table, c catalog.Column, k int, e expr.Expr) error {
	hint := "write CAST(… AS " + c.Type.WithNull(true).String() + ")"
	if c.Type.Kind == types.Variant {
		hint = "write PARSE_JSON(…), or JSON_OBJECT and JSON_ARRAY in it for what is no text"
	}
	return failf(placeOf(i, t.Persisted(), k), CodeInsert, "column %d, '%s' of %s, is %s, and the query gives %s", k+1, c.Name, t.Name.Object,
		c.Type.WithNull(true), typeText(e)).WithHint("%s", hint)
}

func (w *work) mismatched(i *syntax.Insert, t *catalog.Table, target []catalog.Column, r result, order []int) error {
	want := make([]string, len(order))
	for k, at := range order {
		want[k] = target[at].Name + " " + briefType(target[at].Type)
	}
	have := make([]string, len(r.schema))
	for k, c := range r.schema {
		have[k] = c.Name + " " + briefType(c.Type)
	}
	return failf(i.Query, CodeInsert, "the query has %d columns, %s takes %d", len(r.schema), t.Name.Object, len(order)).
		WithHint("query: (%s)  table: (%s)", strings.Join(have, ", "), strings.Join(want, ", "))
}

// briefType leaves out what is inside a composite type.
func briefType(t types.Type) string {
	if t.Kind.IsComposite() {
		return t.Kind.String()
	}
	return t.WithNull(true).String()
}
