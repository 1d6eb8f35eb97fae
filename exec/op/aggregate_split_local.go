package op

import (
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// New implements Spec.
func (s *DistinctLocalAggregate) New() Operator { return &distinctLocal{spec: s} }

type distinctLocal struct {
	spec  *DistinctLocalAggregate
	store *state.Store
	all   *calls
	split *splitPlan
	folded
	met []*met

	cells []vector.Column // of the rows of sets
	out   vector.Batch
}

// met is the values of a set that were met since the last emission, by group of the table of groups.
type met struct {
	plan  *setPlan
	table *state.Keyed
	marks *state.Pages[uint64]

	keys  []*vector.Column
	group vector.Column
	want  []uint64
	ids   []int32
	set   []int32
	bits  []int64

	hash    *vector.Keys
	hashes  []uint64
	buckets []int32
}

// Open implements Operator. What is held leaves before a snapshot, so it is in none.
func (o *distinctLocal) Open(c *Context) error {
	var err error
	if o.all, err = newCalls(o.spec.Keys, o.spec.Aggs, false, c.Env); err != nil {
		return err
	}
	o.split = newSplitPlan(o.all)
	// The plain calls read what all were evaluated to.
	o.split.plain.flat, o.split.plain.masks = o.all.flat, o.all.masks
	o.store = c.Store(o.spec)
	store := o.store.Scratch()
	o.open(c.MaxRows, o.split.plain, store.Keyed("local", nil, o.all.keyTypes()))
	for i := range o.all.sets {
		p := &o.all.sets[i]
		m := &met{plan: p, keys: make([]*vector.Column, 1+len(p.types)), hash: vector.NewKeys(p.types)}
		m.table = store.Keyed("local distinct"+numberOf(i), o.table, append([]types.Type{types.Of(types.Int).WithNull(false)}, p.types...))
		m.marks = state.NewPages[uint64](m.table)
		o.met = append(o.met, m)
	}
	o.cells, o.out.Cols = owned(len(o.split.types))
	return nil
}

// Process implements Operator.
func (o *distinctLocal) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.all.eval(b)
	if err != nil {
		return err
	}
	groups := o.table.Lookup(keys, b.Len)
	o.touch(groups)
	rows := o.rows.All()
	for _, g := range groups {
		rows[g>>state.PageShift][g&state.PageMask]++
	}
	o.update(groups, nil, false)
	for _, m := range o.met {
		m.add(o, groups)
	}
	if err := o.store.Err(); err != nil {
		return err
	}
	if o.hold(b.Len) {
		return o.Flush(out)
	}
	return nil
}

// add marks the values of a batch.
func (m *met) add(o *distinctLocal, groups []int32) {
	if like := m.plan.like; like >= 0 {
		m.want = append(m.want[:0], o.met[like].want...)
	} else {
		m.want = wants(m.plan, o.aggregation, m.want, len(groups), nil)
	}
	vector.SetSlice(&m.group, types.Of(types.Int).WithNull(false), groups)
	m.keys[0] = &m.group
	for k, arg := range m.plan.args {
		m.keys[k+1] = &o.all.flat[arg]
	}
	ids := m.table.Lookup(m.keys, len(groups))
	marks, want := m.marks.All(), m.want[:len(ids)]
	for i, v := range ids {
		marks[v>>state.PageShift][v&state.PageMask] |= want[i]
	}
}

// Tick implements Clocked.
func (o *distinctLocal) Tick(now types.EventTime, out Output) error {
	if o.ticked(now) {
		return o.Flush(out)
	}
	return nil
}

// Flush implements Holder.
func (o *distinctLocal) Flush(out Output) error {
	err := o.emitPartials(out)
	for i, m := range o.met {
		if err == nil {
			err = o.emitSet(i, m, out)
		}
		m.table.Reset()
	}
	o.forget()
	return err
}

// emitPartials passes on a row per group that was touched.
func (o *distinctLocal) emitPartials(out Output) error {
	at := o.split.partials
	for from := 0; from < len(o.touched); from += o.maxRows {
		groups := o.touched[from:min(from+o.maxRows, len(o.touched))]
		o.partialsOf(groups, o.own, o.folded.out.Cols)
		for i := range o.keys {
			o.out.Cols[i] = &o.own[i]
		}
		o.constant(o.split.bucket, 0, len(groups))
		o.constant(o.split.set, -1, len(groups))
		for i := o.split.set + 1; i < o.split.marks; i++ {
			o.out.Cols[i] = vector.ConstNull(o.split.types[i], len(groups))
		}
		o.out.Cols[o.split.marks] = vector.ConstOf(o.split.types[o.split.marks], int64(0), len(groups))
		for i := at; i < len(o.split.types); i++ {
			o.out.Cols[i] = &o.own[len(o.keys)+i-at]
		}
		o.out.Len = len(groups)
		if err := out.Emit(&o.out); err != nil {
			return err
		}
	}
	return nil
}

func (o *distinctLocal) constant(column int, v int32, n int) {
	o.out.Cols[column] = vector.ConstOf(o.split.types[column], v, n)
}

// bucket computes the buckets of values.
func (m *met) bucket(buckets, n int) {
	if cap(m.hashes) < n {
		m.hashes = make([]uint64, n+n/2)
	}
	m.hashes, m.buckets = m.hashes[:n], m.buckets[:0]
	m.hash.Load(m.keys[1:], n)
	m.hash.Hash(m.hashes)
	for _, h := range m.hashes {
		m.buckets = append(m.buckets, int32(h>>32%uint64(buckets)))
	}
}

// emitSet passes on a row per value of a set.
func (o *distinctLocal) emitSet(set int, m *met, out Output) error {
	m.ids = m.table.Groups(m.ids[:0])
	for from := 0; from < len(m.ids); from += o.maxRows {
		ids := m.ids[from:min(from+o.maxRows, len(m.ids))]
		m.set, m.bits = m.set[:0], m.bits[:0]
		kept := ids[:0]
		for _, v := range ids {
			if bits := m.marks.At(v); bits != 0 {
				kept = append(kept, v)
				m.set, m.bits = append(m.set, int32(m.table.Word(0, v))), append(m.bits, int64(bits))
			}
		}
		if len(kept) == 0 {
			continue
		}
		for i := range o.keys {
			o.table.Key(&o.cells[i], i, m.set)
			o.out.Cols[i] = &o.cells[i]
		}
		o.constant(o.split.set, int32(set), len(kept))
		for i := o.split.set + 1; i < len(o.split.types); i++ {
			o.out.Cols[i] = vector.ConstNull(o.split.types[i], len(kept))
		}
		for k, arg := range m.plan.args {
			at := o.split.value[arg]
			m.table.Key(&o.cells[at], k+1, kept)
			o.out.Cols[at] = &o.cells[at]
			m.keys[k+1] = &o.cells[at]
		}
		m.bucket(o.spec.Buckets, len(kept))
		vector.SetSlice(&o.cells[o.split.bucket], bucketType, m.buckets)
		o.out.Cols[o.split.bucket] = &o.cells[o.split.bucket]
		vector.SetSlice(&o.cells[o.split.marks], o.split.types[o.split.marks], m.bits)
		o.out.Cols[o.split.marks] = &o.cells[o.split.marks]
		o.out.Len = len(kept)
		if err := out.Emit(&o.out); err != nil {
			return err
		}
	}
	return nil
}

// Advance implements Operator. The output has no event time.
func (o *distinctLocal) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if t == types.MaxTime {
		return t, o.Flush(out)
	}
	return t, nil
}

// Close implements Operator.
func (o *distinctLocal) Close() error { return nil }
