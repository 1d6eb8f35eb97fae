package reference

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

func session() *planner.Session {
	return planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
}

// prepare takes the statements of a text in a session of their own.
func prepare(text string) error {
	s := session()
	for _, st := range parse.Script(text) {
		if _, err := s.Prepare(st.Text); err != nil {
			return err
		}
	}
	return nil
}

// TestMistakes: every code has an example that gives it, and something to write instead that does not. What needs a job, a
// shell or a megabyte is in the scenes.
func TestMistakes(t *testing.T) {
	later := []syntax.Code{"SQ0107", "SQ0108", "SQ0301", "SQ0302", "SQ0303", "SQ0304"}
	for _, c := range planner.Codes() {
		m, ok := mistakes[c.Code]
		if !ok || m.fix == "" {
			t.Errorf("%s has no example", c.Code)
			continue
		}
		if slices.Contains(later, c.Code) {
			continue
		}
		err := prepare(m.wrong)
		var e *syntax.Error
		if !errors.As(err, &e) || e.Code != c.Code {
			t.Errorf("%s: %s\ngives %v", c.Code, m.wrong, err)
		}
		if err := prepare(m.fix); err != nil {
			t.Errorf("%s: %s\ngives %v", c.Code, m.fix, err)
		}
	}
	if len(mistakes) != len(planner.Codes()) {
		t.Errorf("%d examples of %d codes", len(mistakes), len(planner.Codes()))
	}
}

// TestTypes: every type is that of its value.
func TestTypes(t *testing.T) {
	topic := Types(session())
	for i, x := range sqlTypes {
		got := topic.Entries[i].Facts[2].Value
		name, _, _ := strings.Cut(strings.NewReplacer("<", "(", " ", "(").Replace(x.name), "(")
		if got == "" || !strings.HasPrefix(got, name) {
			t.Errorf("%s: %s is %q", x.name, x.value, got)
		}
	}
}

// TestFind: names are found whatever their case, by their aliases too, and the nearest of others is told.
func TestFind(t *testing.T) {
	f := Functions(session())
	for name, want := range map[string]string{"upper": "UPPER", "CEILING": "CEIL", "count": "COUNT"} {
		if e, _ := f.Find(name); e == nil || e.Name != want {
			t.Errorf("%s is not found", name)
		}
	}
	if e, near := f.Find("uper"); e != nil || near != "UPPER" {
		t.Errorf("uper: %q", near)
	}
	if e, near := TableOptions(connectors.All()).Find("number-of-row"); e != nil || near != "number-of-rows" {
		t.Errorf("number-of-row: %q", near)
	}
	if list := f.List("regexp_"); !strings.Contains(list, "REGEXP_EXTRACT") || strings.Contains(list, "UPPER") {
		t.Error(list)
	}
}

// fact is a particular of an entry.
func fact(e Entry, key string) string {
	for _, f := range e.Facts {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// TestTypesOfExamples: an example that has a value has a type, and every function and aggregate has the type of its results.
func TestTypesOfExamples(t *testing.T) {
	for _, e := range Functions(session()).Entries {
		if e.Group != "aggregate" && fact(e, "value") != "" && fact(e, "type of the example") == "" {
			t.Errorf("%s: %s has no type", e.Name, fact(e, "example"))
		}
		if fact(e, "result type") == "" && e.Code == "" {
			t.Errorf("%s has no result type", e.Name)
		}
	}
}

// TestResultTypes: what a page says is what a query gives that calls the function with columns of those types.
func TestResultTypes(t *testing.T) {
	s := session()
	n := 0
	for _, e := range Functions(s).Entries {
		forms, lines := strings.Split(fact(e, "forms"), "\n"), strings.Split(fact(e, "result type"), "\n")
		if e.Name == "CURRENT_WATERMARK" { // whose argument is no column of a query by itself
			continue
		}
		if len(forms) > 1 || !strings.HasPrefix(forms[0], e.Name+"(<") || strings.ContainsAny(forms[0], "[{.") {
			continue // the arguments of one plain call are told by the commas
		}
		for _, l := range lines {
			arguments, result, found := strings.Cut(l, " -> ")
			if !found {
				continue
			}
			var inner, call []string
			for i, a := range split(arguments) {
				inner = append(inner, fmt.Sprintf("CAST(NULL AS %s) AS c%d", a, i))
				call = append(call, fmt.Sprintf("c%d", i))
			}
			q := fmt.Sprintf("SELECT %s(%s) FROM (SELECT %s)", e.Name, strings.Join(call, ", "), strings.Join(inner, ", "))
			if e.Group == "aggregate" {
				q += " GROUP BY c0" // whose groups have rows
			}
			if got := typeOf(s, strings.TrimPrefix(q, "SELECT ")); got != result {
				t.Errorf("%s gives %s, not %s", q, got, result)
			}
			n++
		}
	}
	if n < 30 {
		t.Errorf("only %d calls", n)
	}
}

// split takes a list of types apart at the commas outside of brackets.
func split(list string) (out []string) {
	depth, from := 0, 0
	for i, c := range list {
		switch c {
		case '(', '<':
			depth++
		case ')', '>':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, list[from:i])
				from = i + 1
			}
		}
	}
	return append(out, list[from:])
}
