package op

import (
	"math"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// overEnd computes calls when the input has ended.
type overEnd struct {
	spec  *OverAggregate
	store *state.Store
	parts *state.Keyed
	*payload
	*ranked
	code    *sortCode
	ev      *expr.Evaluator
	frames  *frames
	maxRows int

	groups, ids []int32
	scratch     []byte
	read        []vector.Column
	inputs      []*vector.Column
	own         []vector.Column
	out         vector.Batch
}

// Open implements Operator.
func (o *overEnd) Open(c *Context) error {
	s := o.spec
	var err error
	if o.ev, err = expr.New(append(append([]expr.Expr(nil), s.Partition...), SortExprs(s.Order)...), c.Env); err != nil {
		return err
	}
	if o.frames, err = newFrames(s, c.Env); err != nil {
		return err
	}
	o.store, o.maxRows, o.code = c.Store(s), c.MaxRows, newSortCode(s.Order)
	o.parts = o.store.Keyed("partitions", nil, s.keyTypes())
	o.payload = newPayload(o.parts, "rows", s.Types, s.Partition, false)
	o.ranked = newRanked(o.parts, o.payload.rows)
	o.payload.rows.OnRestore(o.relink)
	o.frames.bindScratch(o.store)
	o.read, o.inputs = owned(len(s.Types))
	o.own, o.out.Cols = owned(len(s.Types) + len(s.Calls))
	return o.store.Open()
}

// Process implements Operator.
func (o *overEnd) Process(_ int, b *vector.Batch, _ Output) error {
	keys, err := o.ev.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	n := len(o.spec.Partition)
	o.groups = append(o.groups[:0], o.parts.Lookup(keys[:n], b.Len)...)
	o.code.load(keys[n:], b.Len)
	o.ids = o.ids[:0]
	for i, g := range o.groups {
		v := o.payload.rows.Reserve()
		o.scratch = o.set(v, o.code, i, o.scratch)
		o.insert(g, v)
		o.ids = append(o.ids, v)
	}
	o.payload.rows.Fill(o.ids, o.payload.load(o.groups, b.Cols, b.Len))
	return o.store.Err()
}

// Advance implements Operator.
func (o *overEnd) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if t != types.MaxTime {
		return t, nil
	}
	o.ids = o.ids[:0]
	o.frames.reset()
	for _, g := range o.parts.Groups(nil) {
		from := int32(len(o.ids))
		o.ids = o.walk(g, o.ids, math.MaxInt64)
		o.frames.stretches = append(o.frames.stretches, stretch{from: from, to: int32(len(o.ids)), first: from, added: from, gone: from})
		if len(o.ids) >= o.maxRows {
			if err := o.give(out); err != nil {
				return t, err
			}
		}
	}
	return t, o.give(out)
}

// give computes and passes on the partitions that have gathered.
func (o *overEnd) give(out Output) error {
	n, f := len(o.ids), o.frames
	if n == 0 {
		return nil
	}
	for i, v := range o.ids {
		f.order, f.words = append(f.order, int32(i)), append(f.words, o.word.At(v))
		f.same = append(f.same, i > 0 && o.equal(v, o.ids[i-1]))
	}
	for _, s := range f.stretches {
		if s.from < s.to {
			f.same[s.from] = false
		}
	}
	o.values(o.read, o.ids)
	if err := f.load(o.inputs, n); err != nil {
		return err
	}
	f.run()
	for from := 0; from < n; from += o.maxRows {
		o.out.Len = min(o.maxRows, n-from)
		for i := range o.own {
			src := &o.read[min(i, len(o.read)-1)]
			if i >= len(o.read) {
				src = &f.results[i-len(o.read)]
			}
			vector.Slice(&o.own[i], src, from, o.out.Len)
		}
		if err := out.Emit(&o.out); err != nil {
			return err
		}
	}
	o.ids = o.ids[:0]
	f.reset()
	return nil
}

// Close implements Operator.
func (o *overEnd) Close() error { return nil }
