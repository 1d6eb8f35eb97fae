package function

import (
	"fmt"
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestDateFormatSame: where all rows have one text the result says so, so that it is handled once; lanes that nobody asked
// for, NULLs and a second day are none of it.
func TestDateFormatSame(t *testing.T) {
	const day = 86_400_000
	ts, text := types.TimestampOf(3).WithNull(true), types.String()
	args := []Arg{{Type: ts}, {Type: text, Const: vector.ConstText(text, "yyyy-MM-dd", 1)}}
	kern, err := Lookup("DATE_FORMAT").Bind(Binding{Args: args, Result: text.WithNull(true), Env: testEnv})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		times  []int64
		null   int
		active []uint64
		want   string
	}{
		{[]int64{5, 3, day - 1}, -1, nil, "[1970-01-01 1970-01-01 1970-01-01] true"},
		{[]int64{7}, -1, nil, "[1970-01-01] true"},
		{[]int64{5, 3, day}, -1, nil, "[1970-01-01 1970-01-01 1970-01-02] false"},
		{[]int64{5, 3, 4}, 1, nil, "[1970-01-01 NULL 1970-01-01] false"},
		{[]int64{5, 3, 4}, -1, []uint64{7}, "[1970-01-01 1970-01-01 1970-01-01] false"},
	} {
		in, out := vector.OfSlice(ts, c.times), &vector.Column{}
		out.Reset(text.WithNull(true), len(c.times))
		if c.null >= 0 {
			in.SetNull(c.null)
			copy(out.AllocValid(), in.Valid)
		}
		pattern := vector.ConstText(text, "yyyy-MM-dd", len(c.times))
		var call Call
		call.Reset(out, []*vector.Column{in, pattern}, c.active)
		kern(&call)
		var got []string
		for i := range c.times {
			if out.Null(i) {
				got = append(got, "NULL")
			} else {
				got = append(got, string(vector.Text(out, i)))
			}
		}
		if have := fmt.Sprint(got, " ", call.Same); have != c.want {
			t.Errorf("%v: %s, want %s", c.times, have, c.want)
		}
	}
}
