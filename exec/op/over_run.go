package op

import (
	"streamsql/exec/vector"
)

// A run computes over kept rows of some partitions, a stretch of each: those that leave the frame, then those to give.

// begin starts a run over kept rows.
func (o *overStream) begin() {
	o.frames.reset()
	o.ids, o.wanted = o.ids[:0], o.wanted[:0]
	o.begun = 0
}

// leaving appends the rows given before that so many more rows, the last of them with a word, look at: those that
// leave the frame, and for LAG all.
func (o *overStream) leaving(g int32, more int64, last uint64) {
	f, past := o.frames, o.past.At(g)
	switch {
	case o.lags > 0:
		o.ids = o.walk(g, o.ids, past)
	case !o.leaves():
	case o.spec.Frame.Rows || f.alone && o.spec.Frame.Start.Kind == CurrentRow:
		o.ids = o.walk(g, o.ids, min(max(past+more-1+f.shift(o.spec.Frame.Start, 0), 0), past))
	default:
		bar := f.start.back(last)
		o.seek.toWord(g, 0)
		for n := past; n > 0; n-- {
			v := o.seek.after()
			if o.word.At(v) >= bar {
				break
			}
			o.ids = append(o.ids, v)
		}
	}
	o.old = int32(len(o.ids))
}

// stretch makes one of the rows that leaving and then the caller appended.
func (o *overStream) stretch(g int32) {
	f, from, to := o.frames, o.begun, int32(len(o.ids))
	s := stretch{group: g, from: from, to: to, first: o.old, added: o.old, gone: from, number: o.given.At(g) - int64(o.old-from)}
	if o.lags > 0 {
		s.gone += int32(o.out.At(g))
	} else {
		s.gap = int32(o.past.At(g)) - (o.old - from)
	}
	f.stretches = append(f.stretches, s)
	o.begun = to
}

// compute gives the wanted rows of a run, and forgets those that nobody will look at again.
func (o *overStream) compute(out Output) error {
	f, n := o.frames, len(o.ids)
	if n == 0 {
		return nil
	}
	for i, v := range o.ids {
		w := o.word.At(v)
		f.order, f.words = append(f.order, int32(i)), append(f.words, w)
		f.same = append(f.same, i > 0 && w == f.words[i-1] && !f.alone)
	}
	for i := range f.stretches {
		s := &f.stretches[i]
		f.same[s.from], s.keys = false, s.number
		if o.keys != nil {
			s.keys = o.keys.At(s.group) - f.different(s.from, s.first)
		}
	}
	o.kept.values(o.read, o.ids)
	if err := f.load(o.inputs, n); err != nil {
		return err
	}
	f.run()
	err := o.give(o.inputs, out)
	o.gone = o.gone[:0]
	for _, s := range f.stretches {
		left := s.to // the first row that is still in the frame
		if o.leaves() {
			left = f.lo[s.to-1]
		}
		kept := int32(max(min(int64(left), int64(s.to)-o.lags), int64(s.from)))
		for _, v := range o.ids[s.from:kept] {
			o.remove(s.group, v)
			o.gone = append(o.gone, v)
		}
		more := int64(s.to - s.first)
		o.given.Set(s.group, o.given.At(s.group)+more)
		if o.keys != nil {
			o.keys.Set(s.group, o.keys.At(s.group)+f.different(s.first, s.to))
		}
		o.past.Set(s.group, o.past.At(s.group)+more-int64(kept-s.from))
		if o.lags > 0 && o.leaves() {
			o.out.Set(s.group, int64(left-kept))
		}
	}
	o.kept.rows.Remove(o.gone)
	o.kept.rows.Compact()
	return err
}

// give passes on the wanted rows of columns, with their results.
func (o *overStream) give(cols []*vector.Column, out Output) error {
	f, n := o.frames, len(cols)
	for from := 0; from < len(o.wanted); from += o.maxRows {
		at := o.wanted[from:min(from+o.maxRows, len(o.wanted))]
		o.rows = o.rows[:0]
		for _, i := range at {
			o.rows = append(o.rows, f.order[i])
		}
		for i := range n {
			vector.Take(&o.own[i], cols[i], o.rows)
		}
		for i := range f.results {
			vector.Take(&o.own[n+i], &f.results[i], at)
		}
		o.batch.Len = len(at)
		if err := out.Emit(&o.batch); err != nil {
			return err
		}
	}
	return nil
}
