package tests

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/exec/function"
	"streamsql/planner"
	"streamsql/planner/bind"
	"streamsql/planner/syntax"
)

// TestExtensionsAreRefused: the functions that Flink has not, and what a stream's OVER has more here, run by default and
// are refused with a place and a hint by the flink dialect. The functions are those that are declared as extensions, so
// that none is forgotten; what the parser widens is in its own tests. Lint names each, and what Flink has nothing for is
// not translated.
func TestExtensionsAreRefused(t *testing.T) {
	const b = "(SELECT * FROM nexmark.bid /*+ OPTIONS('events.num'='50') */) AS b"
	list := []string{
		"SELECT COUNT(*) OVER (PARTITION BY auction ORDER BY price ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM " + b,
		"SELECT COUNT(*) OVER (PARTITION BY auction ORDER BY price), SUM(price) OVER (PARTITION BY bidder ORDER BY price) FROM " + b,
		"SELECT COUNT(DISTINCT auction, channel) FROM " + b,
		"SELECT auction FROM (SELECT *, RANK() OVER (PARTITION BY bidder ORDER BY price) AS r FROM " + b + ") WHERE r <= 2",
		"SELECT auction, DENSE_RANK() OVER (PARTITION BY bidder ORDER BY price) FROM " + b,
		"SELECT b.price, f.price FROM " + b + ", LATERAL (SELECT x.price FROM " + b[:len(b)-1] + "x WHERE x.price = b.price ORDER BY bidder LIMIT 1) AS f",
	}
	for _, f := range function.All() {
		if f.Extension && f.Doc.Example != "" {
			list = append(list, "SELECT "+f.Doc.Example)
		}
	}
	n := 0
	for _, f := range function.AllAggregates() {
		if f.Extension {
			call, values, _ := strings.Cut(f.Doc.Example, " OF ")
			values = strings.ReplaceAll(strings.ReplaceAll(values, "(NULL), ", ""), ", (NULL)", "") // whose type VALUES does not know
			columns := "x"
			if strings.Contains(values, "', ") {
				columns = "x, y"
			}
			list = append(list, "SELECT "+call+" FROM (VALUES "+values+") AS t("+columns+")")
			n++
		}
	}
	if n < 5 {
		t.Errorf("only %d aggregates beyond Flink", n)
	}
	for _, sql := range list {
		s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
		if o := execute(s, sql); o.err != nil {
			t.Errorf("%s: %v", sql, o.err)
		}
		beyondFlink(t, s, sql)
		if o := execute(s, "SET 'streamsql.dialect' = 'flink'"); o.err != nil {
			t.Fatal(o.err)
		}
		var e *syntax.Error
		o := execute(s, sql)
		if !errors.As(o.err, &e) || !slices.Contains([]syntax.Code{bind.CodeDialect, syntax.CodeWidening}, e.Code) || e.Hint == "" || e.Span.End == 0 {
			t.Errorf("%s: the flink dialect gives %v", sql, o.err)
		}
		if o := execute(s, "RESET 'streamsql.dialect'"); o.err != nil {
			t.Fatal(o.err)
		}
		if o := execute(s, sql); o.err != nil {
			t.Errorf("%s behind RESET: %v", sql, o.err)
		}
	}
}

// beyondFlink: lint names what a statement has beyond Flink, and translate replaces it or refuses it at its place.
func beyondFlink(t *testing.T, s *planner.Session, sql string) {
	t.Helper()
	l, err := s.Lint(sql)
	if err != nil || len(l.Extensions) == 0 {
		t.Errorf("%s: lint names no extension: %v", sql, err)
		return
	}
	for _, x := range l.Extensions {
		if x.What == "" || x.Instead == "" || x.End <= x.Pos {
			t.Errorf("%s: lint gives %+v", sql, x)
		}
	}
	out, err := s.Translate(sql)
	var e *syntax.Error
	switch {
	case err == nil && out.Text == sql:
		t.Errorf("%s: translate leaves it as it is", sql)
	case err != nil && (!errors.As(err, &e) || e.Code != bind.CodeDialect || e.Hint == "" || e.Span.End == 0):
		t.Errorf("%s: translate gives %v", sql, err)
	}
}
