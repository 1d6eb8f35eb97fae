package op

import (
	"streamsql/exec/vector"
)

// Rows in processing time are given as they come: over the batch itself where no row is kept, else over the kept ones.

// pass gives rows as they come.
func (o *overStream) pass(b *vector.Batch, out Output) error {
	if o.frames.start.whole != 0 {
		now := wordOfTime(o.clock().UnixMilli())
		for i := range o.code.words {
			o.code.words[i] = now
		}
	}
	o.divide()
	if o.kept == nil {
		return o.direct(b, out)
	}
	o.sel = o.sel[:0]
	for i := range b.Len {
		o.sel = append(o.sel, int32(i))
	}
	o.keep(b)
	o.begin()
	o.wanted = sized(o.wanted, b.Len)
	from := 0
	for k, g := range o.of {
		rows := o.byPart[from:o.ends[k]]
		from = o.ends[k]
		o.leaving(g, int64(len(rows)), o.code.words[rows[len(rows)-1]])
		for _, r := range rows {
			o.wanted[r] = int32(len(o.ids))
			o.ids = append(o.ids, o.made[r])
		}
		o.stretch(g)
	}
	return o.compute(out)
}

// divide brings the rows of the batch together that are of one partition.
func (o *overStream) divide() {
	o.of, o.ends = o.of[:0], o.ends[:0]
	for _, g := range o.groups {
		k := o.at.At(g) - 1
		if k < 0 {
			k = int32(len(o.of))
			o.at.Set(g, k+1)
			o.of, o.ends = append(o.of, g), append(o.ends, 0)
		}
		o.ends[k]++
	}
	sum := 0
	for k, n := range o.ends {
		o.ends[k] = sum
		sum += n
	}
	o.byPart = sized(o.byPart, sum)
	for i, g := range o.groups {
		k := o.at.At(g) - 1
		o.byPart[o.ends[k]] = int32(i)
		o.ends[k]++
	}
	for _, g := range o.of {
		o.at.Set(g, 0)
	}
}

// direct computes over the batch itself, of which nothing is kept.
func (o *overStream) direct(b *vector.Batch, out Output) error {
	f := o.frames
	f.reset()
	f.order = append(f.order, o.byPart...)
	from := int32(0)
	for k, g := range o.of {
		to := int32(o.ends[k])
		f.stretches = append(f.stretches, stretch{group: g, from: from, to: to, first: from, added: from, gone: from,
			number: o.given.At(g), keys: o.given.At(g)})
		o.given.Set(g, o.given.At(g)+int64(to-from))
		from = to
	}
	f.words, f.same = sized(f.words, b.Len), sized(f.same, b.Len)
	clear(f.same)
	if err := f.load(b.Cols, b.Len); err != nil {
		return err
	}
	f.run()
	o.wanted = sized(o.wanted, b.Len)
	for at, r := range f.order {
		o.wanted[r] = int32(at)
	}
	return o.give(b.Cols, out)
}
