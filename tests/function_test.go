package tests

import (
	"strings"
	"testing"
	"time"

	"streamsql/cmd/streamsql/reference"
	"streamsql/connectors"
	"streamsql/exec/function"
	"streamsql/planner"
)

// TestFunctionExamples: the example in each function's documentation gives the value that stands beside it.
func TestFunctionExamples(t *testing.T) {
	n := 0
	for _, f := range function.All() {
		if f.Doc.Text == "" || f.Doc.Group == "" {
			t.Errorf("%s has no documentation", f.Name)
		}
		if f.Doc.Example == "" {
			if !f.Volatile {
				t.Errorf("%s has no example", f.Name)
			}
			continue
		}
		if f.Volatile && f.Doc.Value == "" {
			continue // it needs a table, or no value is told
		}
		n++
		s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
		o := execute(s, "SELECT CAST("+f.Doc.Example+" AS STRING)")
		if o.err != nil {
			// Values without a text form are shown as they are.
			o = execute(s, "SELECT "+f.Doc.Example)
		}
		switch {
		case o.err != nil:
			t.Errorf("%s: %s fails: %v", f.Name, f.Doc.Example, o.err)
		case len(o.rows) != 1:
			t.Errorf("%s: %s gives %d rows", f.Name, f.Doc.Example, len(o.rows))
		case plain(o.rows[0]) != f.Doc.Value:
			t.Errorf("%s: %s gives %q, documented is %q", f.Name, f.Doc.Example, plain(o.rows[0]), f.Doc.Value)
		}
	}
	if n < 150 {
		t.Errorf("only %d examples", n)
	}
}

// TestBoundExamples: so do the examples of the functions that the planner knows by itself.
func TestBoundExamples(t *testing.T) {
	for _, f := range reference.BoundFunctions {
		s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
		if _, err := s.Prepare("SET 'execution.runtime-mode' = 'batch'"); err != nil {
			t.Fatal(err)
		}
		o := execute(s, f.Query)
		got := strings.Join(o.rows, " | ")
		if got = strings.ReplaceAll(got, "\t", " "); o.err != nil || got != f.Rows {
			t.Errorf("%s: %s gives %q, %v, documented is %q", f.Name, f.Query, got, o.err, f.Rows)
		}
	}
}

// TestAggregateExamples does the same for the aggregates whose parts the binder puts together.
func TestAggregateExamples(t *testing.T) {
	for _, f := range function.AllAggregates() {
		if !f.Rows && !f.Distinct && f.Finish == nil {
			continue
		}
		call, values, ok := strings.Cut(f.Doc.Example, " OF ")
		columns := "x"
		if strings.Contains(values, "', ") {
			columns = "x, y"
		}
		for _, mode := range []string{"BATCH", "STREAMING"} {
			s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
			if _, err := s.Set("execution.runtime-mode", mode); err != nil {
				t.Fatal(err)
			}
			o := execute(s, "SELECT CAST("+call+" AS STRING) FROM (VALUES "+values+") AS t("+columns+")")
			if !ok || o.err != nil || len(o.rows) != 1 || plain(o.rows[0]) != f.Doc.Value {
				t.Errorf("%s in %s mode gives %q, %v, documented is %q", f.Doc.Example, mode, o.rows, o.err, f.Doc.Value)
			}
		}
	}
}

// plain undoes the escapes of a cell that documentation does not use.
func plain(cell string) string {
	switch cell {
	case `\N`:
		return "NULL"
	case `\e`:
		return ""
	}
	return strings.ReplaceAll(cell, `\\`, `\`)
}
