package op

import (
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// folded is what an aggregation before an exchange holds: the groups that rows came to since the last emission.
type folded struct {
	*aggregation
	maxRows int
	table   *state.Keyed
	rows    *state.Pages[int64]
	// turn is the number of the emission that a group was touched for last.
	turn *state.Pages[uint32]
	now  uint32
	// held is how many rows were folded since the last emission, due when the next one must be: 0 while the
	// time of the first of them is not known.
	held    int
	due     types.EventTime
	touched []int32
	own     []vector.Column
	out     vector.Batch
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

// open declares the columns of calls in a table.
func (f *folded) open(maxRows int, c *calls, t *state.Keyed) {
	f.maxRows, f.table = maxRows, t
	f.rows, f.turn = state.NewDerived[int64](t), state.NewDerived[uint32](t)
	f.now, f.due = 1, types.MaxTime
	f.aggregation = c.bind(t)
	f.own, f.out.Cols = owned(len(c.partialTypes()))
}

// partialTypes are the types of what is emitted.
func (c *calls) partialTypes() []types.Type {
	only := &calls{keys: c.keys, aggs: c.aggs, retract: c.retract}
	a := only.bind(state.NewStore(state.Options{}).Keyed("local", nil, c.keyTypes()))
	out := c.keyTypes()
	for _, acc := range a.accs {
		out = append(out, acc.PartialTypes()...)
	}
	return append(out, types.Of(types.BigInt).WithNull(false))
}

// hold counts rows that were folded, and tells that it is time to emit.
func (f *folded) hold(rows int) bool {
	if f.held += rows; f.held >= foldedBatches*f.maxRows {
		return true
	}
	if f.due == types.MaxTime {
		f.due = 0
	}
	return false
}

// NextTick implements Clocked.
func (f *folded) NextTick() types.EventTime { return f.due }

// ticked tells at a time of the clock that it is time to emit.
func (f *folded) ticked(now types.EventTime) bool {
	if f.due == 0 {
		f.due = now + holdFor
		return false
	}
	return now >= f.due
}

// touch adds the groups of a batch to those of the next emission, each once.
func (f *folded) touch(groups []int32) {
	touched, now, pages := f.touched, f.now, f.turn.All()
	for _, g := range groups {
		if at := &pages[g>>state.PageShift][g&state.PageMask]; *at != now {
			*at = now
			touched = append(touched, g)
		}
	}
	f.touched = touched
}

// emit passes the partials of the touched groups on.
func (f *folded) emit(out Output) error {
	for from := 0; from < len(f.touched); from += f.maxRows {
		f.partialsOf(f.touched[from:min(from+f.maxRows, len(f.touched))], f.own, f.out.Cols)
		if err := out.Emit(&f.out); err != nil {
			return err
		}
	}
	return nil
}

// partialsOf writes the keys and partials of groups.
func (f *folded) partialsOf(groups []int32, own []vector.Column, cols []*vector.Column) {
	at := 0
	for i := range f.keys {
		f.table.Key(&own[at], i, groups)
		at++
	}
	for _, acc := range f.accs {
		n := len(acc.PartialTypes())
		acc.Partial(groups, cols[at:at+n])
		at += n
	}
	own[at].Reset(types.Of(types.BigInt).WithNull(false), len(groups))
	f.rows.Take(vector.Alloc[int64](&own[at]), groups)
	f.out.Len = len(groups)
}

// forget makes the groups that were emitted empty, and forgets all where they are many. What accumulators keep in
// tables of their own goes by clear alone.
func (f *folded) forget() {
	f.clear(f.touched)
	f.rows.Zero(f.touched)
	if f.table.Len() > keptKeys {
		f.table.Reset()
	} else {
		f.table.Compact()
	}
	f.emitted()
}

// emitted says that all was emitted.
func (f *folded) emitted() {
	f.touched, f.held, f.due = f.touched[:0], 0, types.MaxTime
	f.now++
}
