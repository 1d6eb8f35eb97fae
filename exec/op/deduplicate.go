package op

import (
	"math"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Deduplicate keeps one row of each key: the one with the least or the greatest time. Of rows with equal times it
// is the first or the last that came. The input holds inserts only; the output has its first columns.
//
// A last row is given as soon as it comes, with at most one change per key and batch: +I for a new key, -U and +U
// when another row is kept. All -U of a batch stand before its other rows. A first row is given once and stays: by
// event time when the watermark has reached it, where rows behind the watermark are dropped and counted.
type Deduplicate struct {
	Keys []expr.Expr
	// Time is the position of a TIMESTAMP or TIMESTAMP_LTZ of milliseconds.
	Time int
	Last bool
	// Proctime goes by the order in which rows come instead of their times.
	Proctime bool
	Types    []types.Type
	Names    []string
	// NoUpdateBefore leaves -U rows out, where no consumer needs them. Nothing but times is then remembered.
	NoUpdateBefore bool
	// TTL forgets a key that got no row for this long by the clock; 0 never does.
	TTL time.Duration
	// Scattered keeps keys that are integers near each other apart.
	Scattered bool
}

// String implements Spec.
func (s *Deduplicate) String() string {
	keep, order := "FirstRow", "ROWTIME"
	if s.Last {
		keep = "LastRow"
	}
	if s.Proctime {
		order = "PROCTIME"
	}
	return "Deduplicate(keep=[" + keep + "], key=[" + exprText(s.Keys) + "], order=[" + order + "]" + scatteredText(s.Scattered) + ")"
}

// New implements Spec.
func (s *Deduplicate) New() Operator {
	if !s.Last && !s.Proctime {
		return &firstRows{spec: s}
	}
	return &deduplicate{spec: s}
}

// table declares the table of keys.
func (s *Deduplicate) table(store *state.Store) *state.Keyed {
	keys := make([]types.Type, len(s.Keys))
	for i, e := range s.Keys {
		keys[i] = e.Type()
	}
	t := store.Keyed("keys", nil, keys)
	if s.Scattered {
		t.Scatter()
	}
	return t
}

// deduplicate keeps last rows, and first ones by the order in which they come.

type deduplicate struct {
	spec  *Deduplicate
	store *state.Store
	ev    *expr.Evaluator
	table *state.Keyed
	times *state.Pages[int64] // of the rows that are kept; nil where their order says enough
	// kept holds the rows, where they may be taken back, and row is the one of each key, plus one.
	kept *payload
	row  *state.Pages[int32]
	// won is the row of the batch that a key keeps, plus one; fresh tells keys that are new in the batch.
	won   *state.Pages[int32]
	fresh *state.Pages[uint32]
	batch uint32
	ttl   *state.TTL // or nil
	clock func() time.Time

	groups, touched, rows, old []int32
	winners                    []int32
	kinds                      []vector.RowKind
	time                       vector.Column
	own                        []vector.Column
	out                        vector.Batch
}

// Open implements Operator.
func (o *deduplicate) Open(c *Context) error {
	s := o.spec
	var err error
	if o.ev, err = expr.New(s.Keys, c.Env); err != nil {
		return err
	}
	o.store = c.Store(s)
	o.table = s.table(o.store)
	if !s.Proctime {
		o.times = state.NewPages[int64](o.table)
	}
	o.won, o.fresh = state.NewDerived[int32](o.table), state.NewDerived[uint32](o.table)
	if s.TTL > 0 {
		o.ttl, o.clock = state.NewTTL(o.table, s.TTL), c.Env.Now
	}
	if !s.NoUpdateBefore && s.Last {
		o.kept = newPayload(o.table, "rows", s.Types, s.Keys, false)
		o.row = o.kept.single()
	}
	o.own, o.out.Cols = owned(len(s.Types))
	return o.store.Open()
}

// Process implements Operator.
func (o *deduplicate) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.ev.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	var now time.Time
	if o.ttl != nil {
		now = o.clock()
		o.forget(o.ttl.Sweep(now))
	}
	o.groups = append(o.groups[:0], o.table.Lookup(keys, b.Len)...)
	o.table.Own(o.groups)
	o.batch++
	o.begin(o.table.Fresh())
	if o.ttl != nil {
		o.begin(o.ttl.Touch(o.groups, now))
	}
	o.choose(b)
	if err := o.store.Err(); err != nil || len(o.touched) == 0 {
		return err
	}
	if err := o.emitOld(out); err != nil {
		return err
	}
	if err := o.emitNew(b, out); err != nil {
		return err
	}
	o.keep(b)
	return o.store.Err()
}

