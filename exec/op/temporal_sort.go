package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TemporalSort gives the rows of an insert-only input in the order of its keys, the first of which is the event
// time, ascending, once the watermark has reached it. A row is dropped and counted when one of its time or a later
// one was given; one that is behind the watermark alone comes with the next watermark, and stays late.
type TemporalSort struct {
	Order []SortKey
	Types []types.Type
	Names []string
}

// String implements Spec.
func (s *TemporalSort) String() string { return "TemporalSort(orderBy=[" + SortText(s.Order) + "])" }

// New implements Spec.
func (s *TemporalSort) New() Operator { return &temporalSort{spec: s} }

type temporalSort struct {
	spec  *TemporalSort
	store *state.Store
	all   *state.Keyed // one group
	*payload
	*ranked
	code    *sortCode
	ev      *expr.Evaluator
	last    int64 // the time of the last row that was given
	late    int64
	maxRows int

	sel, groups, ids []int32
	scratch          []byte
	own              []vector.Column
	out              vector.Batch
}

// Open implements Operator.
func (o *temporalSort) Open(c *Context) error {
	var err error
	if o.ev, err = expr.New(SortExprs(o.spec.Order), c.Env); err != nil {
		return err
	}
	o.store, o.maxRows, o.code = c.Store(o.spec), c.MaxRows, newSortCode(o.spec.Order)
	o.last = o.store.Time("last", int64(types.MinTime))
	o.all = o.store.Keyed("all", nil, nil)
	o.payload = newPayload(o.all, "rows", o.spec.Types, nil, false)
	o.ranked = newRanked(o.all, o.payload.rows)
	o.payload.rows.OnRestore(o.relink)
	o.own, o.out.Cols = owned(len(o.spec.Types))
	return o.store.Open()
}

// Process implements Operator.
func (o *temporalSort) Process(_ int, b *vector.Batch, _ Output) error {
	keys, err := o.ev.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	o.code.load(keys, b.Len)
	g := o.all.Lookup(nil, b.Len)[0]
	o.all.OwnOne(g)
	times := vector.Values[int64](&o.code.own[0])
	o.sel, o.groups, o.ids = o.sel[:0], o.groups[:0], o.ids[:0]
	for i, t := range times[:b.Len] {
		if t <= o.last {
			o.late++
			continue
		}
		v := o.payload.rows.Reserve()
		o.scratch = o.set(v, o.code, i, o.scratch)
		o.insert(g, v)
		o.sel, o.groups, o.ids = append(o.sel, int32(i)), append(o.groups, g), append(o.ids, v)
	}
	o.fill(o.ids, o.groups, b.Cols, o.sel)
	return o.store.Err()
}

// Advance implements Operator.
func (o *temporalSort) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if o.all.Len() == 0 {
		return t, nil
	}
	g := o.all.Groups(o.groups[:0])[0]
	reached := uint64(int64(t)) ^ signBit
	for {
		o.ids = o.ids[:0]
		for v := o.best(g); v >= 0 && len(o.ids) < o.maxRows && o.word.At(v) <= reached; v = o.best(g) {
			o.remove(g, v)
			o.ids = append(o.ids, v)
			o.last = int64(o.word.At(v) ^ signBit)
		}
		if len(o.ids) == 0 {
			o.payload.rows.Compact()
			o.store.SetTime("last", o.last)
			return t, nil
		}
		o.values(o.own, o.ids)
		o.out.Len = len(o.ids)
		if err := out.Emit(&o.out); err != nil {
			return t, err
		}
		o.payload.rows.Remove(o.ids)
	}
}

// Close implements Operator.
func (o *temporalSort) Close() error { return nil }

// Counters implements Counted.
func (o *temporalSort) Counters() []Counter { return []Counter{{"late rows", o.late}} }
