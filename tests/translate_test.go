package tests

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
	"streamsql/planner/bind"
	"streamsql/planner/syntax"
)

// several are statements that have more than one form beyond Flink, some inside of others.
var several = []string{
	"FROM (FROM nexmark.bid SELECT * EXCLUDE (url, extra) WHERE price != 7) AS b SELECT channel, COUNT(*) AS n, GROUP BY ALL",
	"SELECT a.name, b.id FROM 'DIR/rows.csv' AS a JOIN read_csv('DIR/rows.csv') AS b ON a.id = b.id WHERE b.id != 3",
	"WITH w AS (FROM 'DIR/rows.csv') SELECT * REPLACE (id + 1 AS id) FROM w",
	"COPY (FROM 'DIR/rows.csv' SELECT id + 1 AS value, name, WHERE id != 2) TO 'DIR/out' (FORMAT csv)",
	"INSERT INTO sink BY NAME FROM nexmark.bid SELECT auction, price WHERE auction != 1000",
	"SELECT COUNT(DISTINCT name, id) AS n, COUNT(DISTINCT id, name) AS m FROM 'DIR/rows.csv'",
}

// TestTranslatedAnswers: what translate makes of a statement gives in the dialect of Flink the rows and files that the
// statement gives, for each example of a form beyond Flink, and for several at once.
func TestTranslatedAnswers(t *testing.T) {
	text, err := os.ReadFile("../planner/testdata/beyond.golden")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, c := range strings.Split(strings.TrimSpace(string(text)), "\n====\n") {
		sql, _, _ := strings.Cut(c, "\n----\n")
		list = append(list, sql)
	}
	n := 0
	for _, sql := range append(list, several...) {
		dir := t.TempDir()
		rows := "id,name\n1,a\n2,b\n2,b\n3,\n4,c\n"
		if err := os.WriteFile(filepath.Join(dir, "rows.csv"), []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		here := strings.ReplaceAll(sql, "DIR", dir)
		if !strings.Contains(here, "events.num") {
			here = strings.ReplaceAll(here, "nexmark.bid", "nexmark.bid /*+ OPTIONS('events.num' = '2000') */")
		}
		x, err := ofExample(t, dir, "default").Translate(here)
		var e *syntax.Error
		if errors.As(err, &e) && e.Code == bind.CodeDialect {
			continue // Flink has nothing for it
		}
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		want, wantFiles := answers(t, dir, "default", here)
		got, gotFiles := answers(t, dir, "flink", append(slices.Clone(x.Before), x.Text)...)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s gives %d rows, %s %d: %.200q and %.200q", sql, len(want), x.Text, len(got), want, got)
		}
		if !reflect.DeepEqual(gotFiles, wantFiles) {
			t.Errorf("%s gives the files %.300q, %s %.300q", sql, wantFiles, x.Text, gotFiles)
		}
		if len(want) == 0 && len(wantFiles) == 0 {
			t.Errorf("%s gives nothing", sql)
		}
		n++
	}
	if n < 20 {
		t.Errorf("only %d statements were translated", n)
	}
}

// ofExample makes a session with the tables of the examples, whose sink is of files.
func ofExample(t *testing.T, dir, dialect string) *planner.Session {
	t.Helper()
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	s.KeepUpdateBefore()
	for _, sql := range []string{
		"CREATE TABLE sink (price BIGINT, auction BIGINT) WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = '" + dir + "/sink')",
		"SET 'streamsql.dialect' = '" + dialect + "'",
	} {
		if _, err := s.Prepare(sql); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// answers runs statements in a session of their own, and gives the rows of the last one, in order, and the lines that
// came into files, in order, by directory; the files are removed.
func answers(t *testing.T, dir, dialect string, list ...string) (rows []string, files map[string][]string) {
	t.Helper()
	s := ofExample(t, dir, dialect)
	for _, sql := range list {
		o := execute(s, sql)
		if o.err != nil {
			t.Errorf("%s: %v", sql, o.err)
		}
		rows = o.rows
	}
	slices.Sort(rows)
	files = map[string][]string{}
	for _, made := range []string{"sink", "out"} {
		err := filepath.WalkDir(filepath.Join(dir, made), func(name string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") {
				return err
			}
			b, err := os.ReadFile(name)
			within, _ := filepath.Rel(dir, filepath.Dir(name))
			files[within] = append(files[within], strings.Split(strings.TrimSpace(string(b)), "\n")...)
			return err
		})
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, made)); err != nil {
			t.Fatal(err)
		}
	}
	for _, lines := range files {
		slices.Sort(lines)
	}
	return rows, files
}
