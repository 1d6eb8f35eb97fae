package bench

import (
	"strings"
	"testing"
)

// TestWriteTable: variants stand apart and are in no total, what failed or differs is red where colours may be.
func TestWriteTable(t *testing.T) {
	yes, no := true, false
	r := Report{Queries: []Run{
		{ID: "q12e", Events: 7, WallNanos: 1e9, CPUNanos: 1e9, Verified: &yes},
		{ID: "q0", Events: 4e6, WallNanos: 1e9, CPUNanos: 2e9, RowsOut: 5, Verified: &yes},
		{ID: "q1", Events: 1e6, WallNanos: 1e9, CPUNanos: 1e9, RowsOut: 6, Verified: &no},
		{ID: "q2", Events: 3, Error: "out of luck"},
		{ID: "q3", Events: 1e6, WallNanos: 1e9, CPUNanos: 1e9, Note: "no golden"},
	}}
	for _, colour := range []bool{false, true} {
		var out strings.Builder
		if err := r.WriteTable(&out, colour); err != nil {
			t.Fatal(err)
		}
		var queries []string
		for _, l := range strings.Split(out.String(), "\n") {
			cells := strings.FieldsFunc(l, func(c rune) bool { return c == '|' })
			if len(cells) < 9 {
				continue
			}
			red := strings.Contains(l, "\x1b[31m")
			name := strings.TrimSpace(strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(cells[0]))
			queries = append(queries, name)
			if want := colour && (name == "q1" || name == "q2"); red != want || strings.Contains(l, "\x1b") != want {
				t.Errorf("colour %t: %q", colour, l)
			}
		}
		if got := strings.Join(queries, " "); got != "query q0 q1 q2 q3 q12e total, geo. mean" {
			t.Errorf("the rows are %s", got)
		}
	}
	var out strings.Builder
	if err := r.WriteTable(&out, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| q0               | 4000000 |   1s |       4.00 |  2.00 |           2.00 |    0 MiB |        5 | yes       |",
		"| q2               |       3 |      |            |       |                |          |          | FAILED    |",
		"| total, geo. mean | 6000000 |   3s |       1.59 |  1.33 |           1.26 |    0 MiB |       11 |           |",
		"differs", "no golden",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if row := total(nil); row != nil {
		t.Errorf("a total of nothing: %v", row)
	}
}
