package bind

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/planner/catalog"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// TestMutations leaves out, doubles and exchanges words of the statements in testdata: nothing may panic,
// and every error must have its place inside the statement.
func TestMutations(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	bound := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b := New(catalog.New(testConnectors()), &function.Env{Zone: time.UTC, Now: time.Now})
		for _, c := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
			sql, _, _ := strings.Cut(c, "\n----")
			for _, m := range mutations(sql) {
				ok, err := tryOn(b, m)
				if err != nil {
					t.Errorf("%s\n%v", m, err)
				}
				if ok {
					bound++
				}
			}
			if _, err := tryOn(b, sql); err != nil {
				t.Errorf("%s\n%v", sql, err)
			}
		}
	}
	if bound < 400 {
		t.Errorf("only %d mutations parsed", bound)
	}
}

// mutations are the statement with one word gone, doubled or exchanged with the next.
func mutations(sql string) []string {
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", ",", " , ", ".", " . ").Replace(sql))
	var out []string
	for i := range words {
		rest := append([]string{}, words[:i]...)
		out = append(out, strings.Join(append(rest, words[i+1:]...), " "))
		twice := append(append([]string{}, words[:i+1]...), words[i:]...)
		out = append(out, strings.Join(twice, " "))
		if i+1 < len(words) {
			swapped := append([]string{}, words...)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			out = append(out, strings.Join(swapped, " "))
		}
	}
	return out
}

// tryOn binds a statement; bound tells that it could be parsed.
func tryOn(b *Binder, sql string) (bound bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	st, err := parse.Statement(sql)
	if err != nil {
		return false, nil
	}
	switch s := st.(type) {
	case *syntax.QueryStatement:
		_, err = b.Query(s.Query, sql)
	case *syntax.Insert:
		_, err = b.Insert(s, sql)
	case *syntax.StatementSet, *syntax.Explain:
	default:
		_, err = b.Statement(st, sql)
	}
	var e *syntax.Error
	switch {
	case err == nil:
	case !errors.As(err, &e):
		return true, fmt.Errorf("an error without a place: %w", err)
	case e.Pos < 0 || e.End > len(sql) || e.Pos > e.End || e.Span == (syntax.Span{}):
		return true, fmt.Errorf("an error outside of the statement, at %v: %w", e.Span, err)
	}
	return true, nil
}
