package planner_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
	"streamsql/planner/bind"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// beyond makes a session with the tables of the examples.
func beyond(t *testing.T, dialect, dir string) *planner.Session {
	t.Helper()
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: func() time.Time { return time.Unix(0, 0) }})
	for _, sql := range []string{
		"CREATE TABLE sink (price BIGINT, auction BIGINT) WITH ('connector' = 'blackhole')",
		"CREATE VIEW changing AS SELECT auction, MAX(dateTime) AS t, COUNT(*) AS n FROM nexmark.bid GROUP BY auction",
		"SET 'streamsql.dialect' = '" + dialect + "'",
	} {
		if _, err := s.Prepare(sql); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "rows.csv"), []byte("id,name\n1,a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWidenings: each thing that is accepted beyond Flink has an example, which lint names, which the dialect of Flink
// refuses at a place, and of which translate makes what the file says: Flink's text, or an error with a hint
// where Flink has nothing for it. Translated text is what the dialect of Flink takes.
func TestWidenings(t *testing.T) {
	const name = "testdata/beyond.golden"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	named := map[string]bool{}
	var out []string
	for _, c := range strings.Split(strings.TrimSpace(string(text)), "\n====\n") {
		sql, want, _ := strings.Cut(c, "\n----\n")
		here := strings.ReplaceAll(sql, "DIR", dir)
		var b strings.Builder
		linted, s, flink := beyond(t, "default", dir), beyond(t, "default", dir), beyond(t, "flink", dir)
		if strings.HasPrefix(sql, "/* batch */") {
			for _, s := range []*planner.Session{linted, s, flink} {
				if _, err := s.Set("execution.runtime-mode", "BATCH"); err != nil {
					t.Fatal(err)
				}
			}
		}
		l, err := linted.Lint(here)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		for _, e := range l.Extensions {
			named[e.What] = true
			fmt.Fprintf(&b, "%s: %s\n", e.What, e.Instead)
		}
		var e *syntax.Error
		if _, err := flink.Prepare(here); !errors.As(err, &e) || e.End <= e.Pos {
			t.Errorf("%s: the dialect of Flink gives %v", sql, err)
		}
		switch x, err := s.Translate(here); {
		case errors.As(err, &e) && e.Hint != "" && e.Code == bind.CodeDialect:
			fmt.Fprintf(&b, "=> %s (%s)\n", e.Msg, e.Hint)
		case err != nil:
			t.Errorf("%s: translate gives %v", sql, err)
		default:
			for _, st := range append(slices.Clone(x.Before), x.Text) {
				if _, err := flink.Prepare(st); err != nil {
					t.Errorf("%s becomes %s: %v", sql, st, err)
				}
				fmt.Fprintf(&b, "=> %s\n", strings.Join(strings.Fields(strings.ReplaceAll(st, dir, "DIR")), " "))
			}
		}
		got := strings.TrimSpace(b.String())
		if want = strings.TrimSpace(want); got != want && !*update {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", sql, got, want)
		}
		out = append(out, sql+"\n----\n"+got)
	}
	for _, w := range parse.Widenings() {
		if !named[w.What] {
			t.Errorf("there is no example of %q that lint names", w.What)
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(out, "\n====\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
