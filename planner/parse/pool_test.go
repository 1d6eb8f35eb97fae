package parse_test

import (
	"strings"
	"sync"
	"testing"

	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// TestConcurrent parses the same statements on many goroutines; their trees must be those of
// one goroutine. With -race it shows that TiDB's parsers don't touch trees they gave away.
func TestConcurrent(t *testing.T) {
	stmts := parse.Script(nexmark(t))
	want := make([]string, len(stmts))
	for i, s := range stmts {
		want[i] = dump(t, s)
	}
	var group sync.WaitGroup
	for g := range 6 {
		group.Go(func() {
			for round := range 4 {
				for k := range stmts {
					i := (k + g*7 + round) % len(stmts)
					if dump(t, stmts[i]) != want[i] {
						t.Errorf("other tree: %s", stmts[i].Text)
					}
				}
			}
		})
	}
	group.Wait()
}

func dump(t *testing.T, s parse.Stmt) string {
	stmt, err := s.Parse()
	if err != nil {
		t.Error(err)
		return ""
	}
	return syntax.Dump(stmt, true)
}

// BenchmarkStatement parses a long statement of the benchmark (q16).
func BenchmarkStatement(b *testing.B) {
	var sql string
	for _, s := range parse.Script(nexmark(b)) {
		if strings.HasPrefix(s.Text, "INSERT INTO nexmark_q16") {
			sql = s.Text
		}
	}
	b.SetBytes(int64(len(sql)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse.Statement(sql); err != nil {
			b.Fatal(err)
		}
	}
}
