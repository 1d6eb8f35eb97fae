package parse_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

var update = flag.Bool("update", false, "rewrite the expected trees")

// TestTrees compares the trees of testdata/trees.txt, spans included.
func TestTrees(t *testing.T) {
	const file = "testdata/trees.txt"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var now strings.Builder
	for block := range strings.SplitSeq(strings.TrimSuffix(string(src), "===\n"), "===\n") {
		title, rest, _ := strings.Cut(block, "\n")
		sql, want, ok := strings.Cut(rest, "\n---\n")
		if !ok {
			t.Fatalf("%s: no --- line", title)
		}
		stmt, err := parse.Statement(sql)
		if err != nil {
			t.Errorf("%s: %v", title, err)
			continue
		}
		got := syntax.Dump(stmt, true)
		if got != want && !*update {
			t.Errorf("%s\ngot\n%swant\n%s", title, got, want)
		}
		now.WriteString(title + "\n" + sql + "\n---\n" + got + "===\n")
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, []byte(now.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
