package bind

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// readerPrefix begins the names of the functions that read files of a format.
const readerPrefix = "READ_"

// readers lists the functions that read files.
func (w *work) readers() (out []string) {
	if d := w.cat.Files(); d != nil {
		for _, f := range d.Files.Formats {
			out = append(out, readerPrefix+strings.ToUpper(f))
		}
	}
	return out
}

// reads is the format that a function reads.
func (w *work) reads(function string) (format string, ok bool) {
	if !slices.Contains(w.readers(), function) {
		return "", false
	}
	return strings.ToLower(strings.TrimPrefix(function, readerPrefix)), true
}

// fileTable binds 'path' in FROM.
func (w *work) fileTable(t *syntax.FileTable, s *scope) (logical.Plan, error) {
	return w.files(&reading{whole: t, at: t, root: t.Path, alias: t.Alias}, s)
}

// readFunction binds read_FORMAT(path, option => value, …) in FROM.
func (w *work) readFunction(t *syntax.TableFunction, format string, s *scope) (logical.Plan, error) {
	c := t.Call
	const form = "read_csv('path', option => value, …)"
	if len(c.Args) == 0 || len(c.ArgNames) > 0 && c.ArgNames[0].Name != "" || len(c.ArgNames) == 0 && len(c.Args) > 1 {
		return nil, failf(c, CodeShape, "%s takes a path, and options by name", c.Name).WithHint("%s", form)
	}
	options, names := map[string]string{}, map[string]syntax.Node{}
	for i, a := range c.Args {
		text, err := readArgument(a)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			names["path"], options["path"] = a, text
			continue
		}
		key := c.ArgNames[i].Name
		if names[key] != nil {
			return nil, failf(c.ArgNames[i], CodeDuplicate, "the argument '%s' stands twice", key).
				WithHint("leave one of them out")
		}
		options[key], names[key] = text, c.ArgNames[i]
	}
	root := options["path"]
	delete(options, "path")
	return w.files(&reading{t, c.Args[0], root, format, options, names, t.Alias}, s)
}

// readArgument is the text of a literal.
func readArgument(e syntax.Expr) (string, error) {
	sign := ""
	if u, ok := e.(*syntax.Unary); ok && u.Op == syntax.Neg {
		sign, e = "-", u.Expr
	}
	l, ok := e.(*syntax.Literal)
	switch {
	case !ok || l.Kind == syntax.NullLiteral:
		return "", failf(e, CodeType, "only literals can stand here").WithHint("read_csv('path', header => TRUE)")
	case l.Kind == syntax.BoolLiteral:
		return strings.ToLower(l.Text), nil
	}
	return sign + l.Text, nil
}

// reading is what FROM says of files that no statement declared: whole is all of it, at their root.
type reading struct {
	whole, at syntax.Node
	root      string
	format    string // empty where the root tells it
	options   map[string]string
	names     map[string]syntax.Node // of the options
	alias     *syntax.Alias
}

// files binds files that no statement declared. What is wrong with an option is said at its name.
func (w *work) files(r *reading, s *scope) (logical.Plan, error) {
	d, at := w.cat.Files(), r.at
	if d == nil {
		return nil, syntax.NotSupported(at.At(), "files as tables", "")
	}
	in, err := d.Files.Infer(r.format, r.root, r.options)
	if err != nil {
		var o *option.Error
		if errors.As(err, &o) {
			for name, node := range r.names {
				if strings.ReplaceAll(name, "_", "-") == o.Key || name == o.Key {
					at = node
				}
			}
			return nil, position(err, at, CodeOption)
		}
		return nil, position(err, at, CodeTable)
	}
	t := w.undeclared(d, r.root, in.Options)
	for _, c := range in.Columns {
		t.Columns = append(t.Columns, catalog.Column{Name: c.Name, Type: c.Type})
	}
	for _, k := range in.PartitionKeys {
		t.PartitionKeys = append(t.PartitionKeys, in.Columns[k].Name)
	}
	if err := w.usable(t, at, false); err != nil {
		return nil, err
	}
	plan, err := w.expand(t)
	if err != nil {
		return nil, position(err, at, CodeDefinition)
	}
	name, _, _ := strings.Cut(path.Base(r.root), ".")
	if strings.ContainsAny(name, "*?[-") {
		name = "" // a pattern is no name
	}
	w.rewriteFiles(r.whole.At(), t, name, r.alias)
	return plan, w.add(s, result{plan, plan.Schema()}, name, nil, r.alias)
}

// undeclared is a table of files that no statement declares, without its columns.
func (w *work) undeclared(d *connector.Definition, root string, options map[string]string) *catalog.Table {
	t := &catalog.Table{Name: catalog.Name{Catalog: w.catalog, Database: w.database, Object: root}, Temporary: true}
	t.Options = []catalog.Option{{Key: "connector", Value: d.Name}}
	for _, k := range slices.Sorted(maps.Keys(options)) {
		t.Options = append(t.Options, catalog.Option{Key: k, Value: options[k]})
	}
	return t
}
