package print

import (
	"bytes"
	"errors"
	"testing"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no paper") }

func TestPrint(t *testing.T) {
	b := &vector.Batch{Len: 2, Cols: []*vector.Column{
		vector.OfSlice(types.Of(types.Int), []int32{1, 2}), vector.ConstText(types.String(), "a", 2), vector.ConstNull(types.Of(types.Int), 2),
	}, Kinds: []vector.RowKind{vector.Insert, vector.UpdateBefore}}
	for _, c := range []struct {
		opts         map[string]string
		parallelism  int
		stdout, errs string
	}{
		{nil, 1, "+I[1, a, null]\n-U[2, a, null]\n", ""},
		{map[string]string{"print-identifier": "w"}, 1, "w> +I[1, a, null]\nw> -U[2, a, null]\n", ""},
		{map[string]string{"print-identifier": "w", "standard-error": "true"}, 3, "", "w:2> +I[1, a, null]\nw:2> -U[2, a, null]\n"},
		{nil, 3, "2> +I[1, a, null]\n2> -U[2, a, null]\n", ""},
	} {
		o := Definition.Options()
		if err := option.Decode(o, c.opts); err != nil {
			t.Fatal(err)
		}
		s, err := Definition.Sink(&connector.Table{Options: o})
		if err != nil || !s.Changelog() {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		w, err := s.Open(&connector.Context{Subtask: 1, Parallelism: c.parallelism, Stdout: &stdout, Stderr: &stderr})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(b); err != nil || stdout.String() != c.stdout || stderr.String() != c.errs {
			t.Errorf("%v: printed %q and %q, %v", c.opts, stdout.String(), stderr.String(), err)
		}
	}
	w, err := sink{new(options)}.Open(&connector.Context{Stdout: broken{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(b); err == nil || err.Error() != "print: write: no paper" {
		t.Errorf("broken stream: %v", err)
	}
}