// begin makes keys new: none of their rows counts.
func (o *deduplicate) begin(groups []int32) {
	for _, g := range groups {
		o.fresh.Set(g, o.batch)
		if o.times != nil {
			o.times.Set(g, math.MinInt64)
		}
	}
}

// choose finds the row of the batch that each key keeps, where it is not the one that it has.
func (o *deduplicate) choose(b *vector.Batch) {
	o.touched = o.touched[:0]
	won := o.won.All()
	switch {
	case o.times == nil && o.spec.Last:
		for i, g := range o.groups {
			w := &won[g>>state.PageShift][g&state.PageMask]
			if *w == 0 {
				o.touched = append(o.touched, g)
			}
			*w = int32(i) + 1
		}
	case o.times == nil:
		fresh, now := o.fresh.All(), o.batch
		for i, g := range o.groups {
			p, at := g>>state.PageShift, g&state.PageMask
			if fresh[p][at] == now && won[p][at] == 0 {
				won[p][at] = int32(i) + 1
				o.touched = append(o.touched, g)
			}
		}
	default:
		vector.Flatten(&o.time, b.Cols[o.spec.Time])
		v, times := vector.Values[int64](&o.time)[:len(o.groups)], o.times.All()
		for i, g := range o.groups {
			p, at := g>>state.PageShift, g&state.PageMask
			if v[i] < times[p][at] {
				continue
			}
			w := &won[p][at]
			if times[p][at] = v[i]; *w == 0 {
				o.touched = append(o.touched, g)
			}
			*w = int32(i) + 1
		}
	}
}

// emitOld passes the rows on that are replaced.
func (o *deduplicate) emitOld(out Output) error {
	if o.kept == nil {
		return nil
	}
	o.old = o.old[:0]
	for _, g := range o.touched {
		if o.fresh.At(g) != o.batch {
			o.old = append(o.old, o.row.At(g)-1)
		}
	}
	if len(o.old) == 0 {
		return nil
	}
	o.kept.values(o.own, o.old)
	o.kinds = o.kinds[:0]
	for range o.old {
		o.kinds = append(o.kinds, vector.UpdateBefore)
	}
	o.out.Len, o.out.Kinds = len(o.old), o.kinds
	return out.Emit(&o.out)
}

// emitNew passes the rows of the batch on that are kept.
func (o *deduplicate) emitNew(b *vector.Batch, out Output) error {
	o.winners, o.kinds = o.winners[:0], o.kinds[:0]
	for _, g := range o.touched {
		o.winners = append(o.winners, o.won.At(g)-1)
		o.won.Set(g, 0)
		kind := vector.UpdateAfter
		if o.fresh.At(g) == o.batch {
			kind = vector.Insert
		}
		o.kinds = append(o.kinds, kind)
	}
	for i := range o.own {
		vector.Take(&o.own[i], b.Cols[i], o.winners)
	}
	o.out.Len, o.out.Kinds = len(o.winners), o.kinds
	if !changed(o.kinds) {
		o.out.Kinds = nil
	}
	return out.Emit(&o.out)
}

// keep remembers the rows of the batch that are kept.
func (o *deduplicate) keep(b *vector.Batch) {
	if o.kept == nil {
		o.table.Compact()
		return
	}
	o.rows = o.rows[:0]
	for _, g := range o.touched {
		v := o.row.At(g) - 1
		if v < 0 {
			v = o.kept.rows.Reserve()
			o.row.Set(g, v+1)
		}
		o.rows = append(o.rows, v)
	}
	o.kept.rows.Own(o.rows)
	o.kept.fill(o.rows, o.touched, b.Cols, o.winners)
	o.kept.rows.Compact()
}

// forget removes keys.
func (o *deduplicate) forget(groups []int32) {
	if len(groups) == 0 {
		return
	}
	if o.kept != nil {
		o.rows = o.rows[:0]
		for _, g := range groups {
			o.rows = append(o.rows, o.row.At(g)-1)
		}
		o.kept.rows.Remove(o.rows)
	}
	o.table.Remove(groups)
}

// Advance implements Operator.
func (o *deduplicate) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *deduplicate) Close() error { return nil }
