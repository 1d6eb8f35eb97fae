package reference

import (
	"errors"
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

// TestTypesOfExamples: an example that has a value has a type.
func TestTypesOfExamples(t *testing.T) {
	for _, e := range Functions(session()).Entries {
		if e.Group != "aggregate" && e.Facts[4].Value != "" && e.Facts[5].Value == "" {
			t.Errorf("%s: %s has no type", e.Name, e.Facts[3].Value)
		}
	}
}
