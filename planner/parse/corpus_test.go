package parse_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// corpusCase is what the parser can judge of a case of tests/testdata/flink.
type corpusCase struct {
	id      string
	setup   []string
	sql     string
	outcome string // parses, accept, columns, or error PHASE ..
}

const corpus = "../../tests/testdata/flink"

// readCorpus reads one file of cases.
func readCorpus(t *testing.T, path string) []corpusCase {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []corpusCase
	var block *string
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, "\n")
		if rest, ok := strings.CutPrefix(line, "  "); ok && block != nil {
			if *block != "" {
				*block += "\n"
			}
			*block += rest
			continue
		}
		key, rest, _ := strings.Cut(line, " ")
		block = nil
		if key == "case" {
			cases = append(cases, corpusCase{id: rest})
		}
		if len(cases) == 0 {
			continue
		}
		c := &cases[len(cases)-1]
		switch key {
		case "setup":
			c.setup = append(c.setup, "")
			block = &c.setup[len(c.setup)-1]
		case "sql":
			block = &c.sql
		case "parses", "accept", "columns", "error":
			c.outcome = line
		}
	}
	return cases
}

// checkPlace fails unless an error has a place inside the text.
func checkPlace(t testing.TB, src string, err error) {
	t.Helper()
	e, ok := err.(*syntax.Error)
	if !ok {
		t.Errorf("%s\nno *syntax.Error: %v", src, err)
		return
	}
	if e.Pos < 0 || e.Pos > len(src) || e.End < e.Pos || e.End > len(src) || e.Msg == "" || e.Code == "" {
		t.Errorf("%s\nerror without a place: %+v", src, e)
	}
}

func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(corpus + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	strict := parse.Options{Dialect: parse.Flink}
	statements, refused := 0, 0
	for _, file := range files {
		for _, c := range readCorpus(t, file) {
			for _, sql := range append(c.setup, c.sql) {
				statements++
				inFlink, errStrict := strict.Statement(sql)
				byDefault, errDefault := parse.Statement(sql)
				if errDefault == nil {
					checkTree(t, sql, byDefault)
				}
				if errStrict == nil && !reflect.DeepEqual(inFlink, byDefault) {
					t.Errorf("%s: %s\nthe default dialect reads it differently", c.id, sql)
				}
				for _, err := range []error{errStrict, errDefault} {
					if err != nil {
						checkPlace(t, sql, err)
					}
				}
				judged := sql == c.sql
				switch {
				case judged && strings.HasPrefix(c.outcome, "error parse"):
					refused++
					if errStrict == nil {
						t.Errorf("%s: %s\naccepted; Flink: %s", c.id, sql, c.outcome)
					}
				case judged && strings.HasPrefix(c.outcome, "error validate"):
				case refusedEarlier[c.id] != "":
				case errStrict != nil:
					t.Errorf("%s: %s\nflink dialect: %v", c.id, sql, errStrict)
				case errDefault != nil:
					t.Errorf("%s: %s\ndefault dialect: %v", c.id, sql, errDefault)
				}
			}
		}
	}
	t.Logf("%d statements, %d of them must be refused", statements, refused)
}

// refusedEarlier are cases that Flink's parser takes and ours refuses, with the reason.
var refusedEarlier = map[string]string{
	"construct.081": "two literals on one line: Flink's validator refuses them",
}
