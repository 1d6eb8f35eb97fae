package expr

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// truth is a BOOLEAN column as two maps: lanes that are TRUE and lanes that are FALSE; the rest is
// UNKNOWN.
type truth struct {
	yes, no []uint64
	valid   []uint64 // scratch
}

func (t *truth) resize(n int) {
	t.yes, t.no = grow(t.yes, kernel.Words(n)), grow(t.no, kernel.Words(n))
}

// load reads a column of n rows.
func (t *truth) load(c *vector.Column, n int) {
	t.resize(n)
	switch {
	case c.IsConstNull():
		clear(t.yes)
		clear(t.no)
	case c.Enc == vector.Constant:
		set, unset := t.yes, t.no
		if vector.Bits(c)[0]&1 == 0 {
			set, unset = t.no, t.yes
		}
		kernel.Fill(set, n)
		clear(unset)
	case c.Enc == vector.Dict:
		t.loadDict(c)
	default:
		copy(t.yes, vector.Bits(c))
		kernel.Not(t.no, t.yes, n)
		t.mask(c.Valid)
	}
}

func (t *truth) loadDict(c *vector.Column) {
	v := c.Dict.Values
	if v.Enc != vector.Flat || v.Len == 0 {
		var flat vector.Column
		vector.Flatten(&flat, c)
		t.load(&flat, c.Len)
		return
	}
	kernel.TakeBits(t.yes, vector.Bits(v), c.Codes)
	kernel.Not(t.no, t.yes, c.Len)
	if v.Valid != nil {
		t.valid = grow(t.valid, kernel.Words(c.Len))
		kernel.TakeBits(t.valid, v.Valid, c.Codes)
		t.mask(t.valid)
	}
	t.mask(c.Valid)
}

func (t *truth) mask(valid []uint64) {
	if valid != nil {
		kernel.And(t.yes, t.yes, valid)
		kernel.And(t.no, t.no, valid)
	}
}

// logicNode is AND or OR: a lane that is decided does not reach what follows.
type logicNode struct {
	in   *input
	or   bool
	args []node
	t    types.Type
	acc  truth
	next truth
	open []uint64
	out  vector.Column
}

func (c *compiler) logic(x *Logic) (node, error) {
	n := &logicNode{in: c.in, or: x.Or, t: x.T}
	for _, a := range x.List {
		m, err := c.compile(a)
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, m)
	}
	return n, nil
}

func (l *logicNode) eval(active []uint64) (*vector.Column, error) {
	n := l.in.n
	for i, a := range l.args {
		reach := active
		if i > 0 {
			reach = l.reached(active)
			if !kernel.Any(reach) {
				break
			}
		}
		col, err := a.eval(reach)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			l.acc.load(col, n)
			continue
		}
		l.next.load(col, n)
		l.combine()
	}
	l.out.Reset(l.t, n)
	copy(vector.AllocBits(&l.out), l.acc.yes)
	valid := l.out.AllocValid()
	kernel.Or(valid, l.acc.yes, l.acc.no)
	if kernel.Count(valid) == n {
		l.out.Valid = nil
	}
	return &l.out, nil
}

// reached are the active lanes that are not decided yet.
func (l *logicNode) reached(active []uint64) []uint64 {
	decided := l.acc.no
	if l.or {
		decided = l.acc.yes
	}
	l.open = grow(l.open, len(decided))
	if active == nil {
		kernel.Not(l.open, decided, l.in.n)
	} else {
		kernel.AndNot(l.open, active, decided)
	}
	return l.open
}

func (l *logicNode) combine() {
	both, either := kernel.And, kernel.Or
	if l.or {
		both, either = either, both
	}
	both(l.acc.yes, l.acc.yes, l.next.yes)
	either(l.acc.no, l.acc.no, l.next.no)
}
