package catalog

import (
	"strings"

	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// Name is the full name of an object.
type Name struct{ Catalog, Database, Object string }

// String is the name in three parts.
func (n Name) String() string { return n.Catalog + "." + n.Database + "." + n.Object }

// Quoted is the name in three parts and back-ticks.
func (n Name) Quoted() string {
	return Quote(n.Catalog) + "." + Quote(n.Database) + "." + Quote(n.Object)
}

// Quote puts an identifier in back-ticks.
func Quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// Column is one column of a table or view.
type Column struct {
	Name string
	Kind syntax.ColumnKind
	Type types.Type
	// Expr and Text are the definition of a Computed column, as tree and as written.
	Expr syntax.Expr
	Text string
	// Key is the metadata key of a Metadata column; Virtual says that it is not written.
	Key     string
	Virtual bool
	Comment string
}

// Watermark is a WATERMARK clause. Column is a top-level column.
type Watermark struct {
	Column string
	Expr   syntax.Expr
	Text   string
}

// Distribution is a DISTRIBUTED BY clause, which is kept and has no effect.
type Distribution struct {
	Method  string
	Columns []string
	Buckets int
}

// Option is one entry of a WITH clause.
type Option struct{ Key, Value string }

// Table is a table or a view. It is not changed after it was put into a catalog: ALTER puts another.
type Table struct {
	Name      Name
	Temporary bool
	Comment   string
	// HasComment tells an empty comment from none.
	HasComment bool
	Columns    []Column

	Watermark     *Watermark
	PrimaryKey    []string
	KeyName       string // of the primary key's constraint
	PartitionKeys []string
	Distribution  *Distribution
	Options       []Option

	// View is set for views.
	View *View
}

// View is what makes a table a view: the query it stands for, and its text as written.
type View struct {
	Query syntax.Query
	Text  string
	// Catalog and Database were current when the view was made: its names are looked up there.
	Catalog, Database string
}

// IsView tells a view from a table.
func (t *Table) IsView() bool { return t.View != nil }

// Column returns the position of a column by its name, or -1.
func (t *Table) Column(name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// ColumnNames lists the names of all columns.
func (t *Table) ColumnNames() []string {
	out := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = c.Name
	}
	return out
}

// Stored lists the columns that a source gives: physical and metadata ones, in order.
func (t *Table) Stored() []Column {
	var out []Column
	for _, c := range t.Columns {
		if c.Kind != syntax.Computed {
			out = append(out, c)
		}
	}
	return out
}

// Persisted lists the columns that a sink takes: physical ones and metadata ones that are not VIRTUAL.
func (t *Table) Persisted() []Column {
	var out []Column
	for _, c := range t.Columns {
		if c.Kind != syntax.Computed && !(c.Kind == syntax.Metadata && c.Virtual) {
			out = append(out, c)
		}
	}
	return out
}

// Option is the value of an option, and whether it is set.
func (t *Table) Option(key string) (string, bool) {
	for _, o := range t.Options {
		if o.Key == key {
			return o.Value, true
		}
	}
	return "", false
}

// Connector is the value of the option 'connector', or empty.
func (t *Table) Connector() string {
	v, _ := t.Option("connector")
	return v
}

// WithOptions is t with options set over its own.
func (t *Table) WithOptions(set []Option) *Table {
	c := *t
	c.Options = append([]Option(nil), t.Options...)
next:
	for _, o := range set {
		for i := range c.Options {
			if c.Options[i].Key == o.Key {
				c.Options[i].Value = o.Value
				continue next
			}
		}
		c.Options = append(c.Options, o)
	}
	return &c
}
