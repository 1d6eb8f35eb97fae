package op

import "streamsql/exec/vector"

// sessionAggregate is a WindowAggregate of sessions: a group is a session, and groups that become one are merged.
type sessionAggregate struct {
	spec *WindowAggregate
	sessions
	*aggregation
	gather  gatherer
	piece   vector.Batch
	maxRows int

	kept []int32
	own  []vector.Column
	out  vector.Batch
}

// Open implements Operator.
func (o *sessionAggregate) Open(c *Context) error {
	calls, err := newCalls(o.spec.Keys, o.spec.Aggs, false, c.Env)
	if err != nil {
		return err
	}
	calls.removes = true
	o.maxRows = c.MaxRows
	o.sessions.declare(c.Store(o.spec), o.spec.Window, newAxis(o.spec.Window, o.spec.Zone), calls.keyTypes())
	o.sessionSpec = sessionSpec{proctime: o.spec.Proctime, drain: o.spec.Drain, end: o.give, counted: o.sessions.table}
	o.aggregation = calls.bind(o.sessions.table)
	o.gather = newGatherer(append(o.spec.reads(), timeColumn(o.spec.Time)))
	o.own, o.out.Cols = owned(len(o.spec.Keys) + len(o.spec.Aggs) + len(o.spec.Columns))
	return o.store.Open()
}

// Process implements Operator.
func (o *sessionAggregate) Process(_ int, b *vector.Batch, _ Output) error {
	if b.Kinds != nil && changed(b.Kinds) {
		return errWindowRetracts
	}
	keys, err := o.eval(b)
	if err != nil {
		return err
	}
	times, err := o.points(b.Cols[o.spec.Time])
	if err != nil {
		return err
	}
	groups := o.sessions.keys.Lookup(keys, b.Len)
	o.place(groups, times)
	gone, to := o.settle()
	if o.late > 0 {
		if err := o.withoutLate(b); err != nil {
			return err
		}
	}
	o.join(gone, to)
	if len(o.ids) > 0 {
		o.update(o.ids, nil, false)
	}
	o.sessions.forget(gone)
	o.sessions.table.Compact()
	o.sessions.keys.Compact()
	return o.store.Err()
}

// withoutLate evaluates the rows of a batch again that are not late, and forgets the keys that only late ones have.
func (o *sessionAggregate) withoutLate(b *vector.Batch) error {
	o.idle(append([]int32(nil), o.sessions.keys.Fresh()...))
	o.kept = o.kept[:0]
	n := 0
	for i, v := range o.ids {
		if v >= 0 {
			o.kept = append(o.kept, int32(i))
			o.ids[n] = v
			n++
		}
	}
	if o.ids = o.ids[:n]; n == 0 {
		return nil
	}
	o.piece.Len, o.piece.Cols = n, o.gather.take(b, o.kept)
	_, err := o.eval(&o.piece)
	return err
}

// join merges the aggregates of sessions into those of others.
func (o *sessionAggregate) join(gone, to []int32) {
	if len(gone) == 0 {
		return
	}
	o.sessions.table.Own(gone)
	o.sessions.table.Own(to)
	for i, acc := range o.accs {
		if o.plans[i].set < 0 {
			mergePartials(acc, acc, gone, to)
		}
	}
	for i, s := range o.sets {
		s.join(o.aggregation, i, gone, to)
	}
	o.clear(gone)
}

// join adds the values of groups to other groups of the same set.
func (d *distinct) join(a *aggregation, set int, gone, to []int32) {
	var values, groups []int32
	for i, g := range gone {
		for v := d.first.At(g); v != 0; v = d.next.At(v - 1) {
			values, groups = append(values, v-1), append(groups, to[i])
		}
	}
	if len(values) == 0 {
		return
	}
	cols := make([]*vector.Column, len(d.keys))
	for i := range cols {
		cols[i] = &vector.Column{}
		if i > 0 {
			d.set.Key(cols[i], i, values)
		}
	}
	copy(d.keys[1:], cols[1:])
	d.keys[0] = d.groupsOf(groups)
	d.empty(len(values))
	ids := d.lookup(len(values))
	d.want = d.met(d.want[:0], values)
	d.meet(ids)
	for i := range a.plans {
		if p := &a.plans[i]; p.set == set {
			a.accs[i].Update(groups, cols[1:], d.fresh[p.slot])
		}
	}
}

// give emits sessions and empties them; without an output it drops them.
func (o *sessionAggregate) give(list []int32, out Output) error {
	for from := 0; from < len(list) && out != nil; from += o.maxRows {
		if err := o.emit(list[from:min(from+o.maxRows, len(list))], out); err != nil {
			return err
		}
	}
	o.sessions.table.Own(list)
	o.clear(list)
	return nil
}

func (o *sessionAggregate) emit(list []int32, out Output) error {
	keys, at := o.owner(list), 0
	for i := range o.spec.Keys {
		o.sessions.keys.Key(&o.own[at], i, keys)
		at++
	}
	for _, acc := range o.accs {
		acc.Value(list, &o.own[at])
		at++
	}
	for _, c := range o.spec.Columns {
		o.own[at].Reset(windowColumnType(c, o.spec.Zone), len(list))
		o.column(vector.Alloc[int64](&o.own[at]), c, list)
		at++
	}
	o.out.Len = len(list)
	return out.Emit(&o.out)
}

// Close implements Operator.
func (o *sessionAggregate) Close() error { return nil }

// Counters implements Counted.
func (o *sessionAggregate) Counters() []Counter {
	if o.spec.Proctime {
		return []Counter{{"results of open windows dropped", o.unended}}
	}
	return []Counter{{"late rows dropped", o.dropped}}
}
