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
	table   *state.Keyed
	*aggregation
	rows *state.Pages[int64]
	// batch is the number of the batch that touched a group last.
	batch       *state.Pages[uint32]
	now         uint32
	adds, takes []uint64
	touched     []int32
	own         []vector.Column
	out         vector.Batch
}

// keptKeys is how many keys are remembered from batch to batch, so that those which come again are found
// again; beyond that all are forgotten. What they hold is passed on with each batch.
const keptKeys = 4096

// Open implements Operator. What the table holds lives as long as a batch, so it is in no snapshot.
func (o *localAggregate) Open(c *Context) error {
	calls, err := newCalls(o.spec.Keys, o.spec.Aggs, o.spec.Retracts, c.Env)
	if err != nil {
		return err
	}
	o.maxRows = c.MaxRows
	o.table = state.NewStore(state.Options{Operator: o.spec.String()}).Keyed("local", nil, calls.keyTypes())
	o.rows, o.batch = state.NewPages[int64](o.table), state.NewPages[uint32](o.table)
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
	err = o.emit(out)
	if o.table.Len() > keptKeys {
		o.table.Reset()
		return err
	}
	o.clear(o.touched)
	o.rows.Zero(o.touched)
	return err
}

// touch lists the groups of the batch, each once.
func (o *localAggregate) touch(groups []int32) {
	o.now++
	touched, now, pages := o.touched[:0], o.now, o.batch.All()
	for _, g := range groups {
		if at := &pages[g>>state.PageShift][g&state.PageMask]; *at != now {
			*at = now
			touched = append(touched, g)
		}
	}
	o.touched = touched
}

// emit passes the partials of the batch's groups on.
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

// Advance implements Operator.
func (o *localAggregate) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

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
