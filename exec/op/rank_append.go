package op

import (
	"math"
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// append takes rows that stay. One that is behind the last place is turned away by its word alone; what a row
// that is taken holds is copied at the end of the batch, if it is still there.
func (o *rank) append(b *vector.Batch) error {
	if o.spec.To < 1 {
		return nil
	}
	words := o.code.words
	o.hope()
	o.made = o.made[:0]
	for _, r := range o.sel {
		g := o.groups[r]
		if words[r] < ^o.bar.At(g) {
			o.take(g, r)
		}
	}
	o.fill(b)
	if o.expiry != nil {
		return o.expiry.queue(b)
	}
	return nil
}

// hope lists the rows at hand that are not behind the last place of their partition.
func (o *rank) hope() {
	words, bars := o.code.words, o.bar.All()
	o.sel = o.sel[:0]
	for i, g := range o.groups {
		if words[i] < ^bars[g>>state.PageShift][g&state.PageMask] {
			o.sel = append(o.sel, int32(i))
		}
	}
}

// ChoosesBy implements Chooser.
func (o *rank) ChoosesBy() []int {
	return o.by
}

// openChoice prepares Choose, where rows that are behind all places leave no trace.
func (o *rank) openChoice() {
	s := o.spec
	if s.Retracts || s.Windowed || s.TTL > 0 || o.kept < 1 || s.To == math.MaxInt64 || len(s.Order) == 0 {
		return
	}
	o.by = expr.Columns(append(slices.Clone(s.Partition), SortExprs(s.Order)...)...)
	if o.kept == 1 {
		o.lead = state.NewDerived[uint64](o.parts)
	}
}

// Choose implements Chooser.
func (o *rank) Choose(cols []*vector.Column, n int) ([]int32, error) {
	if err := o.read(cols, n); err != nil {
		return nil, err
	}
	if o.hope(); o.lead != nil {
		o.overtake()
	}
	return o.sel, nil
}

// overtake leaves of the rows that may be the first those out that are behind others before them.
func (o *rank) overtake() {
	words, leads, n := o.code.words, o.lead.All(), 0
	sharp := o.code.sharp && !o.newest
	for _, r := range o.sel {
		g, w := o.groups[r], words[r]
		if lead := &leads[g>>state.PageShift][g&state.PageMask]; w < ^*lead {
			if !sharp || w <= leastWord || w >= mostWord {
				w++
			}
			*lead = ^w
			o.sel[n] = r
			n++
		}
	}
	o.sel = o.sel[:n]
}

// take puts row r of the batch among those of a partition; the last one leaves when there are too many.
func (o *rank) take(g, r int32) {
	o.changed.touch(g)
	v := o.payload.rows.Reserve()
	o.made = append(o.made, v)
	o.from.Set(v, r+1)
	o.scratch = o.set(v, o.code, int(r), o.scratch)
	o.insert(g, v)
	n := o.size.At(g) + 1
	if n == 1 && o.expiry != nil {
		o.expiry.begin(g, r)
	}
	if o.tied != nil {
		o.tied.settle(g, v, n)
		return
	}
	if n > o.kept {
		w := o.worst(g)
		o.remove(g, w)
		o.from.Set(w, 0)
		o.gone = append(o.gone, w)
		n--
	}
	if o.size.Set(g, n); n == o.kept {
		o.raise(g)
	}
}

// raise sets the bar of a partition whose places are full.
func (o *rank) raise(g int32) {
	if n := o.size.At(g); n == 0 || n < o.kept {
		return
	}
	w := o.worst(g)
	bar := o.word.At(w)
	if !o.code.sharp || o.newest || o.more(w) {
		bar++
	}
	o.bar.Set(g, ^bar)
}

// fill copies the rows of the batch that are left into the table.
func (o *rank) fill(b *vector.Batch) {
	o.sel = o.sel[:0]
	kept, groups := o.made[:0], o.changed.scratch[:0]
	for _, v := range o.made {
		if r := o.from.At(v); r > 0 {
			o.from.Set(v, 0)
			kept, o.sel, groups = append(kept, v), append(o.sel, r-1), append(groups, o.groups[r-1])
		}
	}
	o.changed.scratch = groups
	o.made = kept
	o.payload.fill(kept, groups, b.Cols, o.sel)
}

// timely leaves out the rows of windows that are over; nil stands for none left.
func (o *rank) timely(b *vector.Batch) *vector.Batch {
	times := b.Cols[o.spec.Time]
	o.sel = o.sel[:0]
	for i := range b.Len {
		if vector.Value[int64](times, i) > int64(o.time) {
			o.sel = append(o.sel, int32(i))
		}
	}
	if len(o.sel) == b.Len {
		return b
	}
	o.late += int64(b.Len - len(o.sel))
	if len(o.sel) == 0 {
		return nil
	}
	if o.cut == nil {
		o.cut, o.cuts = owned(len(b.Cols))
	}
	for i, c := range b.Cols {
		vector.Take(&o.cut[i], c, o.sel)
	}
	return &vector.Batch{Len: len(o.sel), Cols: o.cuts}
}

// arm sets the timers of new partitions.
func (o *rank) arm(b *vector.Batch) {
	fresh := o.parts.Fresh()
	if len(fresh) == 0 {
		return
	}
	for _, g := range fresh {
		o.size.Set(g, -1)
	}
	times := b.Cols[o.spec.Time]
	var due [1]int64
	for i, g := range o.groups {
		if o.size.At(g) < 0 {
			o.size.Set(g, 0)
			o.ids[0], due[0] = g, vector.Value[int64](times, i)
			o.timers.Set(o.ids[:], due[:])
		}
	}
}

// Advance implements Operator.
func (o *rank) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	switch {
	case o.spec.AtEnd && t == types.MaxTime:
		return t, o.changed.all(o.parts.Groups(nil), out)
	case o.expiry != nil && t != types.MaxTime:
		o.expire(t)
		return t, nil
	case !o.spec.Windowed || t <= o.time:
		return t, nil
	}
	o.time = t
	o.store.SetTime("time", int64(t))
	due := o.timers.Due(int64(t))
	if len(due) == 0 {
		return t, nil
	}
	if err := o.changed.all(due, out); err != nil {
		return t, err
	}
	for _, g := range due {
		o.drop(g)
	}
	o.timers.Stop(due)
	o.parts.Remove(due)
	o.parts.Compact()
	o.forget()
	return t, nil
}
