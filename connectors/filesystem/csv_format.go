package filesystem

import (
	"fmt"
	"unicode/utf8"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/types"
)

type csvOptions struct {
	Delimiter    string  `opt:"field-delimiter" default:"," doc:"the character between fields"`
	Quote        *string `opt:"quote-character" doc:"the character around fields, by default a double quote"`
	NoQuote      bool    `opt:"disable-quote-character" default:"false" doc:"no character quotes"`
	Escape       *string `opt:"escape-character" doc:"the character before one to be taken as it is"`
	Null         *string `opt:"null-literal" doc:"the text that stands for NULL"`
	Comments     bool    `opt:"allow-comments" default:"false" doc:"skip lines that start with #"`
	IgnoreErrors bool    `opt:"ignore-parse-errors" default:"false" doc:"NULL for fields and no row for lines that cannot be read, both counted"`
	Header       bool    `opt:"header" beyond:"true" default:"false" doc:"the first line of each file names its columns and is no row; files that are written begin with one"`
	Element      string  `opt:"array-element-delimiter" default:";" doc:"between the elements of ARRAY and ROW"`
	Scientific   bool    `opt:"write-bigdecimal-in-scientific-notation" default:"true" doc:"write 100 as 1E+2"`
}

var csvFormat = &format{
	name:    "csv",
	check:   checkCSV,
	decoder: func(o *options, fields []field) decoder { return newCSV(&o.CSV, fields) },
	encoder: func(o *options, names []string) encoder { return newCSVEncoder(&o.CSV, names) },
	join:    joinCSV,
	cut:     cutCSV,
}

func checkCSV(t *connector.Table, o *options) error {
	for _, c := range []struct {
		key  string
		text *string
		hint string
	}{{"csv.field-delimiter", &o.CSV.Delimiter, `such as ',', ';', '|' or '\t'`}, {"csv.quote-character", o.CSV.Quote, `such as '"'`},
		{"csv.escape-character", o.CSV.Escape, `such as '\'`}} {
		if c.text != nil && *c.text == `\t` {
			*c.text = "\t"
		}
		if c.text != nil && (len(*c.text) != 1 || (*c.text)[0] >= utf8.RuneSelf) {
			return &option.Error{Key: c.key,
				Msg: fmt.Sprintf("option '%s' must be a single ASCII character, but was: %s", c.key, *c.text), Hint: c.hint}
		}
	}
	if o.CSV.NoQuote && o.CSV.Quote != nil {
		return &option.Error{Key: "csv.quote-character",
			Msg:  "'csv.quote-character' is given although 'csv.disable-quote-character' is true",
			Hint: "leave one of them out"}
	}
	for _, i := range storedColumns(t) {
		if k := t.Columns[i].Type.Kind; k == types.Map || k == types.Multiset {
			return &option.Error{Key: "format",
				Msg:  fmt.Sprintf("the format 'csv' has no form for column '%s' of type %s", t.Columns[i].Name, t.Columns[i].Type),
				Hint: "use 'format' = 'json'"}
		}
	}
	return nil
}
