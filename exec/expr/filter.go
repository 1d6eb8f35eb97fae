package expr

import (
	"streamsql/exec/function"
	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// Filter finds the rows on which a condition is TRUE.
type Filter struct {
	e   *Evaluator
	t   truth
	sel []int32
}

// NewFilter compiles the conjunction of conds.
func NewFilter(conds []Expr, env *function.Env) (*Filter, error) {
	e, err := New([]Expr{And(conds...)}, env)
	if err != nil {
		return nil, err
	}
	return &Filter{e: e}, nil
}

// Select returns the positions of the rows that are kept, ascending, or all when every row is. The
// slice is lent until the next call.
func (f *Filter) Select(cols []*vector.Column, n int) (sel []int32, all bool, err error) {
	out, err := f.e.Eval(cols, n)
	if err != nil {
		return nil, false, err
	}
	c := out[0]
	var bits []uint64
	if c.Enc == vector.Flat && c.Valid == nil {
		bits = vector.Bits(c)
	} else {
		f.t.load(c, n)
		bits = f.t.yes
	}
	kept := kernel.Count(bits)
	if kept == n {
		return nil, true, nil
	}
	if cap(f.sel) < n {
		f.sel = make([]int32, n)
	}
	f.sel = f.sel[:n]
	k := kernel.Indices(f.sel, bits)
	return f.sel[:k], false, nil
}
