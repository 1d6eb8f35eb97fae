package expr

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// fieldNode reads a field of a ROW column. The values are never copied; only the row's own NULLs are
// merged into the field's validity.
type fieldNode struct {
	in    *input
	row   node
	index int
	t     types.Type
	out   vector.Column
	codes vector.Column // composed codes
	valid []uint64
	dict  vector.Dictionary
}

func (f *fieldNode) eval(active []uint64) (*vector.Column, error) {
	row, err := f.row.eval(active)
	if err != nil {
		return nil, err
	}
	switch {
	case row.IsConstNull():
		f.out.SetConstNull(f.t, f.in.n)
	case row.Enc == vector.Dict:
		f.ofDict(row)
	default:
		f.ofRows(row)
	}
	f.out.Type = f.t
	return &f.out, nil
}

func (f *fieldNode) ofRows(row *vector.Column) {
	child := row.Children[f.index]
	f.out.Alias(child)
	f.out.Len = row.Len
	if row.Valid == nil {
		return
	}
	if child.Valid == nil {
		f.out.Valid = row.Valid
		return
	}
	f.out.Valid = f.and(row.Valid, child.Valid)
}

// ofDict keeps the row's codes and takes the field's column as the values. Codes over a field that is
// a dictionary itself are composed.
func (f *fieldNode) ofDict(row *vector.Column) {
	vals := row.Dict.Values
	child := vals.Children[f.index]
	codes, valid := row.Codes, row.Valid
	switch {
	case vals.Len == 0:
		f.out.SetConstNull(f.t, f.in.n)
		return
	case child.Enc == vector.Constant:
		f.constChild(row, child)
		return
	case child.Enc == vector.Dict:
		composed := f.in.compose(codes, child.Codes)
		if inner := nullsOf(vals, child); inner != nil {
			f.valid = grow(f.valid, kernel.Words(row.Len))
			kernel.TakeBits(f.valid, inner, codes)
			if valid != nil {
				kernel.And(f.valid, f.valid, valid)
			}
			valid = f.valid
		}
		f.out.SetDict(f.t, composed, child.Dict)
		f.out.Valid = valid
		return
	}
	f.dict = vector.Dictionary{Values: child}
	if vals.Valid != nil {
		flat := &f.codes
		flat.Alias(child)
		flat.Valid = vals.Valid
		if child.Valid != nil {
			flat.Valid = f.and(vals.Valid, child.Valid)
		}
		f.dict.Values = flat
	}
	f.out.SetDict(f.t, codes, &f.dict)
	f.out.Valid = valid
}

// constChild is a field that no row of the batch was asked for, or that is the same in all of them.
func (f *fieldNode) constChild(row, child *vector.Column) {
	f.out.Alias(child)
	f.out.Len = row.Len
	if (row.Valid == nil && row.Dict.Values.Valid == nil) || child.IsConstNull() {
		return
	}
	f.codes.Alias(&f.out)
	vector.Flatten(&f.out, &f.codes)
	w := f.out.AllocValid()
	for i := range row.Len {
		if row.Null(i) {
			kernel.ClearBit(w, i)
		}
	}
}

func (f *fieldNode) and(a, b []uint64) []uint64 {
	f.valid = grow(f.valid, len(a))
	kernel.And(f.valid, a, b)
	return f.valid
}

// nullsOf is the validity over entries that row and field make together, or nil.
func nullsOf(row, child *vector.Column) []uint64 {
	switch {
	case row.Valid == nil:
		return child.Valid
	case child.Valid == nil:
		return row.Valid
	}
	out := make([]uint64, len(row.Valid))
	kernel.And(out, row.Valid, child.Valid)
	return out
}

// grow gives a slice of n words, reusing w.
func grow(w []uint64, n int) []uint64 {
	if cap(w) < n {
		return make([]uint64, n+n/2)[:n]
	}
	return w[:n]
}

// composition is codes of codes: out[i] = inner[outer[i]].
type composition struct {
	epoch        uint64
	outer, inner *int32
	out          []int32
}

// compose follows outer into inner. Fields that share a code array, as channel and url do, get one
// array again, so that expressions over both still see a single code per row.
func (in *input) compose(outer, inner []int32) []int32 {
	if len(outer) == 0 || len(inner) == 0 {
		return nil
	}
	free := -1
	for i := range in.composed {
		switch c := &in.composed[i]; {
		case c.epoch != in.epoch:
			free = i
		case c.outer == &outer[0] && c.inner == &inner[0] && len(c.out) == len(outer):
			return c.out
		}
	}
	if free < 0 {
		in.composed = append(in.composed, composition{})
		free = len(in.composed) - 1
	}
	c := &in.composed[free]
	if cap(c.out) < len(outer) {
		c.out = make([]int32, len(outer)+len(outer)/2)
	}
	c.epoch, c.outer, c.inner, c.out = in.epoch, &outer[0], &inner[0], c.out[:len(outer)]
	kernel.Take(c.out, inner, outer)
	return c.out
}
