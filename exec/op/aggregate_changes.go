package op

import (
	"streamsql/exec/state"
	"streamsql/exec/vector"
)

// changes makes the changelog of a batch out of the values of groups before and after it.
type changes struct {
	maxRows int
	keys    int
	before  bool // emit -U
	always  bool // emit what did not change
	// latest says that values before the batch play no part: old stays empty.
	latest bool

	// groups are the touched ones, of which old has values, and the fresh ones; new has values of all.
	groups  []int32
	touched int
	old     []vector.Column
	new     []vector.Column
	differs []bool
	one     []bool // of one column
	gone    []bool
	dead    []int32

	both  []vector.Column // old, then new
	from  []int32         // row of both
	at    []int32         // group of each row
	kinds []vector.RowKind
	own   []vector.Column
	out   vector.Batch
}

func (c *changes) open(maxRows, keys, aggs int, before, always bool) {
	c.maxRows, c.keys, c.before, c.always = maxRows, keys, before, always
	c.old, c.new, c.both = make([]vector.Column, aggs), make([]vector.Column, aggs), make([]vector.Column, aggs)
	c.own, c.out.Cols = owned(keys + aggs)
}

// start takes the groups of a batch.
func (c *changes) start(touched, fresh []int32) {
	c.groups = append(append(c.groups[:0], touched...), fresh...)
	c.touched = len(touched)
	if cap(c.gone) < len(c.groups) {
		c.gone = make([]bool, 2*len(c.groups))
		c.differs = make([]bool, 2*len(c.groups))
	}
	c.gone, c.differs = c.gone[:len(c.groups)], c.differs[:len(c.groups)]
	clear(c.gone)
	clear(c.differs)
}

// die says that group i of the batch has no row left.
func (c *changes) die(i int, g int32) {
	c.gone[i] = true
	c.dead = append(c.dead, g)
}

// emit compares and passes the changes on.
func (c *changes) emit(t *state.Keyed, out Output) error {
	for i := range c.old {
		if c.always {
			break
		}
		c.one = differing(c.one[:0], c.touched, &c.old[i], &c.new[i])
		for k, d := range c.one {
			c.differs[k] = c.differs[k] || d
		}
	}
	c.from, c.at, c.kinds = c.from[:0], c.at[:0], c.kinds[:0]
	old := c.touched
	if c.latest {
		old = 0
	}
	for i, g := range c.groups {
		k, n := int32(i), int32(old+i)
		switch {
		case i >= c.touched && !c.gone[i]:
			c.add(g, n, vector.Insert)
		case i >= c.touched:
		case c.gone[i]:
			c.add(g, k, vector.Delete)
		case c.differs[i], c.always:
			if c.before {
				c.add(g, k, vector.UpdateBefore)
			}
			c.add(g, n, vector.UpdateAfter)
		}
	}
	if len(c.at) == 0 {
		return nil
	}
	for i := range c.both {
		if old == 0 {
			c.both[i].Alias(&c.new[i])
			continue
		}
		vector.Concat(&c.both[i], c.new[i].Type, []*vector.Column{&c.old[i], &c.new[i]})
	}
	for from := 0; from < len(c.at); from += c.maxRows {
		if err := c.piece(t, from, min(from+c.maxRows, len(c.at)), out); err != nil {
			return err
		}
	}
	return nil
}

func (c *changes) add(g, row int32, kind vector.RowKind) {
	c.at, c.from, c.kinds = append(c.at, g), append(c.from, row), append(c.kinds, kind)
}

func (c *changes) piece(t *state.Keyed, from, to int, out Output) error {
	for i := range c.keys {
		t.Key(&c.own[i], i, c.at[from:to])
	}
	for i := range c.both {
		vector.Take(&c.own[c.keys+i], &c.both[i], c.from[from:to])
	}
	c.out.Len, c.out.Kinds = to-from, c.kinds[from:to]
	if !changed(c.out.Kinds) {
		c.out.Kinds = nil
	}
	return out.Emit(&c.out)
}
