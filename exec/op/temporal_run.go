package op

import (
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// temporalJoin holds the rows of input 0 until the watermark has reached them, and versions of input 1.
type temporalJoin struct {
	spec    *TemporalJoin
	store   *state.Store
	keys    *state.Keyed // of both inputs
	exprs   [2]*expr.Evaluator
	nullFor []bool
	held    *payload
	due     *state.Timers
	// waiting is how many rows of a key are held.
	waiting *state.Pages[int32]
	// changes are what tells rows of input 0 apart where it holds more than inserts; nil elsewhere.
	changes *temporalChanges
	ttl     *state.TTL // or nil
	clock   func() time.Time
	*versions
	filter  *expr.Filter
	maxRows int
	time    types.EventTime // the watermark
	late    [2]int64        // rows of each input behind it

	nulls         []uint64
	sel           []int32
	groups        []int32
	lapsed        []int32 // keys whose versions were dropped
	ids           []int32
	times, stamps []int64
	stamp         vector.Column
	chosen        []vector.Column
	rowsOf        []int32 // those of the rows that are given that have a version, the positions of which are in sel
	codes         []int32
	entries       []vector.Dictionary
	own           []vector.Column
	cols          []*vector.Column
	kinds         []vector.RowKind
	out           vector.Batch
}

// Open implements Operator.
func (o *temporalJoin) Open(c *Context) (err error) {
	s := o.spec
	o.store, o.maxRows = c.Store(s), c.MaxRows
	list := KeyTypes(s.Keys[0], s.Keys[1])
	for side := range o.exprs {
		if o.exprs[side], err = expr.New(s.Keys[side], c.Env); err != nil {
			return err
		}
	}
	if len(s.Residual) > 0 {
		if o.filter, err = expr.NewFilter(s.Residual, c.Env); err != nil {
			return err
		}
	}
	o.nullFor = make([]bool, len(list))
	o.keys = o.store.Keyed("keys", nil, list)
	o.held = newPayload(o.keys, "rows", s.Types[0], nil, false)
	o.due = state.NewTimers(o.held.rows, 32)
	o.waiting = state.NewDerived[int32](o.keys)
	o.held.rows.OnRestore(func() {
		for _, v := range o.held.rows.Groups(nil) {
			g := int32(o.held.rows.Word(0, v))
			o.waiting.Set(g, o.waiting.At(g)+1)
		}
	})
	o.versions = newVersions(o.keys, s.Types[1], nil)
	o.time = types.EventTime(o.store.Time("time", int64(types.MinTime)))
	if s.Retracts {
		o.changes = newTemporalChanges(o.time, o.held.rows)
	}
	if s.TTL > 0 {
		o.ttl, o.clock = state.NewTTL(o.keys, s.TTL), c.Env.Now
	}
	o.own, o.cols = owned(len(s.Types[0]) + len(s.Types[1]))
	o.chosen, o.entries = make([]vector.Column, len(s.Types[1])), make([]vector.Dictionary, len(s.Types[1]))
	return o.store.Open()
}

// Process implements Operator.
func (o *temporalJoin) Process(input int, b *vector.Batch, out Output) error {
	keys, err := o.exprs[input].Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	times := o.timesOf(b.Cols[o.spec.Times[input]], b.Len)
	o.count(input, times)
	nulls := nullKeys(o.nulls, keys, o.nullFor, b.Len)
	if nulls != nil {
		o.nulls = nulls
	}
	o.sweep()
	o.groups = append(o.groups[:0], o.keys.Lookup(keys, b.Len)...)
	o.keys.Own(o.groups)
	if o.ttl != nil {
		o.lapse(o.ttl.Touch(o.groups, o.clock()))
	}
	if input == 0 {
		o.hold(b, nulls, times)
	} else {
		o.learn(b, nulls, times)
	}
	o.groups = o.groups[:0]
	for _, g := range o.keys.Fresh() {
		if o.waiting.At(g) == 0 && o.newest.At(g) == 0 {
			o.groups = append(o.groups, g)
		}
	}
	o.keys.Remove(o.groups)
	return o.store.Err()
}

// timesOf are the times of rows. One that has none is before all versions.
func (o *temporalJoin) timesOf(c *vector.Column, n int) []int64 {
	vector.Flatten(&o.stamp, c)
	times := vector.Values[int64](&o.stamp)[:n]
	if o.stamp.Valid == nil {
		return times
	}
	o.stamps = append(o.stamps[:0], times...)
	for r := range o.stamps {
		if !kernel.Bit(o.stamp.Valid, r) {
			o.stamps[r] = int64(types.MinTime)
		}
	}
	return o.stamps
}

// count counts the rows of a batch that are behind the watermark. One without a time is before everything, and is not late.
func (o *temporalJoin) count(input int, times []int64) {
	for _, t := range times {
		if t <= int64(o.time) && t > int64(types.MinTime) {
			o.late[input]++
		}
	}
}

// hold keeps the rows of a batch of input 0, but for those that cannot have a partner and need none.
func (o *temporalJoin) hold(b *vector.Batch, nulls []uint64, times []int64) {
	o.sel, o.ids, o.times = o.sel[:0], o.ids[:0], o.times[:0]
	n := 0
	for r := range b.Len {
		if nulls != nil && kernel.Bit(nulls, r) && o.spec.Kind == InnerJoin {
			continue
		}
		o.sel, o.ids, o.times = append(o.sel, int32(r)), append(o.ids, o.held.rows.Reserve()), append(o.times, times[r])
		o.groups[n] = o.groups[r]
		o.waiting.Set(o.groups[r], o.waiting.At(o.groups[r])+1)
		n++
	}
	o.held.fill(o.ids, o.groups[:n], b.Cols, o.sel)
	o.due.Set(o.ids, o.times)
	if o.changes != nil {
		o.changes.mark(o.ids, b, o.sel)
	}
}

// learn takes the versions of a batch of input 1 in.
func (o *temporalJoin) learn(b *vector.Batch, nulls []uint64, times []int64) {
	o.sel, o.ids = o.sel[:0], o.ids[:0]
	n := 0
	for r := range b.Len {
		kind, g := b.Kind(r), o.groups[r]
		if kind == vector.UpdateBefore || nulls != nil && kernel.Bit(nulls, r) {
			continue
		}
		at := times[r]
		if o.changes != nil {
			var counts bool
			if at, counts = o.changes.from(o.versions, g, at); !counts {
				continue
			}
		}
		o.sel, o.ids = append(o.sel, int32(r)), append(o.ids, o.place(g, at, !kind.Adds()))
		o.groups[n] = g
		n++
	}
	o.fill(o.ids, o.groups[:n], b.Cols, o.sel)
}

// Advance implements Operator.
func (o *temporalJoin) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	list := o.due.Due(int64(t))
	if o.changes != nil {
		o.changes.order(list, o.due)
	}
	for from := 0; from < len(list); from += o.maxRows {
		if err := o.give(list[from:min(from+o.maxRows, len(list))], out); err != nil {
			return t, err
		}
	}
	o.release(list)
	o.time = t
	o.store.SetTime("time", int64(t))
	if o.changes != nil {
		o.changes.time = t
	} else {
		o.drop(t)
	}
	return t, o.store.Err()
}

