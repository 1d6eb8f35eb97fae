// Package render turns rows into what users and scripts read: tables, CSV, TSV, JSON, Markdown, and
// changelogs.
//
// It does not know queries, files or terminals beyond the width it is given.
//
// Invariants:
//
//	R1 a format writes rows only to its own stream, and no escape sequence ever.
//	R2 table and markdown show the folded result at the end, csv and tsv too when rows of it may change; the
//	   others write each change as it comes, json and ndjson with its kind under "op" when it is no insert.
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
var Formats = []string{"table", "csv", "tsv", "json", "ndjson", "markdown", "changelog"}

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
}

// Format writes the rows of one result.
type Format interface {
	// Begin is called once, before rows.
	Begin(cols []Column) error
	// Row is called for row i of a batch.
	Row(b *vector.Batch, i int) error
	// End is called once, after rows, also when there was none.
	End() error
}

// New makes a format over w.
func New(w io.Writer, o Options) (Format, error) {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	switch o.Format {
	case "table", "markdown":
		return &folded{show: &tableView{w: w, markdown: o.Format == "markdown"}, zone: o.Zone, null: "NULL"}, nil
	case "csv", "tsv":
		if o.Updating {
			return &folded{show: &lines{w: w, tsv: o.Format == "tsv"}, zone: o.Zone, null: absent}, nil
		}
	}
	switch o.Format {
	case "json":
		return &jsonFormat{w: w, zone: o.Zone, array: true}, nil
	case "ndjson":
		return &jsonFormat{w: w, zone: o.Zone}, nil
	case "csv":
		return newCSV(w, o.Zone), nil
	case "tsv":
		return &tsvFormat{w: w, zone: o.Zone}, nil
	case "changelog":
		return &changelogFormat{w: w, zone: o.Zone}, nil
	}
	return nil, fmt.Errorf("unknown format '%s': one of %s", o.Format, strings.Join(Formats, ", "))
}

// cell is the text of a value; NULL prints as null, bytes print as a literal does, since they are no text.
func cell(c *vector.Column, i int, zone *time.Location, null string) string {
	if c.Null(i) {
		return null
	}
	if c.Type.Kind.IsBinary() {
		c, i = c.At(i)
		return fmt.Sprintf("x'%x'", vector.Text(c, i))
	}
	return string(text.Append(nil, c, i, zone))
}

// numeric tells the types that are shown flush right.
func numeric(t types.Type) bool { return t.Kind.IsNumeric() }
