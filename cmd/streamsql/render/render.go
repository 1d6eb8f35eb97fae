// Package render turns rows into what users and scripts read: tables, CSV, TSV, JSON, Markdown, and
// changelogs.
//
// It does not know queries, files or terminals beyond the width it is given.
//
// Invariants:
//
//	R1 a format writes rows only to its own stream, and no escape sequence ever: control characters of values are
//	   written as escapes where the format has such, and the others show them as \xNN.
//	R2 table, box, markdown, csv and tsv show the folded result at the end when rows of it may change. Where they stay, csv and
//	   tsv write them as they come, and a table too once there are more than it holds. The others write each change as it
//	   comes, json and ndjson with its kind under "op" when it is no insert.
//	R3 what was written of a batch has left when the batch is over.
package render

import (
	"fmt"
	"io"
	"slices"
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
	// Updating says that the result may hold other changes than inserts. Key are the columns of an upsert key by which they are
	// to be taken, for no -U comes; nil where they come as they are.
	Updating bool
	Key      []int
	// StateLimit is the memory that rows which may change may take, in bytes; 0 is a share of the program's.
	StateLimit int64
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

// Taker is a Format that takes batches as a whole.
type Taker interface {
	Take(b *vector.Batch) error
}

// New makes a format over w.
func New(w io.Writer, o Options) (Format, error) {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	f, err := rows(w, o)
	if err == nil && o.Updating && Folds(o.Format) {
		return newFolded(f, o), nil
	}
	return f, err
}

// Folds tells the formats that show what changes add up to.
func Folds(format string) bool {
	return slices.Contains([]string{"table", "box", "markdown", "csv", "tsv"}, format)
}

// rows makes a format of rows that stay, or that shows all changes.
func rows(w io.Writer, o Options) (Format, error) {
	out := &buffered{w: w}
	switch o.Format {
	case "table", "box", "markdown":
		t := &Table{W: w, Style: styles[o.Format], MaxRows: o.MaxRows, MaxWidth: o.MaxWidth}
		return &held{table: t, zone: o.Zone, null: o.NullText()}, nil
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
