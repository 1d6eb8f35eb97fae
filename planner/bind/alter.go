package bind

import (
	"slices"
	"strings"

	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// alterTable puts a changed copy in a table's place, once the copy is found to be right.
func (w *work) alterTable(s *syntax.AlterTable) (*Result, error) {
	old := w.cat.Table(w.fullName(s.Name))
	if old == nil {
		if s.IfExists {
			return nil, nil
		}
		_, err := w.find(s.Name)
		return nil, err
	}
	if old.IsView() {
		return nil, failf(s.Name, CodeDefinition, "%s is a view; ALTER TABLE takes a table", old.Name.Object).
			WithHint("ALTER VIEW %s", old.Name.Object)
	}
	t := *old
	t.Columns = slices.Clone(old.Columns)
	t.PrimaryKey, t.PartitionKeys = slices.Clone(old.PrimaryKey), slices.Clone(old.PartitionKeys)
	t.Options = slices.Clone(old.Options)
	if r, ok := s.Action.(*syntax.AlterRename); ok {
		return nil, w.rename(&t, old, r.To)
	}
	if err := w.alterAction(&t, s); err != nil {
		return nil, err
	}
	if err := w.detached().complete(&t); err != nil {
		return nil, position(inside(err, "the table after this"), s.Action, CodeDefinition)
	}
	w.cat.Put(&t)
	return &Result{Warnings: w.connectorWarnings(&t)}, nil
}

// rename moves a table or a view to another name in its database.
func (w *work) rename(t, old *catalog.Table, to syntax.Path) error {
	n := old.Name
	n.Object = to.Last()
	if len(to.Parts) > 1 {
		n = w.fullName(to)
	}
	if n.Catalog != old.Name.Catalog || n.Database != old.Name.Database {
		return failf(to, CodeDefinition, "a table stays in its database when it is renamed").
			WithHint("write RENAME TO %s, or CREATE it in the other database", n.Object)
	}
	if have := w.cat.Table(n); have != nil {
		e := failf(to, CodeExists, "a table or view '%s' exists already", n.Object)
		if n == old.Name {
			return e.WithHint("that is its name now; give another one")
		}
		kind := syntax.TableObject
		if have.IsView() {
			kind = syntax.ViewObject
		}
		return e.WithHint("DROP %s %s first, or give another name", kind, n.Object)
	}
	t.Name = n
	w.cat.Drop(old)
	w.cat.Put(t)
	return nil
}

func (w *work) alterAction(t *catalog.Table, s *syntax.AlterTable) error {
	switch a := s.Action.(type) {
	case *syntax.AlterAdd:
		return w.alterAdd(t, a)
	case *syntax.AlterModify:
		return w.alterModify(t, a)
	case *syntax.AlterDropColumns:
		return w.alterDrop(t, a)
	case *syntax.AlterRenameColumn:
		return w.alterRenameColumn(t, a)
	case *syntax.AlterDropConstraint:
		if len(t.PrimaryKey) == 0 || (a.Name != nil && a.Name.Name != t.KeyName && a.Name.Name != defaultKeyName(t)) {
			e := failf(a, CodeDefinition, "%s has no such constraint", t.Name.Object)
			if len(t.PrimaryKey) == 0 {
				return e.WithHint("it has no primary key: ADD PRIMARY KEY (…) NOT ENFORCED")
			}
			return e.WithHint("DROP PRIMARY KEY takes the only one, PRIMARY KEY (%s)", strings.Join(t.PrimaryKey, ", "))
		}
		t.PrimaryKey, t.KeyName = nil, ""
		return nil
	case *syntax.AlterDropWatermark:
		if t.Watermark == nil {
			return failf(a, CodeDefinition, "%s has no WATERMARK", t.Name.Object).WithHint("ADD WATERMARK FOR … adds one")
		}
		t.Watermark = nil
		return nil
	case *syntax.AlterDropDistribution:
		if t.Distribution == nil {
			return failf(a, CodeDefinition, "%s is not distributed", t.Name.Object).WithHint("ADD DISTRIBUTION … distributes it")
		}
		t.Distribution = nil
		return nil
	case *syntax.AlterSetOptions:
		t.Options = t.WithOptions(pairs(a.Options)).Options
		return nil
	case *syntax.AlterResetOptions:
		if len(a.Keys) == 0 {
			return failf(a, CodeDefinition, "RESET takes at least one key").
				WithHint("%s", "RESET ('key', …); "+suggest("", "options", optionKeys(t)))
		}
		t.Options = slices.DeleteFunc(t.Options, func(o catalog.Option) bool { return slices.Contains(a.Keys, o.Key) })
		return nil
	}
	if len(t.PartitionKeys) == 0 {
		return notPartitioned(s.Action, t)
	}
	return syntax.NotSupported(s.Action.At(), "partitions of this table", "")
}

// notPartitioned refuses what is about the partitions of a table without any.
func notPartitioned(at syntax.Node, t *catalog.Table) error {
	e := failf(at, CodeDefinition, "%s is not partitioned", t.Name.Object)
	if t.IsView() {
		return e.WithHint("a view has no partitions; name the table that it reads")
	}
	return e.WithHint("PARTITIONED BY (…) behind the columns in CREATE TABLE partitions a table, and INSERT INTO fills the partitions")
}

func optionKeys(t *catalog.Table) []string {
	out := make([]string, len(t.Options))
	for i, o := range t.Options {
		out[i] = o.Key
	}
	return out
}

// defaultKeyName is how Flink names a primary key without a name.
func defaultKeyName(t *catalog.Table) string {
	name := "PK"
	for _, k := range t.PrimaryKey {
		name += "_" + k
	}
	return name
}

func (w *work) alterAdd(t *catalog.Table, a *syntax.AlterAdd) error {
	for _, d := range a.Columns {
		c, err := w.column(d)
		if err != nil {
			return err
		}
		if t.Column(c.Name) >= 0 {
			return failf(d.Name, CodeDuplicate, "column '%s' exists already in %s", c.Name, t.Name.Object).
				WithHint("MODIFY %s … changes it", c.Name)
		}
		if err := place(t, c, d.Place, len(t.Columns)); err != nil {
			return err
		}
	}
	switch {
	case len(a.Watermarks) > 0 && t.Watermark != nil:
		return failf(a.Watermarks[0], CodeDuplicate, "%s has a WATERMARK already", t.Name.Object).WithHint("MODIFY WATERMARK FOR …")
	case len(a.Constraints) > 0 && len(t.PrimaryKey) > 0:
		return failf(a.Constraints[0], CodeDuplicate, "%s has a primary key already", t.Name.Object).WithHint("MODIFY PRIMARY KEY …")
	case a.Distributed != nil && t.Distribution != nil:
		return failf(a.Distributed, CodeDuplicate, "%s is distributed already", t.Name.Object).WithHint("MODIFY DISTRIBUTION …")
	}
	return w.alterClauses(t, a.Watermarks, a.Constraints, a.Distributed)
}

func (w *work) alterModify(t *catalog.Table, a *syntax.AlterModify) error {
	for _, d := range a.Columns {
		at := t.Column(d.Name.Name)
		if at < 0 {
			return failf(d.Name, CodeColumn, "column '%s' not found in %s", d.Name.Name, t.Name.Object).
				WithHint("%s", suggest(d.Name.Name, "columns", t.ColumnNames()))
		}
		c, err := w.column(d)
		if err != nil {
			return err
		}
		if slices.Contains(t.PrimaryKey, c.Name) {
			c.Type.NotNull = true
		}
		t.Columns = slices.Delete(t.Columns, at, at+1)
		if err := place(t, c, d.Place, at); err != nil {
			return err
		}
	}
	switch {
	case len(a.Watermarks) > 0 && t.Watermark == nil:
		return failf(a.Watermarks[0], CodeDefinition, "%s has no WATERMARK", t.Name.Object).WithHint("ADD WATERMARK FOR …")
	case len(a.Constraints) > 0 && len(t.PrimaryKey) == 0:
		return failf(a.Constraints[0], CodeDefinition, "%s has no primary key", t.Name.Object).WithHint("ADD PRIMARY KEY …")
	case a.Distributed != nil && t.Distribution == nil:
		return failf(a.Distributed, CodeDefinition, "%s is not distributed", t.Name.Object).WithHint("ADD DISTRIBUTION …")
	}
	return w.alterClauses(t, a.Watermarks, a.Constraints, a.Distributed)
}

func (w *work) alterClauses(t *catalog.Table, marks []syntax.WatermarkDef, keys []syntax.Constraint, d *syntax.Distribution) error {
	if err := w.watermarks(t, marks); err != nil {
		return err
	}
	if err := w.constraints(t, keys); err != nil {
		return err
	}
	return w.distribution(t, d)
}

// place inserts a column where FIRST or AFTER says, or at a given position.
func place(t *catalog.Table, c catalog.Column, p syntax.ColumnPlace, at int) error {
	switch {
	case p.First:
		at = 0
	case p.After != nil:
		k := t.Column(p.After.Name)
		if k < 0 {
			return failf(p.After, CodeColumn, "column '%s' not found in %s", p.After.Name, t.Name.Object).
				WithHint("%s", suggest(p.After.Name, "columns", t.ColumnNames()))
		}
		at = k + 1
	}
	t.Columns = slices.Insert(t.Columns, at, c)
	return nil
}

func (w *work) alterDrop(t *catalog.Table, a *syntax.AlterDropColumns) error {
	for _, path := range a.Columns {
		name := (&syntax.Name{Parts: path}).String()
		at := t.Column(name)
		if len(path) > 1 || at < 0 {
			return failf(path[0], CodeColumn, "column '%s' not found in %s", name, t.Name.Object).
				WithHint("%s", suggest(name, "columns", t.ColumnNames()))
		}
		t.Columns = slices.Delete(t.Columns, at, at+1)
	}
	for _, path := range a.Columns {
		name := path[0].Name
		if use, hint := w.user(t, name); use != "" {
			return failf(path[0], CodeInUse, "column '%s' is used by %s", name, use).WithHint("%s", hint)
		}
	}
	return nil
}

// user tells what in a table refers to a column, or "", and what to do to drop the column.
func (w *work) user(t *catalog.Table, name string) (use, hint string) {
	drop := "ALTER TABLE " + t.Name.Object + " DROP "
	switch {
	case slices.Contains(t.PrimaryKey, name):
		return "the primary key", drop + "PRIMARY KEY first"
	case slices.Contains(t.PartitionKeys, name):
		return "PARTITIONED BY", "CREATE TABLE anew, PARTITIONED BY other columns or none"
	case t.Distribution != nil && slices.Contains(t.Distribution.Columns, name):
		return "DISTRIBUTED BY", drop + "DISTRIBUTION first"
	case t.Watermark != nil && (t.Watermark.Column == name || mentions(t.Watermark.Expr, name)):
		return "the WATERMARK", drop + "WATERMARK first"
	}
	for _, c := range t.Columns {
		if c.Kind == syntax.Computed && mentions(c.Expr, name) {
			return "the computed column " + c.Name, drop + "(" + name + ", " + c.Name + ") drops both"
		}
	}
	return "", ""
}

// mentions tells that an expression reads a column.
func mentions(e syntax.Expr, name string) bool {
	found := false
	walk(e, func(x syntax.Expr) {
		if n, ok := x.(*syntax.Name); ok && n.Parts[0].Name == name {
			found = true
		}
	})
	return found
}

func (w *work) alterRenameColumn(t *catalog.Table, a *syntax.AlterRenameColumn) error {
	name := (&syntax.Name{Parts: a.From}).String()
	at := t.Column(name)
	if len(a.From) > 1 || at < 0 {
		return failf(a.From[0], CodeColumn, "column '%s' not found in %s", name, t.Name.Object).
			WithHint("%s", suggest(name, "columns", t.ColumnNames()))
	}
	if t.Column(a.To.Name) >= 0 {
		e := failf(a.To, CodeDuplicate, "column '%s' exists already in %s", a.To.Name, t.Name.Object)
		if a.To.Name == name {
			return e.WithHint("that is its name now; give another one")
		}
		return e.WithHint("RENAME that one first, or give another name")
	}
	for _, c := range t.Columns {
		if c.Kind == syntax.Computed && mentions(c.Expr, name) {
			return failf(a.From[0], CodeInUse, "column '%s' is used by the computed column %s", name, c.Name).
				WithHint("DROP %s first, and ADD %[1]s AS … with the new name behind it", c.Name)
		}
	}
	if m := t.Watermark; m != nil && (m.Column == name || mentions(m.Expr, name)) {
		return failf(a.From[0], CodeInUse, "column '%s' is used by the WATERMARK", name).
			WithHint("DROP WATERMARK first, and ADD WATERMARK FOR … with the new name behind it")
	}
	t.Columns[at].Name = a.To.Name
	for _, list := range [][]string{t.PrimaryKey, t.PartitionKeys} {
		for i := range list {
			if list[i] == name {
				list[i] = a.To.Name
			}
		}
	}
	return nil
}

// alterView renames a view or gives it another query.
func (w *work) alterView(s *syntax.AlterView) error {
	old := w.cat.Table(w.fullName(s.Name))
	if old == nil || !old.IsView() {
		e := failf(s.Name, CodeTable, "view '%s' not found", s.Name.String())
		if old != nil {
			return e.WithHint("it is a table: ALTER TABLE %s", s.Name.String())
		}
		return e.WithHint("%s", w.suggestOf(w.fullName(s.Name), "view"))
	}
	if s.To != nil {
		v := *old
		return w.rename(&v, old, *s.To)
	}
	v, err := w.newView(old.Name, s.Query, nil)
	if err != nil {
		return err
	}
	v.Temporary, v.Comment, v.HasComment = old.Temporary, old.Comment, old.HasComment
	w.cat.Put(v)
	return nil
}
