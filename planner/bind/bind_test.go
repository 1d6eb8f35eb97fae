package bind

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

var update = flag.Bool("update", false, "write the outcomes into testdata")

// TestText runs testdata/*.txt: statements, a line of dashes, what they give, a blank line. The statements
// of a file share a session.
func TestText(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) { runFile(t, f) })
	}
}

func runFile(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b := New(catalog.New(testConnectors()), &function.Env{Zone: time.UTC, Now: time.Now})
	var out strings.Builder
	for i, c := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
		sql, want, _ := strings.Cut(c, "\n----")
		got := strings.TrimRight(outcome(b, sql), " \n")
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "%s\n----\n%s\n", sql, got)
		if want = strings.Trim(want, "\n"); want != got && !*update {
			t.Errorf("%s\n--- got\n%s\n--- want\n%s", sql, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// outcome is the text of what a statement gives.
func outcome(b *Binder, sql string) string {
	st, err := parse.Statement(sql)
	if err != nil {
		return rendered(err, sql)
	}
	var p logical.Plan
	switch s := st.(type) {
	case *syntax.QueryStatement:
		p, err = b.Query(s.Query, sql)
	case *syntax.Insert:
		p, err = b.Insert(s, sql)
	default:
		r, err := b.Statement(st, sql)
		if err != nil {
			return rendered(err, sql)
		}
		return resultText(r)
	}
	if err != nil {
		return rendered(err, sql)
	}
	return p.Schema().String() + "\n" + logical.Explain(p)
}

func rendered(err error, sql string) string {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return "NO POSITION: " + err.Error()
	}
	return strings.TrimSuffix(e.Render(sql, ""), " help: streamsql help "+string(e.Code)+"\n")
}

func resultText(r *Result) string {
	var b strings.Builder
	for _, w := range r.Warnings {
		b.WriteString("warning: " + w + "\n")
	}
	if len(r.Columns) == 0 {
		return b.String() + "OK"
	}
	b.WriteString(strings.Join(r.Columns, " | ") + "\n")
	for i, row := range r.Rows {
		cells := append([]string(nil), row...)
		if r.Nulls != nil {
			for k, null := range r.Nulls[i] {
				if null {
					cells[k] = `\N`
				}
			}
		}
		b.WriteString(strings.TrimSpace(strings.ReplaceAll(strings.Join(cells, " | "), "\n\n", "\n")) + "\n")
	}
	return b.String()
}

type fileOptions struct {
	Path   string `opt:"path" required:"true" doc:"where the file stands"`
	Format string `opt:"format" required:"true" enum:"csv,json" doc:"how its rows are written"`
}

type rateOptions struct {
	Rows int64 `opt:"number-of-rows" default:"10" min:"0" doc:"rows to make"`
}

func testConnectors() []connector.Definition {
	source := func(*connector.Table) (connector.Source, error) { return nil, errors.New("not opened here") }
	sink := func(*connector.Table) (connector.Sink, error) { return nil, errors.New("not opened here") }
	rates := func() any { return &rateOptions{} }
	return []connector.Definition{
		{Name: "filesystem", Options: func() any { return &fileOptions{} }, Source: source, Sink: sink},
		{Name: "datagen", Options: rates, Source: source},
		{Name: "nexmark", Options: rates, Source: source},
		{Name: "blackhole", Options: func() any { return &struct{}{} }, Sink: sink},
	}
}
