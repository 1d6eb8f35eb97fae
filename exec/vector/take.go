package vector

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// Take makes out the rows of src at idx, which must be in range. A dictionary whose codes come out
// consecutive becomes a flat slice of its values, without a copy; a run of consecutive indices of a flat
// column is a slice too.
func Take(out, src *Column, idx []int32) {
	switch {
	case src.Enc == Constant:
		takeConst(out, src, len(idx))
	case src.Enc == Dict:
		takeDict(out, src, idx)
	case kernel.Consecutive(idx):
		Slice(out, src, int(idx[0]), len(idx))
	default:
		takeFlat(out, src, idx)
	}
}

func takeConst(out, src *Column, n int) {
	out.Alias(src)
	out.Len = n
}

func takeDict(out, src *Column, idx []int32) {
	codes := out.takeCodes(src.Codes, idx)
	valid := out.takeValid(src.Valid, idx)
	if valid == nil && src.Dict.ID == 0 && kernel.Consecutive(codes) {
		Slice(out, src.Dict.Values, int(codes[0]), len(codes))
		return
	}
	d, t := src.Dict, src.Type
	out.Reset(t, len(idx))
	out.Enc, out.Codes, out.Dict, out.Valid = Dict, codes, d, valid
}

// takeCodes gathers codes into out's owned memory; out may not be Reset in between.
func (c *Column) takeCodes(codes, idx []int32) []int32 {
	c.Len, c.Enc = len(idx), Flat
	o := Alloc[int32](c)
	kernel.Take(o, codes, idx)
	return o
}

// takeValid gathers a validity map into out's owned memory; nil when no row that is taken is NULL.
func (c *Column) takeValid(valid []uint64, idx []int32) []uint64 {
	if valid == nil || kernel.AllBits(valid, idx) {
		return nil
	}
	c.Len, c.Enc = len(idx), Flat
	w := c.AllocValid()
	kernel.TakeBits(w, valid, idx)
	return w
}

func takeFlat(out, src *Column, idx []int32) {
	t := src.Type
	valid := out.takeValid(src.Valid, idx)
	out.Reset(t, len(idx))
	out.Wide, out.Valid = src.Wide, valid
	switch src.Phys() {
	case types.PhysBool:
		kernel.TakeBits(AllocBits(out), Bits(src), idx)
	case types.PhysInt8:
		kernel.Take(Alloc[int8](out), Values[int8](src), idx)
	case types.PhysInt16:
		kernel.Take(Alloc[int16](out), Values[int16](src), idx)
	case types.PhysInt32, types.PhysFloat32:
		kernel.Take(Alloc[int32](out), Values[int32](src), idx)
	case types.PhysInt64, types.PhysFloat64:
		kernel.Take(Alloc[int64](out), Values[int64](src), idx)
	case types.PhysInt128:
		kernel.Take(Alloc[Int128](out), Values[Int128](src), idx)
	case types.PhysView:
		kernel.Take(Alloc[View](out), Values[View](src), idx)
		out.Bufs, out.Lasting = append(out.Bufs, src.Bufs...), src.Lasting
	case types.PhysRow:
		own := out.OwnChildren(len(src.Children))
		for i, k := range src.Children {
			Take(own[i], k, idx)
		}
	case types.PhysList:
		out.OwnChildren(len(src.Children))
		takeList(out, src, idx)
	}
}

// OwnChildren makes Children n columns that c owns, reused from batch to batch.
func (c *Column) OwnChildren(n int) []*Column {
	for len(c.own) < n {
		c.own = append(c.own, &Column{})
	}
	c.Children = append(c.Children[:0], c.own[:n]...)
	return c.Children
}

func takeList(out, src *Column, idx []int32) {
	total := int32(0)
	for _, k := range idx {
		total += src.Offsets[k+1] - src.Offsets[k]
	}
	offsets, elems := out.listScratch(len(idx), int(total))
	offsets[0], total = 0, 0
	for i, k := range idx {
		from, to := src.Offsets[k], src.Offsets[k+1]
		for e := from; e < to; e++ {
			elems[total+e-from] = e
		}
		total += to - from
		offsets[i+1] = total
	}
	out.Offsets = offsets
	for i, k := range src.Children {
		takeFlatOrAny(out.Children[i], k, elems)
	}
}

// listScratch is owned, reused memory for the offsets of n lists and the positions of their elements.
func (c *Column) listScratch(n, elements int) (offsets, elems []int32) {
	size := n + 1 + elements
	if cap(c.ints) < size {
		c.ints = make([]int32, size+size/2)
	}
	return c.ints[: n+1 : n+1], c.ints[n+1 : size]
}

func takeFlatOrAny(out, src *Column, idx []int32) {
	if len(idx) == 0 {
		Slice(out, src, 0, 0)
		return
	}
	Take(out, src, idx)
}
