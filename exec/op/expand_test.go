package op_test

import (
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// TestExpand: every row comes once per set, with its kind.
func TestExpand(t *testing.T) {
	list := []types.Type{str, bigint}
	a, b := col(0, str), col(1, bigint)
	spec := &op.Expand{Names: []string{"a", "b", "$e"}, Sets: [][]expr.Expr{
		{a, b, long(0)}, {a, expr.Null(bigint), long(1)}, {expr.Null(str), expr.Null(bigint), long(2)}}}
	rows := optest.Parse(t, list, "x 1\n-U a_text_of_more_than_twelve_bytes 2\n+U \\N 3")
	want := `x 1 0
x \N 1
\N \N 2
-U a_text_of_more_than_twelve_bytes 2 0
-U a_text_of_more_than_twelve_bytes \N 1
-U \N \N 2
+U \N 3 0
+U \N \N 1
+U \N \N 2
`
	for _, enc := range optest.Encodings {
		if got, err := optest.Replay(t, spec, rows, 1, enc); err != nil || got != want {
			t.Errorf("%s: got\n%s%v\nwant\n%s", enc, got, err, want)
		}
	}
	if got, want := spec.String(), "Expand(projects=[{a, b, 0}, {a, NULL, 1}, {NULL, NULL, 2}])"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
