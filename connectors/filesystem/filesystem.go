// Package filesystem reads tables from files and writes them to files: CSV, JSON and raw lines, in one
// file, a directory, or a tree of hive-style partitions.
//
// It does not know queries, checkpoints or who reads what it writes.
//
// Invariants:
//
//	F1 a file is one split; names that start with `_` or `.` are not there.
//	F2 errors name the file and the line.
//	F3 a file being written has a hidden name; the commit renames it, and what has a visible name is
//	   whole and never changes.
//	F4 files are read in a goroutine of the reader, which ends before Close returns, unless it hangs in a
//	   pipe or terminal that cannot be closed.
package filesystem

import (
	"fmt"
	"unicode/utf8"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/types"
)

type options struct {
	Path    string      `opt:"path" required:"true" doc:"a file or a directory"`
	Format  string      `opt:"format" required:"true" enum:"csv,json,raw" doc:"how rows stand in files: csv, json or raw"`
	Null    string      `opt:"partition.default-name" default:"__DEFAULT_PARTITION__" doc:"the directory of NULL"`
	CSV     csvOptions  `opt:"csv."`
	JSON    jsonOptions `opt:"json."`
	Raw     rawOptions  `opt:"raw."`
	Monitor *string     `opt:"source.monitor-interval" doc:"not supported yet: files that appear later"`
}

type csvOptions struct {
	Delimiter    string  `opt:"field-delimiter" default:"," doc:"the character between fields"`
	Quote        *string `opt:"quote-character" doc:"the character around fields, by default a double quote"`
	NoQuote      bool    `opt:"disable-quote-character" default:"false" doc:"no character quotes"`
	Escape       *string `opt:"escape-character" doc:"the character before one to be taken as it is"`
	Null         *string `opt:"null-literal" doc:"the text that stands for NULL"`
	Comments     bool    `opt:"allow-comments" default:"false" doc:"skip lines that start with #"`
	IgnoreErrors bool    `opt:"ignore-parse-errors" default:"false" doc:"NULL for fields and no row for lines that cannot be read"`
	Element      string  `opt:"array-element-delimiter" default:";" doc:"between the elements of ARRAY and ROW"`
	Scientific   bool    `opt:"write-bigdecimal-in-scientific-notation" default:"true" doc:"write 100 as 1E+2"`
}

type jsonOptions struct {
	FailOnMissing bool   `opt:"fail-on-missing-field" default:"false" doc:"a missing key is an error"`
	IgnoreErrors  bool   `opt:"ignore-parse-errors" default:"false" doc:"NULL for fields and no row for lines that cannot be read"`
	Timestamps    string `opt:"timestamp-format.standard" default:"SQL" enum:"SQL,ISO-8601" doc:"with a space or a T"`
	NullKey       string `opt:"map-null-key.mode" default:"FAIL" enum:"FAIL,DROP,LITERAL" doc:"what to do with a NULL key of a MAP"`
	NullKeyText   string `opt:"map-null-key.literal" default:"null" doc:"the key that LITERAL writes"`
	PlainDecimal  bool   `opt:"encode.decimal-as-plain-number" default:"false" doc:"write 100 instead of 1E+2"`
	OmitNull      bool   `opt:"encode.ignore-null-fields" default:"false" doc:"write no key for NULL"`
	Parser        bool   `opt:"decode.json-parser.enabled" default:"true" doc:"no effect here"`
}

type rawOptions struct {
	Charset string `opt:"charset" default:"UTF-8" enum:"UTF-8" doc:"of texts"`
}

// Definition declares the connector.
var Definition = connector.Definition{
	Name:    "filesystem",
	Doc:     "Reads and writes files: csv, json and raw lines.",
	Options: func() any { return new(options) },
	Source: func(t *connector.Table) (connector.Source, error) {
		o, err := check(t)
		if err != nil {
			return nil, err
		}
		if o.Monitor != nil {
			return nil, &option.Error{Key: "source.monitor-interval",
				Msg: "not supported: 'source.monitor-interval', files that appear while the query runs"}
		}
		return newSource(t, o), nil
	},
	Sink: func(t *connector.Table) (connector.Sink, error) {
		o, err := check(t)
		if err != nil {
			return nil, err
		}
		return &sink{table: t, o: o}, nil
	},
}

// check finds what tags cannot say.
func check(t *connector.Table) (*options, error) {
	o := t.Options.(*options)
	for _, c := range []struct {
		key  string
		text *string
	}{{"csv.field-delimiter", &o.CSV.Delimiter}, {"csv.quote-character", o.CSV.Quote},
		{"csv.escape-character", o.CSV.Escape}} {
		if c.text != nil && *c.text == `\t` {
			*c.text = "\t"
		}
		if c.text != nil && (len(*c.text) != 1 || (*c.text)[0] >= utf8.RuneSelf) {
			return nil, &option.Error{Key: c.key,
				Msg: fmt.Sprintf("option '%s' must be a single ASCII character, but was: %s", c.key, *c.text)}
		}
	}
	switch {
	case o.CSV.NoQuote && o.CSV.Quote != nil:
		return nil, &option.Error{Key: "csv.quote-character",
			Msg: "'csv.quote-character' is given although 'csv.disable-quote-character' is true"}
	case o.JSON.FailOnMissing && o.JSON.IgnoreErrors:
		return nil, &option.Error{Key: "json.fail-on-missing-field",
			Msg: "'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true"}
	}
	stored := storedColumns(t)
	if o.Format == "raw" && (len(stored) != 1 || !rawType(t.Columns[stored[0]].Type)) {
		return nil, &option.Error{Key: "format", Msg: "the format 'raw' takes exactly one column, of a text or binary type"}
	}
	if o.Format == "csv" {
		for _, i := range stored {
			if k := t.Columns[i].Type.Kind; k == types.Map || k == types.Multiset {
				return nil, &option.Error{Key: "format",
					Msg: fmt.Sprintf("the format 'csv' has no form for column '%s' of type %s", t.Columns[i].Name, t.Columns[i].Type)}
			}
		}
	}
	return o, nil
}

func rawType(t types.Type) bool { return t.Kind.IsText() || t.Kind.IsBinary() }

// storedColumns are the columns that stand in the files: neither partition keys nor metadata.
func storedColumns(t *connector.Table) []int {
	var out []int
	for i, c := range t.Columns {
		if c.Metadata == "" && !isKey(t, i) {
			out = append(out, i)
		}
	}
	return out
}

func isKey(t *connector.Table, column int) bool {
	for _, k := range t.PartitionKeys {
		if k == column {
			return true
		}
	}
	return false
}
