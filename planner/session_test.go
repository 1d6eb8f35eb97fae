package planner_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

var update = flag.Bool("update", false, "rewrite the expected texts")

// TestText runs the files of testdata: statements up to a line `----`, then what they give, up to a line
// `====`. A query or INSERT gives its plans, everything else its result; an error gives its rendering.
func TestText(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s := planner.New(planner.Options{Connectors: connectors.All(), Now: func() time.Time { return time.Unix(0, 0) }})
			var out []string
			for _, c := range strings.Split(strings.TrimSpace(string(text)), "\n====\n") {
				sql, want, _ := strings.Cut(c, "\n----\n")
				want = strings.TrimSpace(strings.TrimSuffix(want, "===="))
				got := strings.TrimSpace(runAll(s, sql))
				if got != want && !*update {
					t.Errorf("%s\ngot:\n%s\nwant:\n%s", sql, got, want)
				}
				out = append(out, sql+"\n----\n"+got)
			}
			if *update {
				if err := os.WriteFile(name, []byte(strings.Join(out, "\n====\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func runAll(s *planner.Session, sql string) string {
	var b strings.Builder
	for _, st := range parse.Script(sql) {
		r, err := s.Explain(st.Text)
		var e *syntax.Error
		switch {
		case errors.As(err, &e):
			b.WriteString(e.Render(st.Text, ""))
			return b.String()
		case err != nil:
			return b.String() + err.Error()
		}
		for _, w := range r.Warnings {
			fmt.Fprintf(&b, "warning: %s\n", w)
		}
		b.WriteString(r.Text)
		if r.Columns != nil {
			fmt.Fprintln(&b, strings.Join(r.Columns, " | "))
		}
		for _, row := range r.Rows {
			fmt.Fprintln(&b, strings.Join(row, " | "))
		}
	}
	return b.String()
}
