package filesystem

import (
	"path/filepath"
	"strings"
	"testing"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestPrune: files of partitions that conditions on their keys drop are no splits; other conditions drop none.
func TestPrune(t *testing.T) {
	cols := []connector.Column{{Name: "a", Type: integer}, {Name: "dt", Type: str}, {Name: "h", Type: integer}}
	dir := filepath.Join(t.TempDir(), "k")
	opts := map[string]string{"path": dir, "format": "csv"}
	insert(t, cols, []int{1, 2}, opts, `{"a":1,"dt":"x","h":1}
{"a":2,"dt":"x","h":2}
{"a":3,"dt":"y","h":1}
{"a":4,"h":1}`)
	call := func(name string, column int, v *vector.Column) expr.Expr {
		return &expr.Call{Fn: function.Must(name), Pos: -1, T: types.Of(types.Boolean),
			List: []expr.Expr{&expr.Column{Index: column, Name: cols[column].Name, T: cols[column].Type}, expr.NewConst(v, "")}}
	}
	text := func(v string) *vector.Column { return vector.ConstText(str, v, 1) }
	number := func(v int32) *vector.Column { return vector.ConstOf(integer, v, 1) }
	for _, c := range []struct {
		name    string
		filters []expr.Expr
		want    string
	}{
		{"none", nil, "dt=__DEFAULT_PARTITION__/h=1 dt=x/h=1 dt=x/h=2 dt=y/h=1"},
		{"text", []expr.Expr{call("=", 1, text("x"))}, "dt=x/h=1 dt=x/h=2"},
		{"both", []expr.Expr{call("=", 1, text("x")), call(">", 2, number(1))}, "dt=x/h=2"},
		{"one that the path does not decide", []expr.Expr{call("=", 0, number(9)), call("=", 2, number(2))}, "dt=x/h=2"},
		{"nothing", []expr.Expr{call("=", 1, text("z"))}, ""},
	} {
		s, err := open(t, cols, []int{1, 2}, opts)
		if err != nil {
			t.Fatal(err)
		}
		accepted := s.Push(connector.Request{Filters: c.filters, Limit: -1})
		for _, a := range accepted.Filters {
			if a {
				t.Errorf("%s: a condition was taken from the engine", c.name)
			}
		}
		splits, err := s.Splits(1)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range splits {
			folder, err := filepath.Rel(dir, filepath.Dir(x.ID))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, folder)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %s", c.name, got, c.want)
		}
	}
}
