package op

import (
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Splits tells that an aggregation can be done in two phases: no DISTINCT, and over rows that may be taken
// back only aggregates whose partials are differences.
func Splits(aggs []AggregateCall, retracts bool) bool {
	for i := range aggs {
		if aggs[i].Distinct && !insensitive(aggs[i].Fn) || retracts && !aggs[i].Fn.Signed && !aggs[i].Fn.Counted {
			return false
		}
	}
	return true
}

// Types are the types of the output.
func (s *LocalAggregate) Types() []types.Type {
	return (&calls{keys: s.Keys, aggs: s.Aggs, retract: s.Retracts}).partialTypes()
}

// New implements Spec.
func (s *LocalAggregate) New() Operator { return &localAggregate{spec: s} }

type localAggregate struct {
	spec  *LocalAggregate
	store *state.Store
	folded
	adds, takes []uint64
}

// Open implements Operator. What is held leaves before a snapshot, so it is in none.
func (o *localAggregate) Open(c *Context) error {
	calls, err := newCalls(o.spec.Keys, o.spec.Aggs, o.spec.Retracts, c.Env)
	if err != nil {
		return err
	}
	o.store = c.Store(o.spec)
	o.open(c.MaxRows, calls, o.store.Scratch().Keyed("local", nil, calls.keyTypes()))
	return nil
}

// Process implements Operator.
func (o *localAggregate) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.eval(b)
	if err != nil {
		return err
	}
	groups := o.table.Lookup(keys, b.Len)
	o.touch(groups)
	rows := o.rows.All()
	if b.Kinds == nil {
		for _, g := range groups {
			rows[g>>state.PageShift][g&state.PageMask]++
		}
		o.update(groups, nil, false)
	} else {
		for i, g := range groups {
			by := int64(-1)
			if b.Kinds[i].Adds() {
				by = 1
			}
			rows[g>>state.PageShift][g&state.PageMask] += by
		}
		o.adds, o.takes = split(b.Kinds, o.adds, o.takes)
		o.update(groups, o.adds, false)
		o.update(groups, o.takes, true)
	}
	if err := o.store.Err(); err != nil {
		return err
	}
	if o.hold(b.Len) {
		return o.Flush(out)
	}
	return nil
}

// Tick implements Clocked.
func (o *localAggregate) Tick(now types.EventTime, out Output) error {
	if o.ticked(now) {
		return o.Flush(out)
	}
	return nil
}

// Flush implements Holder.
func (o *localAggregate) Flush(out Output) error {
	err := o.emit(out)
	o.forget()
	return err
}

// Advance implements Operator. The output has no event time, so that watermarks need not wait for what is held.
func (o *localAggregate) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if t == types.MaxTime {
		return t, o.Flush(out)
	}
	return t, nil
}

// Close implements Operator.
func (o *localAggregate) Close() error { return nil }

// mergeRows adds a batch of partials, and returns the numbers of rows that they stand for.
func (a *aggregation) mergeRows(b *vector.Batch, groups []int32) []int64 {
	if len(a.partial) != len(b.Cols) {
		a.partial, a.partials = owned(len(b.Cols))
	}
	for i, c := range b.Cols[len(a.keys):] {
		vector.Flatten(&a.partial[i], c)
	}
	at := 0
	for _, acc := range a.accs {
		n := len(acc.PartialTypes())
		acc.Merge(groups, a.partials[at:at+n])
		at += n
	}
	return vector.Values[int64](&a.partial[at])
}
