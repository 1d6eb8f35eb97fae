package expr

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// derived holds the results of one expression over the entries of one set of dictionaries. Entry k of
// its own dictionary belongs to code k of theirs, so that their codes serve unchanged.
type derived struct {
	t     types.Type
	ids   []uint64
	dict  vector.Dictionary
	size  int // entries that the sources have
	count int // entries computed
	done  []uint64
	vals  vector.Column
	words []uint64 // memory behind vals.Data
	valid []uint64
	nulls bool
	text  []byte
	flat  vector.Column
}

func newDerived(t types.Type, cols []*vector.Column) *derived {
	r := &derived{t: t}
	for _, c := range cols {
		r.ids = append(r.ids, c.Dict.ID)
	}
	r.dict = *vector.NewDictionary(&r.vals)
	return r
}

func (r *derived) of(cols []*vector.Column) bool {
	for i, c := range cols {
		if r.ids[i] != c.Dict.ID {
			return false
		}
	}
	return true
}

// resize makes room for n entries. Memory that a lent column may still show is left as it is.
func (r *derived) resize(n int) {
	if n <= r.size && r.vals.Data != nil {
		return
	}
	r.size = n
	r.done = extend(r.done, kernel.Words(n))
	old := len(r.valid)
	r.valid = extend(r.valid, kernel.Words(n))
	for i := old; i < len(r.valid); i++ {
		r.valid[i] = ^uint64(0)
	}
	r.publish()
}

func extend(w []uint64, n int) []uint64 {
	if len(w) >= n {
		return w
	}
	out := make([]uint64, n, n+n/2)
	copy(out, w)
	return out
}

// publish shows the memory as a flat column of size entries.
func (r *derived) publish() {
	wide := r.vals.Wide
	width := r.t.Physical().Width()
	if wide {
		width = types.PhysInt128.Width()
	}
	need := kernel.Words(r.size)
	if width > 0 {
		need = (r.size*width + 7) / 8
	}
	r.words = extend(r.words, need)
	vector.SetSlice(&r.vals, r.t, r.words)
	r.vals.Len, r.vals.Wide = r.size, wide
	if r.t.Physical() == types.PhysView {
		r.vals.Bufs = append(r.vals.Bufs, r.text)
	}
	if r.nulls {
		r.vals.Valid = r.valid
	}
}

// store keeps rows of col as the entries at fresh.
func (r *derived) store(fresh []int32, col *vector.Column) {
	vector.Flatten(&r.flat, col)
	c := &r.flat
	if c.Wide && !r.vals.Wide {
		r.widen()
	}
	r.count += len(fresh)
	if c.Valid != nil || c.Type.Kind == types.Null {
		r.nulls = true
		for i, k := range fresh {
			if c.Null(i) {
				kernel.ClearBit(r.valid, int(k))
			}
		}
	}
	switch r.vals.Phys() {
	case types.PhysBool:
		bits, src := vector.Bits(&r.vals), vector.Bits(c)
		for i, k := range fresh {
			if kernel.Bit(src, i) {
				kernel.SetBit(bits, int(k))
			}
		}
	case types.PhysInt8:
		scatter[int8](&r.vals, c, fresh)
	case types.PhysInt16:
		scatter[int16](&r.vals, c, fresh)
	case types.PhysInt32, types.PhysFloat32:
		scatter[int32](&r.vals, c, fresh)
	case types.PhysInt64, types.PhysFloat64:
		scatter[int64](&r.vals, c, fresh)
	case types.PhysInt128:
		r.scatterWide(c, fresh)
	case types.PhysView:
		r.scatterText(c, fresh)
	}
	r.publish()
}

func scatter[T any](out, src *vector.Column, at []int32) {
	o, s := vector.Values[T](out), vector.Values[T](src)
	for i, k := range at {
		o[k] = s[i]
	}
}

func (r *derived) scatterWide(c *vector.Column, at []int32) {
	if c.Wide {
		scatter[vector.Int128](&r.vals, c, at)
		return
	}
	o, s := vector.Values[vector.Int128](&r.vals), vector.Values[int64](c)
	for i, k := range at {
		o[k] = kernel.Int128Of(s[i])
	}
}

// widen turns narrow decimals into wide ones.
func (r *derived) widen() {
	old := append([]int64(nil), vector.Values[int64](&r.vals)...)
	r.vals.Wide = true
	r.words = nil
	r.publish()
	o := vector.Values[vector.Int128](&r.vals)
	for i, v := range old {
		o[i] = kernel.Int128Of(v)
	}
}

func (r *derived) scatterText(c *vector.Column, at []int32) {
	o, s := vector.Values[vector.View](&r.vals), vector.Values[vector.View](c)
	for i, k := range at {
		v := s[i]
		if v.Len > kernel.InlineLen {
			off := len(r.text)
			r.text = append(r.text, v.Bytes(c.Bufs)...)
			v = kernel.MakeView(r.text, 0, off, int(v.Len))
		}
		o[k] = v
	}
}
