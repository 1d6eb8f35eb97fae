package parse

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"streamsql/planner/syntax"
)

// shared are the words and signs that the normalised text may hold, beside placeholders.
var shared = wordSet(`( ) , + - * / % = < > <= >= <> <=> ~ .* (SELECT SELECT FROM WHERE GROUP BY ORDER HAVING
	JOIN ON AS WITH UNION INTERSECT EXCEPT ALL AND OR NOT DIV IN BETWEEN LIKE`)

// TestNormalisedText: whatever the user writes, TiDB sees placeholders and the words that both
// dialects share, so that no rule of MySQL can leak into the dialect.
func TestNormalisedText(t *testing.T) {
	placeholder := regexp.MustCompile("^`[0-9]+`$")
	checked := 0
	for _, file := range []string{"constructs", "query", "join", "window", "match", "logic", "collection"} {
		src, err := os.ReadFile("../../tests/testdata/flink/" + file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(src)) {
			sql, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "  ")
			if !ok || !strings.HasPrefix(sql, "SELECT") && !strings.HasPrefix(sql, "WITH") {
				continue
			}
			normal, err := normalise(sql)
			if err != nil {
				continue
			}
			checked++
			for _, w := range strings.Fields(strings.ReplaceAll(normal, "`(", "` (")) {
				if !shared[w] && !placeholder.MatchString(strings.TrimPrefix(w, ")")) {
					t.Errorf("%s\n%s\nholds %s", sql, normal, w)
				}
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d statements", checked)
	}
}

func normalise(sql string) (normal string, err error) {
	defer catch(&err)
	s := newShaper(newParser(sql, syntax.Span{End: len(sql)}, Options{}))
	s.query()
	normal, _ = s.render()
	return normal, nil
}
