package expr

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// caseNode evaluates each branch on the lanes that reach it and merges what they give.
type caseNode struct {
	in      *input
	t       types.Type
	conds   []node
	thens   []node // one more than conds: the last is ELSE
	test    truth
	open    []uint64
	takens  [][]uint64
	picks   []pick
	merge   merger
	nothing vector.Column
}

// pick is a branch that some lanes take.
type pick struct {
	col  *vector.Column
	mask []uint64
}

func (c *compiler) cases(x *Case) (node, error) {
	n := &caseNode{in: c.in, t: x.T, takens: make([][]uint64, len(x.Whens)+1)}
	for _, w := range x.Whens {
		cond, err := c.compile(w.Cond)
		if err != nil {
			return nil, err
		}
		then, err := c.compile(w.Then)
		if err != nil {
			return nil, err
		}
		n.conds, n.thens = append(n.conds, cond), append(n.thens, then)
	}
	last, err := c.compile(x.Else)
	if err != nil {
		return nil, err
	}
	n.thens = append(n.thens, last)
	return n, nil
}

func (c *caseNode) eval(active []uint64) (*vector.Column, error) {
	words := kernel.Words(c.in.n)
	c.open = grow(c.open, words)
	if active == nil {
		kernel.Fill(c.open, c.in.n)
	} else {
		copy(c.open, active)
	}
	c.picks = c.picks[:0]
	for i, cond := range c.conds {
		if !kernel.Any(c.open) {
			break
		}
		col, err := cond.eval(c.open)
		if err != nil {
			return nil, err
		}
		c.test.load(col, c.in.n)
		c.takens[i] = grow(c.takens[i], words)
		kernel.And(c.takens[i], c.test.yes, c.open)
		if err := c.take(i); err != nil {
			return nil, err
		}
		kernel.AndNot(c.open, c.open, c.test.yes)
	}
	last := len(c.conds)
	c.takens[last] = grow(c.takens[last], words)
	copy(c.takens[last], c.open)
	if err := c.take(last); err != nil {
		return nil, err
	}
	switch len(c.picks) {
	case 0:
		c.nothing.SetConstNull(c.t, c.in.n)
		return &c.nothing, nil
	case 1:
		return c.picks[0].col, nil
	}
	return c.merge.run(c.t, c.in.n, c.picks), nil
}

// take evaluates branch i where any lane chose it.
func (c *caseNode) take(i int) error {
	mask := c.takens[i]
	if !kernel.Any(mask) {
		return nil
	}
	col, err := c.thens[i].eval(mask)
	if err != nil {
		return err
	}
	c.picks = append(c.picks, pick{col, mask})
	return nil
}
