package reference

import (
	"cmp"
	"strings"

	"streamsql/exec/function"
	"streamsql/planner"
)

// Functions are the functions, operators and aggregates. The session tells the types of examples.
func Functions(s *planner.Session) Topic {
	t := Topic{Name: "function", Title: "Functions and operators", About: "The result of each example is checked by a test. An argument in angle " +
		"brackets is any of that family of types; where a function has several forms each stands in a line. Result types are " +
		"those of arguments that may be NULL; types of some families of arguments stand for all of them."}
	groups := map[string][]Entry{}
	var order []string
	for _, f := range function.All() {
		if groups[f.Doc.Group] == nil {
			order = append(order, f.Doc.Group)
		}
		e := Entry{Name: f.Name, Aliases: f.Aliases, Group: f.Doc.Group, Text: f.Doc.Text}
		if f.Extension {
			e.Text += " (not in Flink)"
		}
		nulls := "NULL when an argument is NULL."
		if f.Nulls != function.Strict {
			nulls = "as the text above says."
		}
		again := ""
		if f.Volatile {
			again = "another value at each call."
		}
		example := typeOf(s, f.Doc.Example)
		e.Facts = []Fact{{"forms", forms(f.Name, f.Forms)}, {"result type", cmp.Or(resultTypes(f.Forms, f.Type), example)}, {"NULL", nulls}, {"varies", again}, {"example", f.Doc.Example},
			{"value", f.Doc.Value}, {"type of the example", example}}
		groups[f.Doc.Group] = append(groups[f.Doc.Group], e)
	}
	for _, g := range order {
		t.Entries = append(t.Entries, groups[g]...)
	}
	for _, f := range function.AllAggregates() {
		empty := "NULL over no rows, and where all values are NULL."
		if f.Defined {
			empty = "a value over no rows, too."
		}
		text := f.Doc.Text
		if f.Extension {
			text += " (not in Flink)"
		}
		t.Entries = append(t.Entries, Entry{Name: f.Name, Aliases: f.Aliases, Group: "aggregate", Text: text,
			Facts: []Fact{{"forms", forms(f.Name, f.Forms)}, {"result type", resultTypes(f.Forms, f.Type)}, {"NULL", empty}, {"clauses", "DISTINCT and FILTER (WHERE condition)"},
				{"example", f.Doc.Example}, {"value", f.Doc.Value}}})
	}
	t.Entries = append(t.Entries, boundEntries()...)
	return t
}

// forms are a line for each way of calling a function.
func forms(name string, list []string) string {
	out := make([]string, len(list))
	for i, f := range list {
		if out[i] = f; isWord(name) && !strings.Contains(f, name) {
			out[i] = name + "(" + f + ")"
		}
	}
	return strings.Join(out, "\n")
}

func isWord(name string) bool {
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// typeOf is the type that a session gives an expression, or empty.
func typeOf(s *planner.Session, e string) string {
	r, err := s.Prepare("DESCRIBE SELECT " + e)
	if err != nil || len(r.Rows) != 1 {
		return ""
	}
	if r.Rows[0][2] == "false" {
		return r.Rows[0][1] + " NOT NULL"
	}
	return r.Rows[0][1]
}
