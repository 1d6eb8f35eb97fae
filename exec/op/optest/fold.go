package optest

import (
	"sort"
	"strings"
	"testing"
)

// Fold is the table that a changelog as text makes, sorted by text, without watermarks. A row must be there
// when it is taken back.
func Fold(t *testing.T, changelog string) string {
	t.Helper()
	rows := map[string]int{}
	for line := range strings.Lines(changelog) {
		line = strings.TrimSuffix(line, "\n")
		kind, row, _ := strings.Cut(line, " ")
		by := 1
		switch kind {
		case "-U", "-D":
			by = -1
		case "+U", "+I":
		default:
			row = line
		}
		if strings.HasPrefix(row, "^") {
			continue
		}
		rows[row] += by
		if rows[row] < 0 {
			t.Errorf("%s is taken back and is not there, in\n%s", row, changelog)
		}
	}
	var out []string
	for row, n := range rows {
		for range n {
			out = append(out, row+"\n")
		}
	}
	sort.Strings(out)
	return strings.Join(out, "")
}
