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
	return w.files(t, t, t.Path, "", nil, nil, t.Alias, s)
}

// readFunction binds read_FORMAT(path, option => value, …) in FROM.
func (w *work) readFunction(t *syntax.TableFunction, format string, s *scope) (logical.Plan, error) {
	c := t.Call
	const form = "read_csv('path', option => value, …)"
	if len(c.Args) == 0 || len(c.ArgNames) > 0 && c.ArgNames[0].Name != "" || len(c.ArgNames) == 0 && len(c.Args) > 1 {
		return nil, failf(c, CodeShape, "%s takes a path, and options by name", c.Name).WithHint("%s", form)
	}
	options, at := map[string]string{}, map[string]syntax.Node{}
	for i, a := range c.Args {
		text, err := readArgument(a)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			at["path"], options["path"] = a, text
			continue
		}
		key := c.ArgNames[i].Name
		if at[key] != nil {
			return nil, failf(c.ArgNames[i], CodeDuplicate, "the argument '%s' stands twice", key)
		}
		options[key], at[key] = text, c.ArgNames[i]
	}
	root := options["path"]
	delete(options, "path")
	return w.files(t, c.Args[0], root, format, options, at, t.Alias, s)
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

// files binds files that no statement declared, which are whole in the text. What is wrong with an option is said at its name.
func (w *work) files(whole, at syntax.Node, root, format string, options map[string]string, names map[string]syntax.Node,
	alias *syntax.Alias, s *scope) (logical.Plan, error) {
	d := w.cat.Files()
	if d == nil {
		return nil, syntax.NotSupported(at.At(), "files as tables", "")
	}
	in, err := d.Files.Infer(format, root, options)
	if err != nil {
		var o *option.Error
		if errors.As(err, &o) {
			for name, node := range names {
				if strings.ReplaceAll(name, "_", "-") == o.Key || name == o.Key {
					at = node
				}
			}
			return nil, position(err, at, CodeOption)
		}
		return nil, position(err, at, CodeTable)
	}
	t := w.undeclared(d, root, in.Options)
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
	name, _, _ := strings.Cut(path.Base(root), ".")
	if strings.ContainsAny(name, "*?[-") {
		name = "" // a pattern is no name
	}
	w.rewriteFiles(whole.At(), t, name, alias)
	return plan, w.add(s, result{plan, plan.Schema()}, name, nil, alias)
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
