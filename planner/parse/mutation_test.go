package parse_test

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// nexmark returns the script of testdata/nexmark.sql with its placeholders replaced.
func nexmark(t testing.TB) string {
	t.Helper()
	src, err := os.ReadFile("testdata/nexmark.sql")
	if err != nil {
		t.Fatal(err)
	}
	sql, err := parse.Substitute(string(src), func(name string) (string, bool) { return "datagen", name == "NEXMARK_TABLE" })
	if err != nil {
		t.Fatal(err)
	}
	return sql
}

// TestNexmark: statements as the benchmark writes them parse in both dialects.
func TestNexmark(t *testing.T) {
	src := nexmark(t)
	for _, dialect := range []parse.Dialect{parse.Default, parse.Flink} {
		stmts := parse.Options{Dialect: dialect}.Script(src)
		if len(stmts) < 25 {
			t.Fatalf("%d statements", len(stmts))
		}
		for _, s := range stmts {
			if _, err := s.Parse(); err != nil {
				t.Errorf("dialect %d: %s", dialect, err.(*syntax.Error).Render(src, "nexmark.sql"))
			}
		}
	}
}

// pool returns statements to mutate, and fragments to put into them.
func pool(t testing.TB) (stmts, fragments []string) {
	t.Helper()
	for _, s := range parse.Script(nexmark(t)) {
		stmts = append(stmts, s.Text)
	}
	trees, err := os.ReadFile("testdata/trees.txt")
	if err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(string(trees), "===\n") {
		_, rest, _ := strings.Cut(block, "\n")
		sql, _, _ := strings.Cut(rest, "\n---\n")
		stmts = append(stmts, sql)
	}
	src, err := os.ReadFile(corpus + "/constructs.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^  (.*)$`).FindAllStringSubmatch(string(src), -1) {
		stmts = append(stmts, m[1])
	}
	seen := map[string]bool{}
	for _, s := range stmts {
		for _, f := range pieces.FindAllString(s, -1) {
			if !seen[f] {
				seen[f] = true
				fragments = append(fragments, f)
			}
		}
	}
	return stmts, fragments
}

// pieces cuts statements into what looks like tokens.
var pieces = regexp.MustCompile(`'[^']*'|` + "`[^`]*`" + `|[A-Za-z_0-9$]+|/\*\+|\*/|\|\||<>|=>|[^\s\w]`)

// TestMutations takes tokens of good statements out, doubles, replaces and inserts some: the
// parser must never panic, and each error must have a place inside the text. What is still
// accepted must lower to a tree with sane spans.
func TestMutations(t *testing.T) {
	const count = 15_000
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 2))
	stmts, fragments := pool(t)
	refused := 0
	for range count {
		sql := stmts[r.IntN(len(stmts))]
		for range 1 + r.IntN(2) {
			sql = mutate(r, sql, fragments)
		}
		opts := parse.Options{Dialect: parse.Dialect(r.IntN(2))}
		if stmt, err := parseSafely(t, seed, opts, sql); err != nil {
			refused++
			checkPlace(t, sql, err)
		} else {
			checkTree(t, sql, stmt)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d mutations, %d refused, seed %d", count, refused, seed)
}

func mutate(r *rand.Rand, sql string, fragments []string) string {
	at := pieces.FindAllStringIndex(sql, -1)
	if len(at) == 0 {
		return fragments[r.IntN(len(fragments))]
	}
	p := at[r.IntN(len(at))]
	other := " " + fragments[r.IntN(len(fragments))] + " "
	switch r.IntN(5) {
	case 0:
		return sql[:p[0]] + sql[p[1]:]
	case 1:
		return sql[:p[0]] + other + sql[p[1]:]
	case 2:
		return sql[:p[1]] + other + sql[p[1]:]
	case 3:
		return sql[:p[1]] + " " + sql[p[0]:]
	}
	return sql[:p[0]]
}

// parseSafely parses and names the text if the parser panics.
func parseSafely(t testing.TB, seed uint64, opts parse.Options, sql string) (stmt syntax.Statement, err error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("seed %d: %s\npanic: %v", seed, sql, r)
		}
	}()
	return opts.Statement(sql)
}

// FuzzParse looks for panics and for errors outside of the text.
func FuzzParse(f *testing.F) {
	stmts, _ := pool(f)
	for _, s := range stmts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		for _, s := range parse.Script(sql) {
			if s.Pos < 0 || s.End > len(sql) || s.Text != sql[s.Pos:s.End] {
				t.Errorf("statement outside of the text: %+v", s.Span)
			}
		}
		for _, dialect := range []parse.Dialect{parse.Default, parse.Flink} {
			stmt, err := parse.Options{Dialect: dialect}.Statement(sql)
			if err != nil {
				checkPlace(t, sql, err)
				_ = err.(*syntax.Error).Render(sql, "")
			} else {
				checkTree(t, sql, stmt)
			}
		}
	})
}
