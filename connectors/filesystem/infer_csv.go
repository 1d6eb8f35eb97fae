package filesystem

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// delimiters are those that are looked for where none is given.
var delimiters = []string{",", "\t", ";", "|"}

// csv finds the delimiter, whether the first line is a header, and the types of the columns. An empty field is NULL unless
// 'csv.null-literal' says something else.
func (x *inference) csv() error {
	head, all, err := x.sample()
	if err != nil {
		return err
	}
	x.set("csv.null-literal", "")
	if x.o.CSV.Null == nil {
		x.o.CSV.Null = new(string)
	}
	if _, given := x.options["csv.field-delimiter"]; !given {
		x.o.CSV.Delimiter = x.delimiter(head, all)
		x.set("csv.field-delimiter", x.o.CSV.Delimiter)
	}
	rows, err := cells(&x.o.CSV, head, all)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return errors.New("it has no line that tells its columns; declare the table with CREATE TABLE")
	}
	first := x.types(rows[:1])
	rest := x.types(rows[1:])
	header := x.isHeader(rows, first, rest)
	if _, given := x.options["csv.header"]; given {
		header = x.o.CSV.Header
	}
	x.set("csv.header", strconv.FormatBool(header))
	names := make([]string, len(rows[0]))
	if header {
		copy(names, rows[0])
	} else {
		for i := range first {
			if i < len(rest) {
				first[i] = joinTypes(first[i], rest[i])
			}
		}
		rest = first
	}
	for i, n := range named(names) {
		t := types.Type{}
		if i < len(rest) {
			t = rest[i]
		}
		x.columns = append(x.columns, connector.Column{Name: n, Type: known(t)})
	}
	return nil
}

// cells reads the records of a sample.
func cells(o *csvOptions, head []byte, all bool) (rows [][]string, err error) {
	d := newCSV(o, nil)
	for len(head) > 0 {
		if o.Comments && head[0] == '#' {
			_, rest, _ := strings.Cut(string(head), "\n")
			head = []byte(rest)
			continue
		}
		n, _, err := d.split(head, all)
		switch {
		case errors.Is(err, errIncomplete):
			return rows, nil
		case errors.Is(err, errOpenQuote) && len(rows) > 0 || err != nil && o.IgnoreErrors && n > 0:
			return rows, nil
		case err != nil:
			return rows, err
		}
		row := make([]string, len(d.cells))
		for i, c := range d.cells {
			row[i] = string(c)
		}
		rows, head = append(rows, row), head[n:]
	}
	return rows, nil
}

// delimiter is the one that makes most columns, the same number in each line.
func (x *inference) delimiter(head []byte, all bool) string {
	const enough = 64 << 10
	if len(head) > enough {
		head, all = head[:enough], false
	}
	tries := delimiters
	if strings.Contains(strings.ToLower(filepath.Base(x.first)), ".tsv") {
		tries = []string{"\t"}
	}
	best, most := tries[0], 1
	for _, d := range tries {
		o := x.o.CSV
		o.Delimiter = d
		rows, err := cells(&o, head, all)
		if err != nil || len(rows) == 0 {
			continue
		}
		n := len(rows[0])
		if n > most && !slices.ContainsFunc(rows, func(r []string) bool { return len(r) != n }) {
			best, most = d, n
		}
	}
	return best
}

// types are those of the columns of some rows.
func (x *inference) types(rows [][]string) (out []types.Type) {
	for _, r := range rows {
		for i, c := range r {
			if i == len(out) {
				out = append(out, types.Type{})
			}
			if c != *x.o.CSV.Null {
				out[i] = joinTypes(out[i], textType([]byte(c), sqlForms))
			}
		}
	}
	return out
}

// isHeader tells that the first line has names: texts, above a column of something else; or where all is text, words that
// differ and that do not come again.
func (x *inference) isHeader(rows [][]string, first, rest []types.Type) bool {
	seen := map[string]bool{}
	for i, name := range rows[0] {
		if name == "" || seen[name] || !first[i].Kind.IsText() {
			return false
		}
		seen[name] = true
	}
	for _, t := range rest {
		if !t.Same(types.Type{}) && !t.Kind.IsText() {
			return true
		}
	}
	for i, name := range rows[0] {
		if !isWord(name) || slices.ContainsFunc(rows[1:], func(r []string) bool { return i < len(r) && r[i] == name }) {
			return false
		}
	}
	return true
}

func isWord(s string) bool {
	for i, c := range s {
		letter := c == '_' || c|' ' >= 'a' && c|' ' <= 'z' || c > 0x7F
		if !letter && (i == 0 || c != ' ' && c != '-' && c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return len(s) <= 64
}
