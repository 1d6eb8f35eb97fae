package op_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// stamps writes down the times of what is emitted, from a time on: columns 1 and 3.
type stamps struct {
	b    strings.Builder
	from int64
}

func (s *stamps) Emit(b *vector.Batch) error {
	for i := range b.Len {
		s.b.WriteString(b.Kind(i).String())
		for _, c := range []int{1, 3} {
			if b.Cols[c].Null(i) {
				s.b.WriteString(" NULL")
			} else {
				fmt.Fprintf(&s.b, " %d", vector.Value[int64](b.Cols[c], i)-s.from)
			}
		}
		s.b.WriteString("\n")
	}
	return nil
}

func (s *stamps) Advance(types.EventTime) error { return nil }

// TestClockJoin: rows have the time at which they come, whatever they were stamped with before; the clock ends them, and gives
// those that found no partner, the end of input too.
func TestClockJoin(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.TimestampLTZOf(3)}
	spec := equiJoin(op.FullJoin, list, list)
	c := columnsOf(list)
	spec.Once, spec.Stamps = true, []int{1, 1}
	spec.Until = [2][]op.Until{{{Time: c[1], Delay: time.Second}}, {{Time: c[1]}}} // left <= right <= left + 1 s
	now := time.UnixMilli(1_700_000_000_000)
	start := now
	o := spec.New().(op.Clocked)
	must(t, o.Open(&op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC, Now: func() time.Time { return now }}}))
	out := &stamps{from: start.UnixMilli()}
	row := func(side int, key int32) {
		cols := []*vector.Column{vector.OfSlice(list[0], []int32{key}), vector.OfSlice(list[1], []int64{5})}
		must(t, o.Process(side, &vector.Batch{Len: 1, Cols: cols}, out))
	}
	want := func(when, text string) {
		t.Helper()
		if got := out.b.String(); got != text {
			t.Errorf("%s: got\n%swant\n%s", when, got, text)
		}
		out.b.Reset()
	}
	row(0, 1)
	row(0, 2)
	now = now.Add(700 * time.Millisecond)
	row(1, 1)
	row(1, 3)
	want("a pair, and a row of the right that no later one is joined with", "+I 0 700\n+I NULL 700\n")
	row(0, 3)
	now = start.Add(1200 * time.Millisecond)
	must(t, o.Tick(types.EventTime(now.UnixMilli()), out))
	want("over", "+I 0 NULL\n")
	row(1, 2)
	want("too late", "+I NULL 1200\n")
	if next := int64(o.NextTick()) - start.UnixMilli(); next < 1700 || next > 1700+256 {
		t.Errorf("due at %d", next)
	}
	if _, err := o.Advance(5, out); err != nil {
		t.Fatal(err)
	}
	want("a watermark says nothing", "")
	if _, err := o.Advance(types.MaxTime, out); err != nil {
		t.Fatal(err)
	}
	want("the end", "+I 700 NULL\n")
}
