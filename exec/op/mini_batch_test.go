package op_test

import (
	"strings"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// batched is a count by key under mini-batches, and what it gives.
type batched struct {
	t   *testing.T
	o   op.Operator
	out kinds
}

func newBatched(t *testing.T, m op.MiniBatch, before bool, ttl time.Duration, now func() time.Time) *batched {
	c := columnsOf([]types.Type{types.Of(types.Int)})
	spec := &op.GroupAggregate{Keys: c, Aggs: []op.AggregateCall{aggregateOf(t, "COUNT")}, Names: namesOf(2), Retracts: true, MiniBatch: m,
		NoUpdateBefore: !before, TTL: ttl}
	b := &batched{t: t, o: spec.New()}
	must(t, b.o.Open(&op.Context{MaxRows: 2, Env: &function.Env{Zone: time.UTC, Now: now}}))
	return b
}

func (b *batched) rows(kind vector.RowKind, keys ...int32) {
	must(b.t, b.o.Process(0, numberChange(kind, keys...), &b.out))
}

func (b *batched) tick(at types.EventTime) {
	if c := b.o.(op.Clocked); c.NextTick() <= at {
		must(b.t, c.Tick(at, &b.out))
	}
}

// gave is what came since the last time.
func (b *batched) gave(want string) {
	b.t.Helper()
	if got := strings.TrimSpace(b.out.b.String()); got != want {
		b.t.Errorf("got %q, want %q", got, want)
	}
	b.out.b.Reset()
}

// TestMiniBatch: within the time that it may take, or until there were so many rows, a group is given once: as it became,
// with what it was before, and not at all where it came and went.
func TestMiniBatch(t *testing.T) {
	b := newBatched(t, op.MiniBatch{Latency: 100 * time.Millisecond, Rows: 10}, true, 0, nil)
	b.rows(vector.Insert, 1, 2, 1)
	b.tick(1000)
	b.rows(vector.Insert, 1)
	b.rows(vector.Insert, 3)
	b.rows(vector.Delete, 3)
	b.tick(1099)
	b.gave("")
	b.tick(1100)
	b.gave("+I3 +I1")
	b.tick(5000)
	b.rows(vector.Insert, 2)
	b.rows(vector.Delete, 1, 1, 1)
	b.rows(vector.Insert, 3, 3)
	b.gave("")
	must(t, b.o.(op.Holder).Flush(&b.out)) // as before a barrier
	b.gave("-U1 +U2 -D3 +I2")
	b.rows(vector.Insert, 2)
	b.rows(vector.Delete, 2) // as it was
	b.rows(vector.Insert, 1, 1, 1, 1, 1, 1, 1, 1)
	b.gave("+I8")
	b.rows(vector.Delete, 3, 3)
	b.rows(vector.Insert, 3)
	_, err := b.o.Advance(types.MaxTime, &b.out)
	must(t, err)
	b.gave("-U2 +U1")
}

// TestMiniBatchPauses: giving changes takes no more than its share of the time.
func TestMiniBatchPauses(t *testing.T) {
	b := newBatched(t, op.MiniBatch{Latency: 100 * time.Millisecond, Pause: 50}, false, 0, nil)
	for _, s := range []struct {
		at   types.EventTime
		want string
	}{{1000, ""}, {1100, "+I2"}, {1110, ""}, {1300, ""}, {1609, ""}, {1610, "+U6"}, {1610, ""}, {1709, ""}, {1710, "+U9"}} {
		b.rows(vector.Insert, 1)
		b.tick(s.at)
		b.gave(s.want)
	}
}

// TestMiniBatchTTL: a group that expired while it is held is given first, and starts anew.
func TestMiniBatchTTL(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	b := newBatched(t, op.MiniBatch{Latency: time.Hour}, false, time.Second, func() time.Time { return now })
	b.rows(vector.Insert, 1, 1, 2)
	now = now.Add(900 * time.Millisecond)
	b.rows(vector.Insert, 1)
	b.gave("")
	now = now.Add(1100 * time.Millisecond)
	b.rows(vector.Insert, 1)
	b.gave("+I3 +I1")
	must(t, b.o.(op.Holder).Flush(&b.out))
	b.gave("+I1")
	now = now.Add(1100 * time.Millisecond)
	b.rows(vector.Insert, 2)
	b.rows(vector.Insert, 1, 1)
	must(t, b.o.(op.Holder).Flush(&b.out))
	b.gave("+I1 +I2")
}
