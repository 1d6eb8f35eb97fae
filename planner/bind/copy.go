package bind

import (
	"errors"
	"slices"
	"strings"

	"streamsql/exec/option"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// Copy binds a COPY of the statement text: an INSERT of its query into files that no statement declares. The plan is a
// sink. Files that are there already are a mistake only where it is to run.
func (b *Binder) Copy(c *syntax.Copy, text string, explain bool) (logical.Plan, error) {
	w := b.work(text)
	p, err := w.copy(c, explain || b.record != nil)
	if err != nil {
		return nil, err
	}
	if w.missing != nil {
		return nil, w.missing
	}
	return p, w.bounded(c, p)
}

func (w *work) copy(c *syntax.Copy, explain bool) (logical.Plan, error) {
	r, err := w.query(c.Query, nil)
	if err != nil {
		return nil, err
	}
	if err := w.final(c.Query, r.schema); err != nil {
		return nil, err
	}
	t, mode, err := w.copyTarget(c, explain)
	if err != nil {
		return nil, err
	}
	for i, n := range unique(r.schema.Names()) {
		t.Columns = append(t.Columns, catalog.Column{Name: n, Type: r.schema[i].Type})
	}
	for _, k := range c.PartitionBy {
		if t.Column(k.Name) < 0 {
			return nil, failf(k, CodeColumn, "column '%s' not found in the query", k.Name).
				WithHint("%s", suggest(k.Name, "columns", t.ColumnNames()))
		}
		t.PartitionKeys = append(t.PartitionKeys, k.Name)
	}
	if err := w.complete(t); err != nil {
		return nil, position(err, c, CodeDefinition)
	}
	if err := w.usable(t, c.PathSpan, true); err != nil {
		return nil, err
	}
	i := &syntax.Insert{Span: c.Span, Query: c.Query, Overwrite: mode == "OVERWRITE"}
	if i.Overwrite && w.cat.Settings().Mode == "STREAMING" {
		return nil, failf(c, CodeInsert, "OVERWRITE is for batch mode").WithHint("SET 'execution.runtime-mode' = 'BATCH'")
	}
	w.rewriteCopy(c, t, i.Overwrite)
	return w.sink(i, t, t.Columns, r.plan, columnsOf(r.plan.Schema())), nil
}

// copyTarget is the table of a COPY without its columns, and what it does with files that are there: APPEND or OVERWRITE.
func (w *work) copyTarget(c *syntax.Copy, explain bool) (t *catalog.Table, mode string, err error) {
	d := w.cat.Files()
	if d == nil {
		return nil, "", syntax.NotSupported(c.Span, "COPY", "")
	}
	format, given, named := "", map[string]string{}, map[string]bool{}
	for _, o := range c.Options {
		name := strings.ToLower(o.Key)
		if named[name] {
			return nil, "", failf(o, CodeDuplicate, "the option '%s' stands twice", o.Key).
				WithHint("leave one of them out")
		}
		named[name] = true
		switch key := strings.ToUpper(o.Key); key {
		case "FORMAT":
			if format = strings.ToLower(o.Value); !slices.Contains(d.Files.Formats, format) {
				return nil, "", noFormat(o, d.Files.Formats)
			}
		case "APPEND", "OVERWRITE":
			if strings.ToLower(o.Value) != "true" {
				return nil, "", failf(o, CodeOption, "%s stands alone", key).
					WithHint("write (%s), without a value", key)
			}
			if mode != "" {
				return nil, "", failf(o, CodeOption, "%s and %s do not go together", mode, key).
					WithHint("(APPEND) adds to files that are there, (OVERWRITE) replaces the partitions that rows come for")
			}
			mode = key
		default:
			given[name] = o.Value
		}
	}
	set, taken, err := d.Files.Target(format, c.Path, given)
	var wrong *option.Error
	switch {
	case errors.As(err, &wrong):
		for _, o := range c.Options {
			name := strings.ToLower(o.Key)
			if long := strings.ReplaceAll(name, "_", "-"); name == wrong.Key || long == wrong.Key || format+"."+long == wrong.Key {
				return nil, "", wrongCopy(wrong, o)
			}
		}
		fallthrough
	case err != nil:
		return nil, "", position(err, c.PathSpan, CodeOption)
	case taken && mode == "" && !explain:
		return nil, "", failf(c.PathSpan, CodeExists, "there are files at %s", c.Path).
			WithHint("(APPEND) adds to them, (OVERWRITE) replaces the partitions that rows come for, in batch mode")
	}
	return w.undeclared(d, c.Path, set), mode, nil
}

// copyWords are the options of COPY itself.
var copyWords = []string{"FORMAT", "PARTITION_BY", "APPEND", "OVERWRITE"}

// noFormat says which formats there are instead of one that is none.
func noFormat(o syntax.CopyOption, formats []string) error {
	if !o.Given {
		return failf(o, CodeOption, "FORMAT names no format").WithHint("formats: %s", strings.Join(formats, ", "))
	}
	return failf(o, CodeOption, "COPY does not write the format '%s'", o.Value).
		WithHint("%s", suggest(strings.ToLower(o.Value), "formats", formats))
}

// wrongCopy is what is wrong with an option of COPY. One that there is not may be COPY's own or the format's.
func wrongCopy(e *option.Error, o syntax.CopyOption) error {
	if !e.Unknown {
		return position(e, o, CodeOption)
	}
	hint := suggest(o.Key, "COPY has", copyWords) + "; "
	if e.Hint == "" {
		e.Hint = "all others are those of the format"
	}
	if option.Nearest(o.Key, copyWords) == "" && e.Near {
		hint, e.Hint = e.Hint+"; ", "COPY has: "+strings.Join(copyWords, ", ")
	}
	return failf(o, CodeOption, "COPY has no option '%s'", o.Key).WithHint("%s%s", hint, e.Hint)
}
