package op_test

import (
	"bytes"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// marks takes the watermarks of an operator.
type marks struct{ at []types.EventTime }

func (m *marks) Emit(*vector.Batch) error { return nil }

func (m *marks) Advance(t types.EventTime) error {
	m.at = append(m.at, t)
	return nil
}

// TestWatermarkSplitsRestored: each split goes on with its own watermark, wherever it is read, and what was passed on
// is not passed on once more. Splits that are read elsewhere are not kept.
func TestWatermarkSplitsRestored(t *testing.T) {
	spec := &op.Watermark{Column: 0, Name: "a", Expr: col(0, ts)}
	open := func(names []string, from ...*bytes.Buffer) (op.Operator, *state.Store) {
		s := state.NewStore(state.Options{})
		for _, b := range from {
			if err := s.LoadTimes(bytes.NewReader(b.Bytes())); err != nil {
				t.Fatal(err)
			}
		}
		o := spec.New()
		if err := o.Open(&op.Context{MaxRows: 10, State: s, Splits: names}); err != nil {
			t.Fatal(err)
		}
		return o, s
	}
	feed := func(o op.Operator, split int, at int64, out op.Output) {
		var c vector.Column
		vector.SetSlice(&c, ts, []int64{at})
		o.(op.Divided).Split(split)
		if err := o.Process(0, &vector.Batch{Len: 1, Cols: []*vector.Column{&c}}, out); err != nil {
			t.Fatal(err)
		}
	}
	save := func(s *state.Store) *bytes.Buffer {
		b := &bytes.Buffer{}
		if err := s.Freeze(true).Write(b); err != nil {
			t.Fatal(err)
		}
		return b
	}
	out := &marks{}
	first, firstState := open([]string{"a", "b"})
	feed(first, 0, 10, out)
	feed(first, 1, 20, out)
	second, secondState := open([]string{"c"})
	feed(second, 0, 30, out)
	if len(out.at) != 2 || out.at[0] != 10 || out.at[1] != 30 {
		t.Fatalf("passed on %v", out.at)
	}
	out.at = nil
	joined, joinedState := open([]string{"b", "c"}, save(firstState), save(secondState))
	if err := joined.(op.Divided).EndSplit(1, out); err != nil {
		t.Fatal(err)
	}
	feed(joined, 0, 15, out) // behind what its split had reached
	if len(out.at) != 1 || out.at[0] != 20 {
		t.Errorf("passed on %v, want 20 of split b", out.at)
	}
	if got := joinedState.Time("running a", -1); got != -1 {
		t.Errorf("the split a is kept: %d", got)
	}
}
