package op

import (
	"fmt"
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Aggregations with DISTINCT in three phases, so that a group with many rows is work for many subtasks:
// DistinctLocalAggregate folds the rows of a few batches to the values that each group met, which are sent by
// group and bucket of values; IncrementalAggregate has the sets, and makes partials of the values that are new,
// which are sent by group; the GroupAggregate of phase Final adds them up.

// DistinctLocalAggregate is the first phase. Its output has a column per key; an INT, the bucket that the hash of the
// values is in; an INT, the number of a set, or -1 in a row of partials; a column per argument of a set, NULL where
// the row is of another; a BIGINT with a bit for each filter that a row with this value passed; the partials of the
// calls without a set; and a BIGINT with the number of rows, in a row of partials. The input holds inserts only.
type DistinctLocalAggregate struct {
	Keys  []expr.Expr
	Aggs  []AggregateCall
	Names []string
	// Buckets is how many parts the values of a group fall into; at least 1.
	Buckets int
}

// IncrementalAggregate is the second phase: its groups have a key and a bucket. Keys are the first columns of its
// input, which a DistinctLocalAggregate with the same keys and calls makes. Its output is that of a LocalAggregate.
type IncrementalAggregate struct {
	Keys  []expr.Expr
	Aggs  []AggregateCall
	Names []string
}

// SplitsDistinct tells that an aggregation can be done in three phases: over inserts, and with a DISTINCT to share.
func SplitsDistinct(aggs []AggregateCall, retracts bool) bool {
	return !retracts && slices.ContainsFunc(aggs, func(a AggregateCall) bool { return a.Distinct && !insensitive(a.Fn) })
}

// String implements Spec.
func (s *DistinctLocalAggregate) String() string {
	return fmt.Sprintf("DistinctLocalGroupAggregate(%s, buckets=[%d])", aggregateText(s.Keys, s.Aggs), s.Buckets)
}

// String implements Spec.
func (s *IncrementalAggregate) String() string {
	return "IncrementalGroupAggregate(" + aggregateText(s.Keys, s.Aggs) + ")"
}

// Types are the types of the output.
func (s *DistinctLocalAggregate) Types() []types.Type {
	c, _ := planCalls(s.Keys, s.Aggs, false)
	return newSplitPlan(c).types
}

// Types are the types of the output.
func (s *IncrementalAggregate) Types() []types.Type {
	return (&calls{keys: s.Keys, aggs: s.Aggs}).partialTypes()
}

var bucketType = types.Of(types.Int).WithNull(false)

// splitPlan is what rows between the first two phases look like.
type splitPlan struct {
	*calls
	// plain are the calls without a set.
	plain *calls
	// bucket, set, marks and partials are columns; value has the column of each argument, -1 of one that is in no set.
	bucket, set, marks, partials int
	value                        []int
	types                        []types.Type
}

func newSplitPlan(c *calls) *splitPlan {
	plain := *c
	plain.aggs, plain.plans, plain.sets = nil, nil, nil
	s := &splitPlan{calls: c, plain: &plain, bucket: len(c.keys), set: len(c.keys) + 1, value: make([]int, c.args),
		types: append(c.keyTypes(), bucketType, bucketType)}
	for i := range s.value {
		s.value[i] = -1
	}
	for i := range c.aggs {
		p := &c.plans[i]
		if p.set < 0 {
			plain.aggs, plain.plans = append(plain.aggs, c.aggs[i]), append(plain.plans, *p)
			continue
		}
		for k, arg := range p.args {
			if s.value[arg] < 0 {
				s.value[arg] = len(s.types)
				s.types = append(s.types, c.aggs[i].Args[k].Type().WithNull(true))
			}
		}
	}
	s.marks, s.partials = len(s.types), len(s.types)+1
	s.types = append(s.types, types.Of(types.BigInt).WithNull(false))
	for _, t := range plain.partialTypes()[len(c.keys):] {
		s.types = append(s.types, t.WithNull(true))
	}
	return s
}

// New implements Spec.
func (s *IncrementalAggregate) New() Operator { return &incrementalAggregate{spec: s} }

type incrementalAggregate struct {
	spec  *IncrementalAggregate
	store *state.Store
	split *splitPlan
	folded
	// buckets are the keys with the buckets, to which the sets belong; all that is kept.
	buckets *state.Keyed
	sets    []*distinct
	// plain are the accumulators of the calls without a set.
	plain []function.Accumulator

	parts  [][]int32 // rows of the batch: those of partials, then by set
	groups []int32   // of its rows
	owners []int32   // their groups with the bucket
	marks  []uint64
	setOf  vector.Column
	// taken are rows of the columns, flat those as they came.
	taken, flat []vector.Column
	columns     []*vector.Column
}

// Open implements Operator. Partials leave before a snapshot, so they are in none.
func (o *incrementalAggregate) Open(c *Context) error {
	plan, _ := planCalls(o.spec.Keys, o.spec.Aggs, false)
	env := c.Env
	if env == nil {
		env = &function.Env{}
	}
	bucket := &expr.Column{Index: len(plan.keys), Name: "bucket", T: bucketType}
	var err error
	if plan.exprs, err = expr.New(append(plan.keys[:len(plan.keys):len(plan.keys)], bucket), env); err != nil {
		return err
	}
	o.split = newSplitPlan(plan)
	o.store = c.Store(o.spec)
	o.buckets = o.store.Keyed("groups", nil, append(plan.keyTypes(), bucketType))
	o.buckets.Scatter()
	plan.lasts = true
	for i := range plan.sets {
		o.sets = append(o.sets, newDistinct(o.buckets, i, &plan.sets[i], plan))
	}
	partials := *plan
	partials.sets = nil
	o.open(c.MaxRows, &partials, o.store.Scratch().Keyed("partials", nil, plan.keyTypes()))
	for i, acc := range o.accs {
		if plan.plans[i].set < 0 {
			o.plain = append(o.plain, acc)
		}
	}
	o.parts = make([][]int32, 1+len(plan.sets))
	o.taken = make([]vector.Column, len(o.split.types))
	o.flat, o.columns = owned(len(o.split.types))
	return o.store.Open()
}

// Process implements Operator.
func (o *incrementalAggregate) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.exprs.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	groups := o.table.Lookup(keys[:len(keys)-1], b.Len)
	o.touch(groups)
	buckets := o.buckets.Lookup(keys, b.Len)
	for i := range o.parts {
		o.parts[i] = o.parts[i][:0]
	}
	vector.Flatten(&o.setOf, b.Cols[o.split.set])
	for i, s := range vector.Values[int32](&o.setOf) {
		o.parts[s+1] = append(o.parts[s+1], int32(i))
	}
	for i, rows := range o.parts {
		if len(rows) == 0 {
			continue
		}
		o.groups, o.owners = o.groups[:0], o.owners[:0]
		for _, r := range rows {
			o.groups, o.owners = append(o.groups, groups[r]), append(o.owners, buckets[r])
		}
		if i == 0 {
			o.add(b, rows)
		} else {
			o.absorb(i-1, b, rows)
		}
	}
	if err := o.store.Err(); err != nil {
		return err
	}
	if o.hold(b.Len) {
		return o.Flush(out)
	}
	return nil
}

