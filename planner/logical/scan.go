package logical

import (
	"slices"
	"strconv"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/planner/catalog"
)

// Scan reads a table: its physical and metadata columns as the connector gives them. Computed columns
// and the watermark are nodes above it.
type Scan struct {
	// Table is the resolved table, the options of a hint merged in.
	Table *catalog.Table
	// Columns are the connector's columns, those of Table.Connector() in order.
	Columns Schema
	// Changing says that the source gives updates and deletes too, each update as -U and +U.
	Changing bool
	// Need lists the paths that are read; nil means everything. Columns outside it are NULL.
	Need []connector.Path
	// Filters are conjuncts over Columns that are offered to the source.
	Filters []expr.Expr
	// Rowtime is set when the source makes the watermark itself: the event time over Columns, and the
	// milliseconds that the watermark stays behind it.
	Rowtime expr.Expr
	Delay   int64
	// Unique are the paths of which the source says that no two rows have the same value but for NULL.
	Unique []connector.Path
}

// NewScan reads all of t.
func NewScan(t *catalog.Table) *Scan {
	var s Schema
	for _, c := range t.Stored() {
		s = append(s, Column{Name: c.Name, Type: c.Type})
	}
	return &Scan{Table: t, Columns: s}
}

// Schema implements Plan.
func (s *Scan) Schema() Schema { return s.Columns }

// Inputs implements Plan.
func (s *Scan) Inputs() []Plan { return nil }

// With implements Plan.
func (s *Scan) With([]Plan) Plan { return s }

// Changes implements Changer: sources give rows that stay, but for those that say otherwise.
// The primary key is taken at its word, as Flink takes it.
func (s *Scan) Changes([]Changes, Need) (Changes, []Need) {
	out := Changes{Kinds: Inserts, Stays: true, Unique: s.Unique}
	if s.Changing {
		out = Changes{Kinds: AllChanges}
	}
	if key := s.positions(s.Table.PrimaryKey); len(key) > 0 {
		out.Keys = []Key{key}
	}
	return out, nil
}

// positions are the columns of these names, none where one is no stored column.
func (s *Scan) positions(names []string) Key {
	var key Key
	for _, n := range names {
		i := slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == n })
		if i < 0 {
			return nil
		}
		key = append(key, i)
	}
	return NewKey(key...)
}

// String implements Plan.
func (s *Scan) String() string { return "Scan(table=" + s.Table.Name.String() + s.Pushed() + ")" }

// Pushed is the part of the text that says what the source is asked for.
func (s *Scan) Pushed() string {
	var b strings.Builder
	if s.Need != nil {
		parts := make([]string, len(s.Need))
		for i, p := range s.Need {
			parts[i] = s.pathText(p)
		}
		b.WriteString(", need=[" + strings.Join(parts, ", ") + "]")
	} else {
		b.WriteString(", columns=[" + strings.Join(s.Columns.Names(), ", ") + "]")
	}
	if len(s.Filters) > 0 {
		b.WriteString(", filter=[" + expr.And(s.Filters...).String() + "]")
	}
	if s.Rowtime != nil {
		b.WriteString(", watermark=[source, " + strconv.FormatInt(s.Delay, 10) + " ms]")
	}
	return b.String()
}

func (s *Scan) pathText(p connector.Path) string {
	c := s.Columns[p[0]]
	text, t := c.Name, c.Type
	for _, i := range p[1:] {
		text, t = text+"."+t.Fields[i].Name, t.Fields[i].Type
	}
	return text
}