// drop forgets what no row ahead of the watermark will find.
func (o *temporalJoin) drop(t types.EventTime) {
	o.forget(t)
	o.groups = o.groups[:0]
	for _, g := range o.emptied {
		if o.waiting.At(g) == 0 {
			o.groups = append(o.groups, g)
		}
	}
	o.keys.Remove(o.groups)
	o.keys.Compact()
}

// release drops rows that were given, and keys that have nothing left.
func (o *temporalJoin) release(list []int32) {
	if len(list) == 0 {
		return
	}
	o.groups = o.groups[:0]
	o.touch(list)
	for _, v := range list {
		g := int32(o.held.rows.Word(0, v))
		left := o.waiting.At(g) - 1
		if o.waiting.Set(g, left); left == 0 && o.newest.At(g) == 0 {
			o.groups = append(o.groups, g)
		}
	}
	o.held.rows.Remove(list)
	o.keys.Remove(o.groups)
	o.held.rows.Compact()
	o.keys.Compact()
}

// give emits rows of input 0 with their versions.
func (o *temporalJoin) give(list []int32, out Output) error {
	o.sel, o.rowsOf, o.ids = o.sel[:0], o.rowsOf[:0], o.ids[:0]
	for i, v := range list {
		row := o.at(int32(o.held.rows.Word(0, v)), o.due.Time(v))
		if row >= 0 && o.gone.At(row) == 0 {
			o.sel, o.rowsOf, o.ids = append(o.sel, int32(i)), append(o.rowsOf, v), append(o.ids, row)
		}
	}
	if err := o.test(); err != nil {
		return err
	}
	n := len(o.spec.Types[0])
	if o.spec.Kind == InnerJoin {
		list = o.rowsOf
	}
	if len(list) == 0 {
		return nil
	}
	o.held.values(o.own[:n], list)
	switch len(o.ids) {
	case len(list):
		o.values(o.own[n:], o.ids)
	case 0:
		for i, t := range o.spec.Types[1] {
			o.own[n+i].SetConstNull(t.WithNull(true), len(list))
		}
	default:
		o.padded(o.own[n:], len(list))
	}
	o.out.Len, o.out.Cols = len(list), o.cols
	if o.changes != nil {
		o.kinds = o.changes.kinds(o.kinds, list)
		o.out.Kinds = o.kinds
	}
	return out.Emit(&o.out)
}

// test leaves the pairs that the residual condition keeps.
func (o *temporalJoin) test() error {
	if o.filter == nil || len(o.ids) == 0 {
		return nil
	}
	n := len(o.spec.Types[0])
	o.held.values(o.own[:n], o.rowsOf)
	o.values(o.own[n:], o.ids)
	kept, all, err := o.filter.Select(o.cols, len(o.ids))
	if err != nil || all {
		return err
	}
	for k, i := range kept {
		o.sel[k], o.rowsOf[k], o.ids[k] = o.sel[i], o.rowsOf[i], o.ids[i]
	}
	o.sel, o.rowsOf, o.ids = o.sel[:len(kept)], o.rowsOf[:len(kept)], o.ids[:len(kept)]
	return nil
}

// padded makes out the versions of n rows, of which those in sel have one.
func (o *temporalJoin) padded(out []vector.Column, n int) {
	o.values(o.chosen, o.ids)
	o.codes = zeros(o.codes, n)
	for k, i := range o.sel {
		o.codes[i] = int32(k)
	}
	for i := range out {
		o.entries[i].Values = &o.chosen[i]
		out[i].SetDict(o.spec.Types[1][i].WithNull(true), o.codes, &o.entries[i])
		valid := out[i].AllocValid()
		clear(valid)
		for _, r := range o.sel {
			kernel.SetBit(valid, int(r))
		}
	}
}

// Counters implements Counted.
func (o *temporalJoin) Counters() []Counter {
	return []Counter{{"late rows", o.late[0]}, {"late versions", o.late[1]}}
}

// Close implements Operator.
func (o *temporalJoin) Close() error { return nil }
