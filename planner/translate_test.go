package planner_test

import (
	"strings"
	"testing"
)

// TestTranslateDeclaresOnce: the first statement that is translated declares the files it reads or writes, those behind it
// use the table; neither lint nor a statement that has no translation declares anything.
func TestTranslateDeclaresOnce(t *testing.T) {
	dir := t.TempDir()
	s := beyond(t, "default", dir)
	files := "SELECT id FROM '" + dir + "/rows.csv'"
	copied := "COPY (SELECT auction FROM nexmark.bid) TO '" + dir + "/out' (FORMAT json)"
	for _, sql := range []string{files, copied} {
		if _, err := s.Lint(sql); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Translate("SELECT id FROM '" + dir + "/rows.csv', nexmark.bid AS b, LATERAL (SELECT b.price AS p LIMIT 1)"); err == nil {
		t.Fatal("Flink has something for LIMIT in LATERAL")
	}
	for _, c := range []struct {
		sql      string
		declares int
		table    string
	}{{files, 1, "files_1"}, {files, 0, "files_1"}, {copied, 1, "copied_1"}, {copied, 0, "copied_1"}} {
		x, err := s.Translate(c.sql)
		if err != nil {
			t.Fatal(err)
		}
		if len(x.Before) != c.declares || !strings.Contains(x.Text, c.table) {
			t.Errorf("%s becomes %q, %s", c.sql, x.Before, x.Text)
		}
	}
}
