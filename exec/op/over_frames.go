package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// frames computes calls over rows that lie in order, those of a partition side by side: a stretch. Both ends of the
// frames only move on from row to row, so that every row enters and leaves the accumulators of its stretch once at
// most; stretches move in step, so that accumulators see rows of many of them at a time.
type frames struct {
	spec *OverAggregate
	*aggregation
	// framed are the calls that are aggregates, and placed those that go by places.
	framed     []int
	placed     []placedCall
	start, end reach
	rows       [2]int64 // the offsets of ROWS bounds
	// alone says that CURRENT ROW ends a frame at the row itself, and not at its equals.
	alone bool

	ev   *expr.Evaluator
	cols []vector.Column // what expressions give, flat
	// order are rows of cols; words and same, sort words and whether a row equals the one before it, lie like it.
	order     []int32
	words     []uint64
	same      []bool
	stretches []stretch
	// lo and hi are where frames begin and end in order, at where the values of calls are in made.
	lo, hi, at []int32
	made       []*vector.Builder
	results    []vector.Column // lie like order; those of rows that are not wanted are unspecified

	live, cur         []int32
	adds, takes       []int32
	addsTo, takesFrom []int32
	values            []int32
	value, built      vector.Column
	wholes            []int64
	reals             []float64
	scratch           *state.Keyed // the accumulators of those that keep none
	scratchGroups     []int32
}

// stretch is the rows of a partition.
type stretch struct {
	group    int32 // of the accumulators
	from, to int32 // in order
	first    int32 // the first row whose calls are wanted
	// added and gone are up to where rows are in the accumulators already, and have left them.
	added, gone int32
	// gap is how many rows that are in the accumulators are left out between those that may leave and the others.
	gap int32
	// number is how many rows of the partition stand before from, keys how many different ones these have.
	number, keys int64
}

