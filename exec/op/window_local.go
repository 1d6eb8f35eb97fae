package op

import (
	"fmt"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// LocalWindowAggregate folds the rows of a batch by slice and key, before an exchange. Its output has the event time of the
// slice, a TIMESTAMP(3) or TIMESTAMP_LTZ(3): the watermark that closes the first window with the slice; a column per key;
// the partials of each aggregate in turn; and a BIGINT with the number of rows. Nothing is held from one batch to the next:
// watermarks need not wait, and there is no state. While most rows of a batch have a slice and keys of their own, rows are
// passed on as partials of one row.
type LocalWindowAggregate struct {
	// Window, Time and Zone are as in WindowAggregate.
	Window Window
	Time   int
	Zone   *time.Location
	Keys   []expr.Expr
	Aggs   []AggregateCall
}

// SplitsWindow tells that the aggregation of a window can be done in two phases: its rows are in slices from the
// beginning, which the clock has no part in, and all aggregates have partials.
func SplitsWindow(s *WindowAggregate) bool {
	sliced := s.Window.Kind == Tumble || s.Window.Kind == Hop || s.Window.Kind == Cumulate
	return sliced && !s.Proctime && Splits(s.Aggs, false)
}

// String implements Spec.
func (s *LocalWindowAggregate) String() string {
	return fmt.Sprintf("LocalWindowAggregate(window=[%s], %s)", s.Window, aggregateText(s.Keys, s.Aggs))
}

// Types are the types of the output.
func (s *LocalWindowAggregate) Types() []types.Type {
	return (&calls{keys: s.sliced(), aggs: s.Aggs}).partialTypes()
}

// sliced are the keys that rows are folded by: the time of the slice and the keys.
func (s *LocalWindowAggregate) sliced() []expr.Expr {
	return append([]expr.Expr{&expr.Column{Index: s.Time, Name: "slice_time", T: windowColumnType(WindowTime, s.Zone)}}, s.Keys...)
}

var countType = types.Of(types.BigInt).WithNull(false)

// New implements Spec.
func (s *LocalWindowAggregate) New() Operator { return &localWindow{spec: s} }

type localWindow struct {
	spec  *LocalWindowAggregate
	axis  axis
	store *state.Store
	cut   cut
	slice vector.Column // the times of the slices of a batch
	*aggregation
	// groups are of numbered rows: group i is that of row i.
	numbered int
	// keyed finds the rows with equal keys, sliced those with equal keys and slices.
	keyed, sliced *likes
	// passing is for how many batches rows are passed on unfolded; pause is how many it will be the next time.
	passing, pause int
	counts         []int64
	own            []vector.Column
	out            vector.Batch
}

const (
	// leastJudged is from how many rows on it is told whether folding is worth it.
	leastJudged = 64
	// leastPause and mostPause are for how many batches rows pass unfolded where it was not.
	leastPause, mostPause = 16, 1024
)

// Open implements Operator.
func (o *localWindow) Open(c *Context) error {
	calls, err := newCalls(o.spec.sliced(), o.spec.Aggs, false, c.Env)
	if err != nil {
		return err
	}
	o.axis = newAxis(o.spec.Window, o.spec.Zone)
	o.store = c.Store(o.spec)
	o.aggregation = calls.bind(o.store.Scratch().Keyed("rows", nil, []types.Type{types.Of(types.Int).WithNull(false)}))
	list := calls.keyTypes()
	o.keyed, o.sliced = newLikes(list[1:]), newLikes(list)
	o.own, o.out.Cols = owned(len(o.spec.Types()))
	o.pause = leastPause
	return nil
}

// Process implements Operator.
func (o *localWindow) Process(_ int, b *vector.Batch, out Output) error {
	if b.Kinds != nil && changed(b.Kinds) {
		return errWindowRetracts
	}
	times, err := o.cut.ends(b, o.spec.Time, &o.axis)
	if err != nil {
		return err
	}
	keys, err := o.eval(b)
	if err != nil {
		return err
	}
	o.number(b.Len)
	single := o.cut.single(times)
	o.slices(times, single, b.Len)
	keys[0] = &o.slice
	switch {
	case o.passing > 0:
		o.passing--
		o.pass(keys, b.Len)
	case single:
		o.fold(keys, o.keyed, keys[1:], b.Len)
	default:
		o.fold(keys, o.sliced, keys, b.Len)
	}
	return o.emit(out)
}

// number makes groups for n rows.
func (o *localWindow) number(n int) {
	if n <= o.numbered {
		return
	}
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	o.table.Lookup([]*vector.Column{vector.OfSlice(o.table.KeyTypes()[0], rows)}, n)
	o.numbered = n
}

// slices makes the column of the times of slices, in place of their ends. The time of one that has rows is in it.
func (o *localWindow) slices(ends []int64, single bool, n int) {
	t := o.keys[0].Type()
	if single {
		o.slice.Reset(t, n)
		o.slice.Enc = vector.Constant
		vector.Alloc[int64](&o.slice)[0] = o.axis.instant(ends[0]) - 1
		return
	}
	end, time := ends[0], o.axis.instant(ends[0])-1
	for i, e := range ends {
		if e != end {
			end, time = e, o.axis.instant(e)-1
		}
		ends[i] = time
	}
	vector.SetSlice(&o.slice, t, ends)
}

// fold makes out the keys and numbers of the groups of a batch, which are found by some of the keys.
func (o *localWindow) fold(keys []*vector.Column, l *likes, by []*vector.Column, n int) {
	groups, firsts := l.find(by, n)
	o.update(groups, nil, false)
	for i, k := range keys {
		vector.Take(&o.own[i], k, firsts)
		o.out.Cols[i] = &o.own[i]
	}
	o.counts = zeros(o.counts, len(firsts))
	for _, g := range groups {
		o.counts[g]++
	}
	vector.SetSlice(&o.own[len(o.own)-1], countType, o.counts)
	o.out.Len = len(firsts)
	switch {
	case n < leastJudged:
	case 2*len(firsts) > n:
		o.passing, o.pause = o.pause, min(2*o.pause, mostPause)
	default:
		o.pause = leastPause
	}
}

// pass makes each row a group.
func (o *localWindow) pass(keys []*vector.Column, n int) {
	o.update(o.keyed.each(n), nil, false)
	copy(o.out.Cols, keys)
	one := &o.own[len(o.own)-1]
	one.Reset(countType, n)
	one.Enc = vector.Constant
	vector.Alloc[int64](one)[0] = 1
	o.out.Len = n
}

// emit passes on the groups, whose keys and numbers of rows are made out, and makes them empty.
func (o *localWindow) emit(out Output) error {
	groups, at := o.keyed.each(o.out.Len), len(o.keys)
	for _, acc := range o.accs {
		n := len(acc.PartialTypes())
		acc.Partial(groups, o.out.Cols[at:at+n])
		at += n
	}
	err := out.Emit(&o.out)
	o.clear(groups)
	o.table.Compact()
	if err == nil {
		err = o.store.Err()
	}
	return err
}

// Advance implements Operator.
func (o *localWindow) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *localWindow) Close() error { return nil }

// partialRows is how many rows a batch of partials stands for.
func partialRows(b *vector.Batch) int64 {
	var flat vector.Column
	vector.Flatten(&flat, b.Cols[len(b.Cols)-1])
	n := int64(0)
	for _, v := range vector.Values[int64](&flat) {
		n += v
	}
	return n
}
