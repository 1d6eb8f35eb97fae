// Package render turns rows into what users and scripts read: tables, CSV, TSV, JSON, Markdown, and
// changelogs.
//
// It does not know queries, files or terminals beyond the width it is given.
//
// Invariants:
//
//	R1 a format writes rows only to its own stream, and no escape sequence ever: control characters of values are
//	   written as escapes where the format has such, and the others show them as \xNN.
//	R2 table, box and markdown show the folded result at the end, csv and tsv too when rows of it may change; a table
//	   with more rows than it holds goes on as they come, where they stay. The others write each change as it comes,
//	   json and ndjson with its kind under "op" when it is no insert.
//	R3 what was written of a batch has left when the batch is over.
package render

import (
	"fmt"
	"io"
	"strings"
	"time"

	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Formats are the names of --format.
var Formats = []string{"table", "box", "csv", "tsv", "json", "ndjson", "markdown", "vertical", "changelog", Parquet}

// Parquet is the format whose rows no text is made of: whoever shows a query writes it.
const Parquet = "parquet"

// Column is a column of a result.
type Column struct {
	Name string
	Type types.Type
}

// Options say how values look.
type Options struct {
	Format string
	// Zone is what TIMESTAMP_LTZ is shown in.
	Zone *time.Location
	// Limit stops after this many rows; 0 is no limit.
	Limit int64
	// Updating says that the result may hold other changes than inserts.
	Updating bool
	// Null is the text of NULL in table, box, markdown and vertical; nil is NULL.
	Null *string
	// MaxRows is the most rows that table, box and markdown show, MaxWidth the most characters of a value; 0 is no limit.
	MaxRows, MaxWidth int
	// Changes adds a column with the kinds of changes, each of which is then a row.
	Changes bool
}

// NullText is what NULL looks like in a table.
func (o *Options) NullText() string {
	if o.Null != nil {
		return *o.Null
	}
	return "NULL"
}

// Format writes the rows of one result.
type Format interface {
	// Begin is called once, before rows.
	Begin(cols []Column) error
	// Row is called for row i of a batch.
	Row(b *vector.Batch, i int) error
	// Flush is called behind each batch.
	Flush() error
	// End is called once, after rows, also when there was none.
	End() error
}

// New makes a format over w.
func New(w io.Writer, o Options) (Format, error) {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	switch o.Format {
	case "table", "box", "markdown":
		t := &Table{W: w, Style: styles[o.Format], MaxRows: o.MaxRows, MaxWidth: o.MaxWidth}
		f := &folded{show: t, zone: o.Zone, null: o.NullText()}
		if !o.Updating {
			f.flow = t
		}
		return f, nil
	case "csv", "tsv":
		if o.Updating {
			return &folded{show: &lines{w: w, tsv: o.Format == "tsv"}, zone: o.Zone, null: absent}, nil
		}
	}
	out := &buffered{w: w}
	switch o.Format {
	case "json":
		return &jsonFormat{buffered: out, zone: o.Zone, array: true}, nil
	case "ndjson":
		return &jsonFormat{buffered: out, zone: o.Zone}, nil
	case "csv":
		return &csvFormat{buffered: out, zone: o.Zone}, nil
	case "tsv":
		return &tsvFormat{buffered: out, zone: o.Zone}, nil
	case "changelog":
		return &changelogFormat{buffered: out}, nil
	case "vertical":
		return &vertical{buffered: out, zone: o.Zone, null: o.NullText(), width: o.MaxWidth, kinds: o.Updating}, nil
	case Parquet:
		return nil, fmt.Errorf("the format '%s' is for the rows of a query", Parquet)
	}
	return nil, fmt.Errorf("unknown format '%s': one of %s", o.Format, strings.Join(Formats, ", "))
}

// buffered collects what is written until the end of a batch.
type buffered struct {
	w   io.Writer
	buf []byte
}

// spill is how much is collected at most.
const spill = 64 << 10

func (b *buffered) more() error {
	if len(b.buf) < spill {
		return nil
	}
	return b.Flush()
}

// Flush writes what was collected.
func (b *buffered) Flush() error {
	if len(b.buf) == 0 {
		return nil
	}
	_, err := b.w.Write(b.buf)
	b.buf = b.buf[:0]
	return err
}

// appendCell adds the text of a value; NULL prints as null, bytes print as a literal does, since they are no text.
func appendCell(dst []byte, c *vector.Column, i int, zone *time.Location, null string) []byte {
	if c.Null(i) {
		return append(dst, null...)
	}
	if c.Type.Kind.IsBinary() {
		c, i = c.At(i)
		return fmt.Appendf(dst, "x'%x'", vector.Text(c, i))
	}
	return text.Append(dst, c, i, zone)
}

// AppendCell adds the text of a value as tables show it.
func AppendCell(dst []byte, c *vector.Column, i int, o Options) []byte {
	zone := o.Zone
	if zone == nil {
		zone = time.UTC
	}
	return appendCell(dst, c, i, zone, o.NullText())
}

// Cells are the texts of a row as tables show them, the kind of the change in front where that is wanted.
func Cells(b *vector.Batch, i int, o Options) []string {
	out := make([]string, 0, len(b.Cols)+1)
	if o.Changes {
		out = append(out, b.Kind(i).String())
	}
	for _, c := range b.Cols {
		out = append(out, string(AppendCell(nil, c, i, o)))
	}
	return out
}

func cell(c *vector.Column, i int, zone *time.Location, null string) string {
	return string(appendCell(nil, c, i, zone, null))
}

// numeric tells the types that are shown flush right.
func numeric(t types.Type) bool { return t.Kind.IsNumeric() }