func newFrames(s *OverAggregate, env *function.Env) (*frames, error) {
	f := &frames{spec: s, results: make([]vector.Column, len(s.Calls))}
	var aggs []AggregateCall
	for i := range s.Calls {
		if s.Calls[i].Fn != nil {
			f.framed, aggs = append(f.framed, i), append(aggs, s.Calls[i].AggregateCall)
			f.made = append(f.made, vector.NewBuilder(s.Calls[i].T.WithNull(true)))
		}
	}
	calls, list := planCalls(nil, aggs, s.slides())
	calls.flat, calls.removes = make([]vector.Column, calls.args), true
	f.aggregation = &aggregation{calls: calls}
	for i := range s.Calls {
		if s.Calls[i].Fn == nil {
			f.placed = append(f.placed, newPlacedCall(i, &s.Calls[i], len(list)))
			list = append(list, s.Calls[i].Args...)
		}
	}
	f.cols = make([]vector.Column, len(list))
	var err error
	if f.ev, err = expr.New(list, env); err != nil {
		return nil, err
	}
	for k, b := range []Bound{s.Frame.Start, s.Frame.End} {
		r := [2]*reach{&f.start, &f.end}[k]
		switch {
		case b.Offset == nil:
		case s.Frame.Rows:
			c, err := expr.Value(b.Offset, env)
			if err != nil {
				return nil, err
			}
			f.rows[k] = vector.Value[int64](c.Value, 0)
		default:
			if *r, err = newReach(s.Order, b, env); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// bindTo keeps the accumulators in a table, by its groups.
func (f *frames) bindTo(t *state.Keyed) { f.aggregation = f.calls.bind(t) }

// bindScratch makes accumulators that last as long as a run.
func (f *frames) bindScratch(s *state.Store) {
	f.scratch = s.Scratch().Keyed("frames", nil, []types.Type{types.Of(types.Int).WithNull(false)})
	f.bindTo(f.scratch)
}

// reset begins with no rows.
func (f *frames) reset() {
	f.order, f.words, f.same, f.stretches = f.order[:0], f.words[:0], f.same[:0], f.stretches[:0]
}

// load evaluates what calls read of n rows.
func (f *frames) load(cols []*vector.Column, n int) error {
	out, err := f.ev.Eval(cols, n)
	if err != nil {
		return err
	}
	for i := range f.cols {
		vector.Flatten(&f.cols[i], out[i])
	}
	return nil
}

// run computes the results of all stretches.
func (f *frames) run() {
	n := len(f.order)
	f.lo, f.hi, f.at = sized(f.lo, n), sized(f.hi, n), sized(f.at, n)
	for i := range f.stretches {
		f.starts(&f.stretches[i])
		f.ends(&f.stretches[i])
	}
	if len(f.framed) > 0 {
		f.aggregate()
	}
	for i := range f.placed {
		f.place(&f.placed[i])
	}
}

// starts finds where the frames of a stretch begin.
func (f *frames) starts(s *stretch) {
	lo, b := f.lo, f.spec.Frame.Start
	switch {
	case b.Kind == UnboundedPreceding:
		for i := s.first; i < s.to; i++ {
			lo[i] = s.from
		}
	case f.spec.Frame.Rows || f.alone && b.Kind == CurrentRow:
		by := int64(s.gap) + f.shift(b, 0)
		for i := s.first; i < s.to; i++ {
			lo[i] = int32(min(max(int64(i)+by, int64(s.from)), int64(s.to)))
		}
	case b.Kind == CurrentRow:
		p := s.from
		for i := s.from; i < s.to; i++ {
			if !f.same[i] {
				p = i
			}
			lo[i] = p
		}
	default:
		p := s.from
		for i := s.first; i < s.to; i++ {
			w := f.start.ahead(f.words[i])
			if b.Kind == Preceding {
				w = f.start.back(f.words[i])
			}
			for p < s.to && f.words[p] < w {
				p++
			}
			lo[i] = p
		}
	}
}

// ends finds where they end.
func (f *frames) ends(s *stretch) {
	hi, b := f.hi, f.spec.Frame.End
	switch {
	case b.Kind == UnboundedFollowing:
		for i := s.first; i < s.to; i++ {
			hi[i] = s.to
		}
	case f.spec.Frame.Rows || f.alone && b.Kind == CurrentRow:
		by := f.shift(b, 1) + 1
		for i := s.first; i < s.to; i++ {
			hi[i] = int32(min(max(int64(i)+by, int64(s.from)), int64(s.to)))
		}
	case b.Kind == CurrentRow:
		p := s.to
		for i := s.to - 1; i >= s.first; i-- {
			hi[i] = p
			if !f.same[i] {
				p = i
			}
		}
	default:
		p := s.from
		for i := s.first; i < s.to; i++ {
			w := f.end.ahead(f.words[i])
			if b.Kind == Preceding {
				w = f.end.back(f.words[i])
			}
			for p < s.to && f.words[p] <= w {
				p++
			}
			hi[i] = p
		}
	}
	for i := s.first; i < s.to; i++ { // an empty frame
		f.lo[i] = min(f.lo[i], f.hi[i])
	}
}

// shift is how many rows a ROWS bound is behind the current row.
func (f *frames) shift(b Bound, end int) int64 {
	switch b.Kind {
	case Preceding:
		return -f.rows[end]
	case Following:
		return f.rows[end]
	}
	return 0
}

// aggregate moves the frames of all stretches on, a step at a time.
func (f *frames) aggregate() {
	f.live, f.cur = f.live[:0], f.cur[:0]
	for _, b := range f.made {
		b.Reset()
	}
	made := int32(0)
	for i := range f.stretches {
		s := &f.stretches[i]
		if f.scratch != nil {
			s.group = f.scratchGroup(i)
		}
		f.cur = append(f.cur, s.first)
		if s.first < s.to {
			f.live = append(f.live, int32(i))
		}
	}
	for len(f.live) > 0 {
		f.adds, f.addsTo, f.takes, f.takesFrom, f.values = f.adds[:0], f.addsTo[:0], f.takes[:0], f.takesFrom[:0], f.values[:0]
		live := f.live[:0]
		for _, k := range f.live {
			s := &f.stretches[k]
			i := f.cur[k]
			f.move(s, i)
			f.values = append(f.values, s.group)
			lo, hi := f.lo[i], f.hi[i]
			for ; i < s.to && f.lo[i] == lo && f.hi[i] == hi; i++ {
				f.at[i] = made
			}
			made++
			if f.cur[k] = i; i < s.to {
				live = append(live, k)
			}
		}
		f.live = live
		f.apply(f.adds, f.addsTo, false)
		f.apply(f.takes, f.takesFrom, true)
		for k, acc := range f.accs {
			acc.Value(f.values, &f.value)
			for i := range f.values {
				f.made[k].AppendValue(&f.value, i)
			}
		}
	}
	f.gather()
}

// move says which rows enter and leave the frame of a stretch for row i.
func (f *frames) move(s *stretch, i int32) {
	for ; s.added < f.hi[i]; s.added++ {
		f.adds, f.addsTo = append(f.adds, f.order[s.added]), append(f.addsTo, s.group)
	}
	if !f.spec.slides() {
		return
	}
	for ; s.gone < f.lo[i]; s.gone++ {
		f.takes, f.takesFrom = append(f.takes, f.order[s.gone]), append(f.takesFrom, s.group)
	}
}

// apply adds rows to groups, or takes them away.
func (f *frames) apply(rows, groups []int32, retract bool) {
	if len(rows) == 0 {
		return
	}
	for i := range f.flat {
		vector.Take(&f.flat[i], &f.cols[i], rows)
	}
	f.update(groups, nil, retract)
}

// gather brings the values into the order of the rows.
func (f *frames) gather() {
	for i := range f.stretches {
		for k := f.stretches[i].from; k < f.stretches[i].first; k++ {
			f.at[k] = 0
		}
	}
	for k, call := range f.framed {
		f.made[k].Finish(&f.built)
		if out := &f.results[call]; f.built.Len > 0 {
			vector.Take(out, &f.built, f.at)
			out.Type = f.spec.Calls[call].T
		}
	}
	if f.scratch != nil && len(f.stretches) > 0 {
		f.clear(f.scratchGroups[:len(f.stretches)])
	}
}

// scratchGroup is the empty group of stretch i.
func (f *frames) scratchGroup(i int) int32 {
	if i == len(f.scratchGroups) {
		f.scratchGroups = append(f.scratchGroups, f.scratch.Reserve())
	}
	return f.scratchGroups[i]
}
