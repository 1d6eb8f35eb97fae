package op

import (
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// clustered is the part of a distinct set that keeps integers near each other together: those that do not
// cluster, and NULL, go to the set itself.
type clustered struct {
	*distinct
	pairs *state.Pairs
	words *vector.Keys

	want, fresh []uint8
	rest        []int32
	groups      []int32
	values      vector.Column
}

func newClustered(d *distinct, t *state.Keyed) *clustered {
	c := &clustered{distinct: d, pairs: state.NewPairs(d.set.Name()+" pairs", t), words: vector.NewKeys(d.plan.types)}
	d.set.OnRestore(c.restored)
	return c
}

// restored gives every pair its one place: the set keeps those that have no cell.
func (c *clustered) restored() {
	var gone []int32
	all := c.set.Groups(nil)
	c.set.Key(&c.values, 1, all)
	for i, v := range all {
		g, x := int32(c.set.Word(0, v)), int64(c.set.Word(1, v))
		switch {
		case c.values.Null(i):
		case c.pairs.Has(g, x):
			c.pairs.Put(state.Pair{Group: g, Value: x, Marks: c.few.At(v)})
			gone = append(gone, v)
		default:
			c.pairs.Shut()
		}
	}
	c.set.Remove(gone)
	for _, p := range c.pairs.Lost() {
		c.pairs.Shut()
		c.keep(p)
	}
}

// keep puts a pair into the set itself.
func (c *clustered) keep(p state.Pair) {
	c.keys[0], c.keys[1] = c.groupsOf([]int32{p.Group}), vector.ConstOf(types.Of(types.BigInt).WithNull(false), p.Value, 1)
	v := c.set.Lookup(c.keys, 1)[0]
	c.set.OwnOne(v)
	c.few.Set(v, c.few.At(v)|p.Marks)
}

// apply puts the rows of a mask into the set.
func (c *clustered) apply(a *aggregation, groups []int32, rows []uint64) {
	n := len(groups)
	c.distinct.empty(n)
	if like := c.plan.like; like >= 0 && a.sets[like].pairs != nil {
		c.want = append(c.want[:0], a.sets[like].pairs.want...)
	} else {
		c.want = wants(c.plan, a, c.want, n, rows)
	}
	c.meet(groups, &a.flat[c.plan.args[0]])
}

// meet gives values the marks of want, and leaves in the set's fresh the rows that are new.
func (c *clustered) meet(groups []int32, arg *vector.Column) {
	n := len(groups)
	c.words.Load([]*vector.Column{arg}, n)
	if cap(c.fresh) < n {
		c.fresh = make([]uint8, n+n/2)
	}
	c.fresh = c.fresh[:n]
	c.rest = c.pairs.Meet(groups, c.words.Column(0).Words, c.words.Nulls, c.want, c.fresh, c.rest[:0])
	for i, f := range c.fresh {
		if f != 0 {
			c.mark(i, uint64(f))
		}
	}
	if len(c.rest) > 0 {
		c.others(groups, arg)
	}
}

// others puts the rows of rest into the set itself.
func (c *clustered) others(groups []int32, arg *vector.Column) {
	c.groups = c.groups[:0]
	for _, r := range c.rest {
		c.groups = append(c.groups, groups[r])
	}
	vector.Take(&c.values, arg, c.rest)
	c.keys[0], c.keys[1] = c.groupsOf(c.groups), &c.values
	pages := c.few.All
	for k, v := range c.lookup(len(c.rest)) {
		r := c.rest[k]
		page, at := v>>state.PageShift, v&state.PageMask
		if fresh := c.want[r] &^ pages()[page][at]; fresh != 0 {
			c.set.OwnOne(v)
			pages()[page][at] |= fresh
			c.mark(int(r), uint64(fresh))
		}
	}
}
