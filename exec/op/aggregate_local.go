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
		if aggs[i].Distinct && !insensitive(aggs[i].Fn) || (retracts && !aggs[i].Fn.Signed) {
			return false
		}
	}
	return true
}

// Types are the types of the output.
func (s *LocalAggregate) Types() []types.Type {
	c := &calls{keys: s.Keys, aggs: s.Aggs, retract: s.Retracts}
	a := c.bind(state.NewStore(state.Options{}).Keyed("local", nil, c.keyTypes()))
	out := c.keyTypes()
	for _, acc := range a.accs {
		out = append(out, acc.PartialTypes()...)
	}
	return append(out, types.Of(types.BigInt).WithNull(false))
}

// New implements Spec.
func (s *LocalAggregate) New() Operator { return &localAggregate{spec: s} }

type localAggregate struct {
	spec    *LocalAggregate
	maxRows int
	store   *state.Store
	table   *state.Keyed
	*aggregation
	rows *state.Pages[int64]
	// turn is the number of the emission that a group was touched for last.
	turn *state.Pages[uint32]
	now  uint32
	// held is how many rows were folded since the last emission, due when the next one must be: 0 while the
	// time of the first of them is not known.
	held        int
	due         types.EventTime
	adds, takes []uint64
	touched     []int32
	own         []vector.Column
	out         vector.Batch
}

const (
	// keptKeys is how many keys are remembered from one emission to the next, so that those which come again
	// are found again; beyond that all are forgotten.
	keptKeys = 4096
	// foldedBatches is how many full batches are folded before one emission, holdFor how many milliseconds rows
	// are held for it.
	foldedBatches = 16
	holdFor       = 10
)

// Open implements Operator. What is held leaves before a snapshot, so it is in none.
func (o *localAggregate) Open(c *Context) error {
	calls, err := newCalls(o.spec.Keys, o.spec.Aggs, o.spec.Retracts, c.Env)
	if err != nil {
		return err
	}
	o.maxRows = c.MaxRows
	o.store = c.Store(o.spec)
	o.table = o.store.Scratch().Keyed("local", nil, calls.keyTypes())
	o.rows, o.turn = state.NewPages[int64](o.table), state.NewPages[uint32](o.table)
	o.now, o.due = 1, types.MaxTime
	o.aggregation = calls.bind(o.table)
	o.own, o.out.Cols = owned(len(o.spec.Types()))
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
	if o.held += b.Len; o.held >= foldedBatches*o.maxRows {
		return o.Flush(out)
	}
	if o.due == types.MaxTime {
		o.due = 0
	}
	return nil
}

// NextTick implements Clocked.
func (o *localAggregate) NextTick() types.EventTime { return o.due }

// Tick implements Clocked.
func (o *localAggregate) Tick(now types.EventTime, out Output) error {
	switch {
	case o.due == 0:
		o.due = now + holdFor
	case now >= o.due:
		return o.Flush(out)
	}
	return nil
}

// Flush implements Holder.
func (o *localAggregate) Flush(out Output) error {
	err := o.emit(out)
	if o.table.Len() > keptKeys {
		o.table.Reset()
	} else {
		o.clear(o.touched)
		o.rows.Zero(o.touched)
		o.table.Compact()
	}
	o.touched, o.held, o.due = o.touched[:0], 0, types.MaxTime
	o.now++
	return err
}

// touch adds the groups of a batch to those of the next emission, each once.
func (o *localAggregate) touch(groups []int32) {
	touched, now, pages := o.touched, o.now, o.turn.All()
	for _, g := range groups {
		if at := &pages[g>>state.PageShift][g&state.PageMask]; *at != now {
			*at = now
			touched = append(touched, g)
		}
	}
	o.touched = touched
}

// emit passes the partials of the touched groups on.
func (o *localAggregate) emit(out Output) error {
	for from := 0; from < len(o.touched); from += o.maxRows {
		groups := o.touched[from:min(from+o.maxRows, len(o.touched))]
		at := 0
		for i := range o.spec.Keys {
			o.table.Key(&o.own[at], i, groups)
			at++
		}
		for _, acc := range o.accs {
			n := len(acc.PartialTypes())
			acc.Partial(groups, o.out.Cols[at:at+n])
			at += n
		}
		o.own[at].Reset(types.Of(types.BigInt).WithNull(false), len(groups))
		o.rows.Take(vector.Alloc[int64](&o.own[at]), groups)
		o.out.Len = len(groups)
		if err := out.Emit(&o.out); err != nil {
			return err
		}
	}
	return nil
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
