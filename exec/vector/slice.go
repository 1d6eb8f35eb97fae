package vector

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// Slice makes out rows from..from+n of src, without copying values; validity and BOOLEAN bits are
// shifted into out's own words.
func Slice(out, src *Column, from, n int) {
	if src.Enc == Constant {
		takeConst(out, src, n)
		return
	}
	if from == 0 && n == src.Len {
		out.Alias(src)
		return
	}
	var valid []uint64
	if src.Valid != nil {
		out.Len, out.Enc = n, Flat
		valid = out.AllocValid()
		kernel.CopyBits(valid, src.Valid, from, n)
	}
	t := src.Type
	out.Reset(t, n)
	out.Wide, out.Valid, out.Enc = src.Wide, valid, src.Enc
	if src.Enc == Dict {
		out.Codes, out.Dict = src.Codes[from:from+n], src.Dict
		return
	}
	switch p := src.Phys(); p {
	case types.PhysBool:
		kernel.CopyBits(AllocBits(out), Bits(src), from, n)
	case types.PhysRow:
		own := out.OwnChildren(len(src.Children))
		for i, k := range src.Children {
			Slice(own[i], k, from, n)
		}
	case types.PhysList:
		out.Offsets = src.Offsets[from : from+n+1]
		out.Children = append(out.Children, src.Children...)
	case types.PhysNone:
	default:
		w := p.Width()
		out.Data = src.Data[from*w : (from+n)*w]
		out.Bufs, out.Lasting = append(out.Bufs, src.Bufs...), src.Lasting
	}
}

// Flatten makes out the flat form of src. A flat column is aliased.
func Flatten(out, src *Column) {
	switch src.Enc {
	case Flat:
		out.Alias(src)
	case Constant:
		flattenConst(out, src)
	case Dict:
		flattenDict(out, src)
	}
}

func flattenDict(out, src *Column) {
	vals := src.Dict.Values
	if src.Len == 0 {
		Slice(out, vals, 0, 0)
		return
	}
	if vals.Enc == Dict { // codes of codes
		var inner Column
		takeDict(&inner, vals, src.Codes)
		flattenInner(out, &inner)
	} else if vals.Len == 0 { // every row is NULL by the rows' validity
		out.SetConstNull(src.Type, src.Len)
		var c Column
		c.Alias(out)
		flattenConst(out, &c)
	} else {
		takeFlat(out, vals, src.Codes)
		if src.Dict.ID != 0 {
			out.Lasting = 1<<len(out.Bufs) - 1
		}
	}
	out.Type = src.Type
	if src.Valid != nil {
		if out.Valid == nil {
			copy(out.AllocValid(), src.Valid)
		} else {
			kernel.And(out.Valid, out.Valid, src.Valid)
		}
	}
}

func flattenInner(out, inner *Column) {
	if inner.Enc == Dict {
		flattenDict(out, inner)
		return
	}
	Slice(out, inner, 0, inner.Len)
}

// zeros are the indices that repeat a constant, enough for batches of the usual sizes.
var zeros [4 * DefaultMaxRows]int32

func flattenConst(out, src *Column) {
	idx := zeros[:min(src.Len, len(zeros))]
	if src.Len > len(zeros) {
		idx = make([]int32, src.Len)
	}
	takeFlat(out, src, idx)
}
