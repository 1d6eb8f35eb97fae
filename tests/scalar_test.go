package tests

import (
	"os"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
)

// TestScalars: expressions, one a line, with their values and types or that they are refused or fail below them. A line
// `zone` sets the zone of the session for those behind it. They are casts of every pair of kinds, with what overflows,
// rounds, is cut or does not exist by a wall clock, and operators. `make golden` writes the outcomes: read them by Flink's
// rules.
func TestScalars(t *testing.T) {
	const path = "testdata/scalar.txt"
	given, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var made strings.Builder
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	for _, line := range strings.Split(strings.TrimSuffix(string(given), "\n"), "\n") {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		made.WriteString(line + "\n")
		zone, isZone := strings.CutPrefix(line, "zone ")
		switch {
		case line == "" || line[0] == '#':
		case isZone:
			if _, err := s.Prepare("SET 'table.local-time-zone' = '" + zone + "'"); err != nil {
				t.Fatal(err)
			}
		default:
			made.WriteString("  " + scalarOutcome(execute(s, "SELECT "+line+" AS r")) + "\n")
		}
	}
	if *updateGaps {
		if err := os.WriteFile(path, []byte(made.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, got := strings.Split(string(given), "\n"), strings.Split(made.String(), "\n")
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("line %d: %s\ngives %q\nwant  %q", i+1, want[max(i-1, 0)], got[min(i, len(got)-1)], want[i])
		}
	}
}

// scalarOutcome is the value and the type of the only column of the only row, or the error.
func scalarOutcome(o outcome) string {
	switch {
	case o.err != nil && o.running:
		return "fails"
	case o.err != nil:
		return "refused"
	}
	return strings.Join(o.rows, " | ") + "\t" + o.columns[0].Type.String()
}