// take gathers rows of a column, flat.
func (o *incrementalAggregate) take(b *vector.Batch, column int, rows []int32) *vector.Column {
	vector.Take(&o.taken[column], b.Cols[column], rows)
	vector.Flatten(&o.flat[column], &o.taken[column])
	return &o.flat[column]
}

// add merges the rows of partials.
func (o *incrementalAggregate) add(b *vector.Batch, rows []int32) {
	last := len(o.split.types) - 1
	for c := o.split.partials; c <= last; c++ {
		o.take(b, c, rows)
	}
	at := o.split.partials
	for _, acc := range o.plain {
		n := len(acc.PartialTypes())
		acc.Merge(o.groups, o.columns[at:at+n])
		at += n
	}
	addLongs(o.rows.All(), o.groups, vector.Values[int64](&o.flat[last]))
}

// absorb puts the rows of a set into it: those that are new are rows of the calls with that set.
func (o *incrementalAggregate) absorb(set int, b *vector.Batch, rows []int32) {
	d := o.sets[set]
	cols := make([]*vector.Column, len(d.plan.args))
	for k, arg := range d.plan.args {
		cols[k] = o.take(b, o.split.value[arg], rows)
	}
	o.marks = o.marks[:0]
	for _, m := range vector.Values[int64](o.take(b, o.split.marks, rows)) {
		o.marks = append(o.marks, uint64(m))
	}
	d.absorb(o.owners, cols, o.marks)
	for i := range o.plans {
		if p := &o.plans[i]; p.set == set && kernel.Any(d.fresh[p.slot]) {
			o.accs[i].Update(o.groups, cols, d.fresh[p.slot])
		}
	}
}

// Tick implements Clocked.
func (o *incrementalAggregate) Tick(now types.EventTime, out Output) error {
	if o.ticked(now) {
		return o.Flush(out)
	}
	return nil
}

// Flush implements Holder.
func (o *incrementalAggregate) Flush(out Output) error {
	err := o.emit(out)
	o.forget()
	return err
}

// Advance implements Operator. The output has no event time.
func (o *incrementalAggregate) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if t == types.MaxTime {
		return t, o.Flush(out)
	}
	return t, nil
}

// Close implements Operator.
func (o *incrementalAggregate) Close() error { return nil }
