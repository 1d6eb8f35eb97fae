package op

import (
	"fmt"
	"math"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Limit passes the rows at the places From to To on, counted from 1 in the order in which they come. The input holds inserts
// only. All that it remembers is how many rows came, which time to live does not make it forget: it is Filled once To did.
type Limit struct {
	From, To int64 // math.MaxInt64 is no end
}

// String implements Spec.
func (s *Limit) String() string {
	switch {
	case s.To == math.MaxInt64:
		return fmt.Sprintf("Limit(offset=[%d])", s.From-1)
	case s.From > 1:
		return fmt.Sprintf("Limit(offset=[%d], fetch=[%d])", s.From-1, s.To-s.From+1)
	}
	return fmt.Sprintf("Limit(fetch=[%d])", s.To)
}

// New implements Spec.
func (s *Limit) New() Operator { return &limit{spec: s} }

type limit struct {
	spec  *Limit
	store *state.Store
	one   *state.Keyed // has one group once rows came
	count *state.Pages[int64]
	seen  int64 // what count says
	own   []vector.Column
	out   vector.Batch
}

// Open implements Operator.
func (o *limit) Open(c *Context) error {
	o.store = c.Store(o.spec)
	o.one = o.store.Keyed("limit", nil, nil)
	o.count = state.NewPages[int64](o.one)
	o.one.OnRestore(func() {
		for _, g := range o.one.Groups(nil) {
			o.seen += o.count.At(g)
		}
	})
	return o.store.Open()
}

// Process implements Operator.
func (o *limit) Process(_ int, b *vector.Batch, out Output) error {
	from, to := max(o.spec.From-1-o.seen, 0), min(o.spec.To-o.seen, int64(b.Len))
	if o.Filled() {
		return nil
	}
	o.seen = min(o.seen+int64(b.Len), o.spec.To)
	group := o.one.Lookup(nil, 1)
	o.one.Own(group)
	o.count.Set(group[0], o.seen)
	switch {
	case from >= to:
		return o.store.Err()
	case to-from == int64(b.Len):
		return out.Emit(b)
	}
	if len(o.own) < len(b.Cols) {
		o.own, o.out.Cols = owned(len(b.Cols))
	}
	for i, c := range b.Cols {
		vector.Slice(&o.own[i], c, int(from), int(to-from))
	}
	o.out.Len, o.out.Cols = int(to-from), o.out.Cols[:len(b.Cols)]
	return out.Emit(&o.out)
}

// Filled implements Filled.
func (o *limit) Filled() bool { return o.seen >= o.spec.To }

// Advance implements Operator.
func (o *limit) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *limit) Close() error { return nil }
