package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

func TestScript(t *testing.T) {
	cases := []struct{ src, want string }{
		{"", ""},
		{" ; ;; -- nothing\n", ""},
		{"SELECT 1", "SELECT 1 (open)"},
		{"SELECT ';' ; SELECT `;` -- ; x\n , 2 /* ; */;", "SELECT ';' | SELECT `;` -- ; x\n , 2"},
		{"SELECT // don't ; stop\n1; SELECT 2", "SELECT // don't ; stop\n1 | SELECT 2 (open)"},
		{"SET k = a;b", "SET k = a | b (open)"},
		{"SELECT 'it''s;", "SELECT 'it''s; (open quote)"},
		{"SELECT 1; SELECT `a", "SELECT 1 | SELECT `a (open quote)"},
		{"SELECT /* x ;", "SELECT /* x ; (open comment)"},
		{"SELECT @ ; SELECT 2;", "SELECT @ | SELECT 2"},
		{
			"EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE 1 WHEN 2 THEN 3 END; INSERT INTO b SELECT 1; END; SELECT 1;",
			"EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE 1 WHEN 2 THEN 3 END; INSERT INTO b SELECT 1; END | SELECT 1",
		},
		{"EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1;", "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; (open set)"},
		{"STATEMENT SET BEGIN INSERT INTO a SELECT 1; END", "STATEMENT SET BEGIN INSERT INTO a SELECT 1; END (open)"},
		{"BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END;", "BEGIN STATEMENT SET | INSERT INTO a SELECT 1 | END"},
		{"EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; END; x", "EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; END | x (open)"},
	}
	for _, c := range cases {
		var parts []string
		for _, s := range parse.Script(c.src) {
			part := s.Text
			if !s.Terminated {
				part += " (open" + [...]string{"", " quote", " comment", " set"}[s.Open] + ")"
			}
			parts = append(parts, part)
		}
		if got := strings.Join(parts, " | "); got != c.want {
			t.Errorf("%q\ngot  %s\nwant %s", c.src, got, c.want)
		}
	}
}

// TestScriptPositions: a statement's positions are those of the script.
func TestScriptPositions(t *testing.T) {
	src := "SELECT 1;\n  SELECT a FROM t;\nSELECT x y z;\nSELECT FROM;\nSELECT a FROM ;"
	var got []string
	for _, s := range parse.Script(src) {
		stmt, err := s.Parse()
		if e, ok := err.(*syntax.Error); ok {
			line, column := syntax.LineColumn(src, e.Pos)
			got = append(got, fmt.Sprintf("%d:%d %v", line, column, syntax.Incomplete(e)))
		} else {
			line, column := syntax.LineColumn(src, stmt.At().Pos)
			got = append(got, fmt.Sprintf("%d:%d", line, column))
		}
	}
	if want := "1:1 2:3 3:12 false 4:8 false 5:15 false"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestIncompleteInput(t *testing.T) {
	for src, want := range map[string]bool{
		"SELECT a FROM": true, "SELECT 'a": true, "SELECT (1 +": true, "CREATE TABLE t (a INT": true, "INSERT INTO": true,
		"SELECT a FROM t /*+ OPTIONS( */": false, "SELECT a FROM t /*+ OPTIONS('a */": false, "SELECT a FROM;": false, "SELECT a b c": false, "SELECT @": false, "": false,
	} {
		if _, err := parse.Statement(src); syntax.Incomplete(err) != want {
			t.Errorf("%s: incomplete %v, want %v (%v)", src, !want, want, err)
		}
	}
}

func TestSubstitute(t *testing.T) {
	values := map[string]string{"T": "bid", "n.x": "7", "E": ""}
	lookup := func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	cases := []struct{ src, want, err string }{
		{"SELECT ${n.x} FROM ${T}", "SELECT 7 FROM bid", ""},
		{"'$dt $hm:00' $f0 $", "'$dt $hm:00' $f0 $", ""},
		{"${E}${U:-x y}${T:-z}|${U:-}", "x ybid|", ""},
		{"${} ${ T} ${1} ${T", "${} ${ T} ${1} ${T", ""},
		{"a\n ${U} b", "", "2:2-2:6 no value for ${U}"},
		{"-- ${U} ${T}\n'${T}' /* ${U} */", "-- ${U} bid\n'bid' /* ${U} */", ""},
		{"'-- ${U}'", "", "1:5-1:9 no value for ${U}"},
	}
	for _, c := range cases {
		got, err := parse.Substitute(c.src, lookup)
		if e, ok := err.(*syntax.Error); ok {
			l1, c1 := syntax.LineColumn(c.src, e.Pos)
			l2, c2 := syntax.LineColumn(c.src, e.End)
			if place := fmt.Sprintf("%d:%d-%d:%d %s", l1, c1, l2, c2, e.Msg); place != c.err {
				t.Errorf("%q: error %s, want %s", c.src, place, c.err)
			}
		} else if got != c.want || c.err != "" {
			t.Errorf("%q: got %q, want %q %s", c.src, got, c.want, c.err)
		}
	}
}

func TestOpenVariable(t *testing.T) {
	for src, want := range map[string]bool{
		"": false, "${T}": false, "${T": true, "${T:-a;": true, "${T:-a;}": false, "'${T';": false, "${}": false, "${ ${T}": false,
		"${T} ${U:-;": true, "${T:-${U": true, "$ {T": false,
	} {
		if got := parse.OpenVariable(src); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}
