package op

import (
	"slices"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// rankChanges makes the changelog of a batch out of the first rows of partitions before and after it.
type rankChanges struct {
	o       *rank
	maxRows int
	batch   *state.Pages[uint32] // the one that touched a partition last
	now     uint32
	dirty   []int32
	// touches are the places in dirty of partitions, as the batch touched them, and at the place of each partition.
	touches []int32
	at      *state.Pages[int32]
	order   []int32 // of dirty: as they were touched last
	// old are the rows of the first places of dirty partitions before the batch; those of dirty[i] end at ends[i].
	old  []int32
	ends []int
	new  []int32
	// in tells rows that are in one of two lists apart, where they are not compared by place.
	in *state.Pages[int32]

	ids    []int32
	places []int64
	kinds  []vector.RowKind
	own    []vector.Column
	out    vector.Batch

	scratch []int32
	had     []int64
}

func (c *rankChanges) open(o *rank, maxRows int) {
	c.o, c.maxRows = o, maxRows
	c.batch, c.at = state.NewDerived[uint32](o.parts), state.NewDerived[int32](o.parts)
	if !o.spec.byPlace() && o.tied == nil {
		c.in = state.NewDerived[int32](o.payload.rows)
	}
	n := len(o.spec.Types)
	if o.spec.Number {
		n++
	}
	c.own, c.out.Cols = owned(n)
}

func (c *rankChanges) start() {
	c.now++
	c.dirty, c.old, c.ends, c.touches = c.dirty[:0], c.old[:0], c.ends[:0], c.touches[:0]
	if c.o.tied != nil {
		c.o.tied.start()
	}
}

// touch notes the first rows of a partition before the batch changes them.
func (c *rankChanges) touch(g int32) {
	o := c.o
	if c.batch.At(g) == c.now {
		c.touches = append(c.touches, c.at.At(g))
		return
	}
	c.batch.Set(g, c.now)
	if o.ttl != nil {
		o.parts.OwnOne(g)
		o.ids[0] = g
		if len(o.ttl.Touch(o.ids[:], o.now)) > 0 {
			o.drop(g)
		}
	}
	if o.spec.AtEnd || o.spec.Windowed || o.tied != nil && o.tied.plain {
		return
	}
	c.at.Set(g, int32(len(c.dirty)))
	c.touches = append(c.touches, int32(len(c.dirty)))
	c.dirty = append(c.dirty, g)
	if t := o.tied; t != nil {
		t.old = t.shown(g, t.old)
		c.ends = append(c.ends, len(t.old))
		return
	}
	c.old = c.first(g, c.old)
	c.ends = append(c.ends, len(c.old))
}

// first appends the rows at the first places of a partition, each as often as there are copies.
func (c *rankChanges) first(g int32, out []int32) []int32 {
	o, most := c.o, c.o.spec.To
	if o.copies == nil {
		return o.walk(g, out, most)
	}
	c.scratch = o.walk(g, c.scratch[:0], most)
	for _, v := range c.scratch {
		for n := o.copies.At(v); n > 0 && most > 0; n-- {
			out = append(out, v)
			most--
		}
	}
	return out
}

// lastTouched is the order in which partitions were touched last: as the rows came that they have now.
func (c *rankChanges) lastTouched() []int32 {
	c.order = c.order[:0]
	for _, i := range slices.Backward(c.touches) {
		if c.at.At(c.dirty[i]) >= 0 {
			c.at.Set(c.dirty[i], -1)
			c.order = append(c.order, i)
		}
	}
	slices.Reverse(c.order)
	return c.order
}

// emit passes the difference on, that of partitions in the order in which their last rows came.
func (c *rankChanges) emit(out Output) error {
	spec := c.o.spec
	if c.o.tied != nil {
		return c.o.tied.emit(out)
	}
	for _, i := range c.lastTouched() {
		g, from := c.dirty[i], 0
		if i > 0 {
			from = c.ends[i-1]
		}
		old := c.old[from:c.ends[i]]
		c.new = c.first(g, c.new[:0])
		var err error
		if spec.byPlace() {
			err = c.compare(old, c.new, out)
		} else {
			err = c.sets(shown(old, spec.From), shown(c.new, spec.From), out)
		}
		if err != nil {
			return err
		}
	}
	return c.flush(out)
}

// shown are the rows from a place on.
func shown(list []int32, from int64) []int32 { return list[min(int64(len(list)), from-1):] }

// compare compares what stands at each place.
func (c *rankChanges) compare(old, new []int32, out Output) error {
	for p := int(c.o.spec.From - 1); p < max(len(old), len(new)); p++ {
		var err error
		switch {
		case p >= len(old):
			err = c.add(new[p], int64(p)+1, vector.Insert, out)
		case p >= len(new):
			err = c.add(old[p], int64(p)+1, vector.Delete, out)
		case old[p] != new[p]:
			if !c.o.spec.NoUpdateBefore {
				err = c.add(old[p], int64(p)+1, vector.UpdateBefore, out)
			}
			if err == nil {
				err = c.add(new[p], int64(p)+1, vector.UpdateAfter, out)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sets compares which rows are there.
func (c *rankChanges) sets(old, new []int32, out Output) error {
	for _, v := range new {
		c.in.Set(v, c.in.At(v)+1)
	}
	for _, v := range old {
		if n := c.in.At(v); n > 0 {
			c.in.Set(v, n-1)
		} else if err := c.add(v, 0, vector.Delete, out); err != nil {
			return err
		}
	}
	for _, v := range new {
		if n := c.in.At(v); n > 0 {
			c.in.Set(v, n-1)
			if err := c.add(v, 0, vector.Insert, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// all passes the rows of partitions on, with the places that they have in the end.
func (c *rankChanges) all(groups []int32, out Output) error {
	spec := c.o.spec
	for _, g := range groups {
		c.new = c.o.walk(g, c.new[:0], c.o.kept)
		p := placing{function: spec.Function}
		for i, v := range c.new {
			place := p.next(i > 0 && spec.Function != "ROW_NUMBER" && c.o.equal(v, c.new[i-1]), 1)
			if place > spec.To {
				break
			}
			if place < spec.From {
				continue
			}
			if err := c.add(v, place, vector.Insert, out); err != nil {
				return err
			}
		}
	}
	return c.flush(out)
}

func (c *rankChanges) add(v int32, place int64, kind vector.RowKind, out Output) error {
	c.ids, c.places, c.kinds = append(c.ids, v), append(c.places, place), append(c.kinds, kind)
	if len(c.ids) < c.maxRows {
		return nil
	}
	return c.flush(out)
}

// flush passes on what has gathered.
func (c *rankChanges) flush(out Output) error {
	n := len(c.ids)
	if n == 0 {
		return nil
	}
	c.o.payload.lend(c.own, c.ids)
	if c.o.spec.Number {
		vector.SetSlice(&c.own[len(c.own)-1], types.Of(types.BigInt).WithNull(false), c.places)
	}
	c.out.Len, c.out.Kinds = n, c.kinds
	if !changed(c.kinds) {
		c.out.Kinds = nil
	}
	err := out.Emit(&c.out)
	c.ids, c.places, c.kinds = c.ids[:0], c.places[:0], c.kinds[:0]
	return err
}
