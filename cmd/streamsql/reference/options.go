package reference

import (
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/planner/catalog"
)

var optionHead = []string{"option", "default", "values", "meaning"}

// Connectors are the connectors with their options.
func Connectors(list []connector.Definition) Topic {
	t := Topic{Name: "connector", Title: "Connectors", About: "`CREATE TABLE t (…) WITH ('connector' = 'name', 'option' = 'value')`."}
	for _, c := range list {
		use := "read and written"
		switch {
		case c.Source == nil:
			use = "written"
		case c.Sink == nil:
			use = "read"
		}
		e := Entry{Name: c.Name, Text: c.Doc + " Tables of it are " + use + "."}
		if fields := option.Describe(c.Options()); len(fields) > 0 {
			e.Head = optionHead
			for _, f := range fields {
				e.Rows = append(e.Rows, optionRow(f))
			}
		}
		t.Entries = append(t.Entries, e)
	}
	return t
}

// TableOptions are the options of all connectors, and the settings: what an option's name may mean.
func TableOptions(list []connector.Definition) Topic {
	t := Topic{Name: "option", Title: "Options"}
	add := func(group string, f option.Field, use string) {
		r := optionRow(f)
		required := ""
		if f.Required {
			required = "must be given."
		}
		t.Entries = append(t.Entries, Entry{Name: f.Name, Aliases: f.Aliases, Group: group, Text: strings.ToUpper(f.Doc[:1]) + f.Doc[1:] + ".",
			Facts: []Fact{{"values", r[2]}, {"default", f.Default}, {"required", required}, {"written", use}}})
	}
	for _, f := range option.Describe(catalog.NewSettings()) {
		add("settings", f, "SET '"+f.Name+"' = '…'")
	}
	for _, c := range list {
		for _, f := range option.Describe(c.Options()) {
			add("connector "+c.Name, f, "WITH ('connector' = '"+c.Name+"', '"+f.Name+"' = '…')")
		}
	}
	return t
}

func optionRow(f option.Field) []string {
	return []string{strings.Join(append([]string{f.Name}, f.Aliases...), ", also "), f.Default, Values(f), f.Doc}
}

// Values says what an option takes.
func Values(f option.Field) string {
	switch {
	case len(f.Enum) > 0:
		return strings.Join(f.Enum, ", ")
	case f.Min != "" && f.Max != "":
		return f.Kind + ", " + f.Min + " to " + f.Max
	case f.Min != "":
		return f.Kind + ", at least " + f.Min
	}
	return f.Kind
}
