package bind

import (
	"slices"
	"strings"

	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// clauses adds what stands beside the columns: watermark, keys, partitions.
func (w *work) clauses(t *catalog.Table, s *syntax.CreateTable) error {
	if err := w.watermarks(t, s.Watermarks); err != nil {
		return err
	}
	if err := w.constraints(t, s.Constraints); err != nil {
		return err
	}
	if len(s.PartitionBy) > 0 {
		if err := w.partitions(t, s.PartitionBy); err != nil {
			return err
		}
	}
	return w.distribution(t, s.Distributed)
}

func (w *work) watermarks(t *catalog.Table, list []syntax.WatermarkDef) error {
	for k, d := range list {
		name := (&syntax.Name{Parts: d.Column}).String()
		if k > 0 {
			return failf(d, CodeDuplicate, "a table has one WATERMARK").
				WithHint("leave all but one out")
		}
		if len(d.Column) > 1 || t.Column(name) < 0 {
			return failf(d.Column[0], CodeWatermark, "the column '%s' of the WATERMARK is no column of the table", name).
				WithHint("%s", suggest(name, "columns", t.ColumnNames()))
		}
		if hasQuery(d.Expr) {
			return failf(d.Expr, CodeDefinition, "a WATERMARK cannot hold a query").
				WithHint("compute it from columns of the table, as in %s - INTERVAL '5' SECOND", name)
		}
		t.Watermark = &catalog.Watermark{Column: name, Expr: d.Expr, Text: unparse(d.Expr)}
	}
	return nil
}

func (w *work) constraints(t *catalog.Table, list []syntax.Constraint) error {
	own := false
	for _, c := range list {
		switch {
		case c.Kind == syntax.Unique:
			return failf(c, CodeDefinition, "a table has no UNIQUE constraints").WithHint("PRIMARY KEY (…) NOT ENFORCED")
		case c.Enforced != syntax.NotEnforced:
			return failf(c, CodeDefinition, "a primary key is not checked here: it must say NOT ENFORCED").
				WithHint("PRIMARY KEY (…) NOT ENFORCED")
		case own:
			return failf(c, CodeDuplicate, "a table has one primary key").
				WithHint("write one for all columns of it: PRIMARY KEY (%s) NOT ENFORCED", strings.Join(keyed(t.PrimaryKey, c.Columns), ", "))
		}
		own = true
		t.PrimaryKey = nil
		for _, k := range c.Columns {
			at := t.Column(k.Name)
			if at < 0 {
				return failf(k, CodeColumn, "primary key column '%s' is no column of the table", k.Name).
					WithHint("%s", suggest(k.Name, "columns", t.ColumnNames()))
			}
			if t.Columns[at].Kind != syntax.Physical {
				return failf(k, CodeDefinition, "primary key column '%s' must be a physical column", k.Name).
					WithHint("%s", suggest(k.Name, "columns", physicalNames(t)))
			}
			if slices.Contains(t.PrimaryKey, k.Name) {
				return failf(k, CodeDuplicate, "column '%s' stands twice in the primary key", k.Name).
					WithHint("name it once")
			}
			if err := asKey(k, "PRIMARY KEY", t.Columns[at]); err != nil {
				return err
			}
			t.Columns[at].Type.NotNull = true
			t.PrimaryKey = append(t.PrimaryKey, k.Name)
		}
		t.KeyName = ""
		if c.Name != nil {
			t.KeyName = c.Name.Name
		}
	}
	return nil
}

// keyed are the columns of a key and those of another one that it lacks.
func keyed(key []string, other []syntax.Ident) []string {
	key = slices.Clone(key)
	for _, c := range other {
		if !slices.Contains(key, c.Name) {
			key = append(key, c.Name)
		}
	}
	return key
}

// asKey refuses a column that tells no rows apart.
func asKey(at syntax.Node, clause string, c catalog.Column) error {
	if !c.Type.HasVariant() {
		return nil
	}
	return failf(at, CodeType, "%s %s: values of VARIANT are neither compared nor ordered", clause, c.Type.WithNull(true)).
		WithHint("store what is in them in a column of its own, as with CAST(%s['name'] AS STRING)", c.Name)
}

func (w *work) partitions(t *catalog.Table, list []syntax.Ident) error {
	t.PartitionKeys = nil
	for _, k := range list {
		if at := t.Column(k.Name); at < 0 || t.Columns[at].Kind != syntax.Physical {
			return failf(k, CodeDefinition, "partition key '%s' must be a physical column", k.Name).
				WithHint("%s", suggest(k.Name, "columns", physicalNames(t)))
		}
		if slices.Contains(t.PartitionKeys, k.Name) {
			return failf(k, CodeDuplicate, "column '%s' stands twice in PARTITIONED BY", k.Name).
				WithHint("name it once")
		}
		if err := asKey(k, "PARTITIONED BY", t.Columns[t.Column(k.Name)]); err != nil {
			return err
		}
		t.PartitionKeys = append(t.PartitionKeys, k.Name)
	}
	return nil
}

func physicalNames(t *catalog.Table) []string {
	var out []string
	for _, c := range t.Columns {
		if c.Kind == syntax.Physical {
			out = append(out, c.Name)
		}
	}
	return out
}

func (w *work) distribution(t *catalog.Table, d *syntax.Distribution) error {
	if d == nil {
		return nil
	}
	if d.Buckets != syntax.Unset && d.Buckets < 1 {
		return failf(d, CodeDefinition, "a table is distributed into at least 1 bucket, not %d", d.Buckets).
			WithHint("such as INTO 4 BUCKETS; without INTO the connector chooses")
	}
	t.Distribution = &catalog.Distribution{Method: d.Method, Buckets: d.Buckets}
	for _, c := range d.Columns {
		if at := t.Column(c.Name); at < 0 || t.Columns[at].Kind != syntax.Physical {
			return failf(c, CodeDefinition, "bucket key '%s' must be a physical column", c.Name).
				WithHint("%s", suggest(c.Name, "columns", physicalNames(t)))
		}
		t.Distribution.Columns = append(t.Distribution.Columns, c.Name)
	}
	return nil
}
