package expr

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// merger builds one column out of branches that hold disjoint lanes. Lanes that no branch holds come
// out NULL or arbitrary.
type merger struct {
	out   vector.Column
	valid []uint64
	idx   []int32
	flat  vector.Column
	truth truth
	views []vector.View
}

func (m *merger) run(t types.Type, n int, picks []pick) *vector.Column {
	if p := t.Physical(); p == types.PhysRow || p == types.PhysList {
		m.composite(t, n, picks)
		return &m.out
	}
	m.out.Reset(t, n)
	m.mergeNulls(n, picks)
	for _, p := range picks {
		if p.col.Wide || (p.col.Enc == vector.Dict && p.col.Dict.Values.Wide) {
			m.out.Wide = true
		}
	}
	if cap(m.idx) < n {
		m.idx = make([]int32, n)
	}
	m.idx = m.idx[:cap(m.idx)]
	switch m.out.Phys() {
	case types.PhysBool:
		m.bools(n, picks)
	case types.PhysInt8:
		place(m, vector.Alloc[int8](&m.out), picks)
	case types.PhysInt16:
		place(m, vector.Alloc[int16](&m.out), picks)
	case types.PhysInt32, types.PhysFloat32:
		place(m, vector.Alloc[int32](&m.out), picks)
	case types.PhysInt64, types.PhysFloat64:
		place(m, vector.Alloc[int64](&m.out), picks)
	case types.PhysInt128:
		m.decimals(vector.Alloc[vector.Int128](&m.out), picks)
	case types.PhysView:
		m.texts(vector.Alloc[vector.View](&m.out), picks)
	}
	return &m.out
}

// mergeNulls sets the result's validity from the branches'.
func (m *merger) mergeNulls(n int, picks []pick) {
	nulls := false
	for _, p := range picks {
		nulls = nulls || mayHoldNull(p.col)
	}
	if !nulls {
		return
	}
	out := m.out.AllocValid()
	clear(out)
	for _, p := range picks {
		m.valid = validOf(m.valid, p.col, n)
		for i := range out {
			out[i] |= m.valid[i] & p.mask[i]
		}
	}
	if kernel.Count(out) == n {
		m.out.Valid = nil
	}
}

func mayHoldNull(c *vector.Column) bool {
	if c.Enc == vector.Dict {
		return c.Valid != nil || mayHoldNull(c.Dict.Values)
	}
	return c.Valid != nil || c.Type.Kind == types.Null
}

// validOf writes the validity of c's rows, in any encoding, into w.
func validOf(w []uint64, c *vector.Column, n int) []uint64 {
	w = grow(w, kernel.Words(n))
	switch {
	case c.IsConstNull():
		clear(w)
		return w
	case c.Enc == vector.Dict && mayHoldNull(c.Dict.Values):
		clear(w)
		for i := range n {
			if !c.Null(i) {
				kernel.SetBit(w, i)
			}
		}
		return w
	case c.Enc != vector.Constant && c.Valid != nil:
		copy(w, c.Valid)
		return w
	}
	kernel.Fill(w, n)
	return w
}

func (m *merger) bools(n int, picks []pick) {
	out := vector.AllocBits(&m.out)
	clear(out)
	for _, p := range picks {
		m.truth.load(p.col, n)
		for i := range out {
			out[i] |= m.truth.yes[i] & p.mask[i]
		}
	}
}

// place copies the lanes of each branch. A flat first branch is copied whole, which is faster than by
// index.
func place[T any](m *merger, out []T, picks []pick) {
	for k, p := range picks {
		if p.col.IsConstNull() {
			continue
		}
		if k == 0 && p.col.Enc == vector.Flat {
			copy(out, vector.Values[T](p.col))
			continue
		}
		src, codes := resolve(p.col, &m.flat)
		vals := vector.Values[T](src)
		lanes := m.idx[:kernel.Indices(m.idx, p.mask)]
		switch {
		case codes != nil && len(vals) > 0:
			for _, i := range lanes {
				out[i] = vals[codes[i]]
			}
		case src.Enc == vector.Constant:
			v := vals[0]
			for _, i := range lanes {
				out[i] = v
			}
		case codes == nil:
			for _, i := range lanes {
				out[i] = vals[i]
			}
		}
	}
}

// resolve gives the values of c and, for a dictionary, the codes that lead to them.
func resolve(c, scratch *vector.Column) (*vector.Column, []int32) {
	if c.Enc != vector.Dict {
		return c, nil
	}
	if c.Dict.Values.Enc == vector.Flat {
		return c.Dict.Values, c.Codes
	}
	vector.Flatten(scratch, c)
	return scratch, nil
}

func (m *merger) decimals(out []vector.Int128, picks []pick) {
	for _, p := range picks {
		if p.col.IsConstNull() {
			continue
		}
		lanes := m.idx[:kernel.Indices(m.idx, p.mask)]
		for _, i := range lanes {
			f, k := p.col.At(int(i))
			if f.Wide {
				out[i] = vector.Values[vector.Int128](f)[k]
			} else {
				out[i] = kernel.Int128Of(vector.Values[int64](f)[k])
			}
		}
	}
}

// maxShared is the number of text buffers that a merged column lists before it copies instead (V5).
const maxShared = 16

func (m *merger) texts(out []vector.View, picks []pick) {
	clear(out)
	for _, p := range picks {
		if p.col.IsConstNull() {
			continue
		}
		src, codes := resolve(p.col, &m.flat)
		base := m.out.ShareText(src)
		vals := vector.Values[vector.View](src)
		step := src.Step()
		for _, i := range m.idx[:kernel.Indices(m.idx, p.mask)] {
			k := int(i) * step
			if codes != nil {
				k = int(codes[i])
			}
			v := vals[k]
			if v.Len > kernel.InlineLen {
				v.Buf += base
			}
			out[i] = v
		}
	}
	if len(m.out.Bufs) > maxShared {
		m.copyTexts(out)
	}
}

func (m *merger) copyTexts(views []vector.View) {
	var src vector.Column
	vector.SetViews(&src, m.out.Type, append(m.views[:0], views...), m.out.Bufs...)
	m.views = vector.Values[vector.View](&src)
	m.out.Bufs = m.out.Bufs[:0]
	w := vector.NewText(&m.out)
	for i := range m.views {
		w.Put(i, m.views[i].Bytes(src.Bufs))
	}
	w.Finish()
}

// composite merges ROW and collection values by putting the branches behind each other and taking each
// lane from its branch.
func (m *merger) composite(t types.Type, n int, picks []pick) {
	parts := make([]*vector.Column, len(picks))
	idx := make([]int32, n)
	for k, p := range picks {
		parts[k] = &vector.Column{}
		vector.Flatten(parts[k], p.col)
		for i := range n {
			if kernel.Bit(p.mask, i) {
				idx[i] = int32(k*n + i)
			}
		}
	}
	var all vector.Column
	vector.Concat(&all, t, parts)
	vector.Take(&m.out, &all, idx)
	m.out.Type = t
}
