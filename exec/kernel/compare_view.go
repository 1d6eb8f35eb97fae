package kernel

import "unsafe"

// CompareViews writes `a o b` of texts by bytes for n rows; an operand of a single view stands for every
// row. abufs and bbufs are the buffers that the views refer to.
func CompareViews(out []uint64, o Order, a, b []View, abufs, bbufs [][]byte, n int) {
	out = out[:Words(n)]
	switch {
	case o != EQ && o != NE:
		orderViews(out, o, a, b, abufs, bbufs, n)
		return
	case len(b) == 1 && b[0].Len <= InlineLen:
		equalInline(out, a, b[0], n)
	case len(a) == 1 && a[0].Len <= InlineLen:
		equalInline(out, b, a[0], n)
	default:
		equalViews(out, a, b, abufs, bbufs, n)
	}
	if o == NE {
		Not(out, out, n)
	}
}

// equalInline compares with a text that stands in its view: two such texts are equal when their views
// are, and a longer one differs in its length.
func equalInline(out []uint64, a []View, k View, n int) {
	if len(a) == 1 {
		same := a[0] == k
		for w := range out {
			out[w] = -bit(same)
		}
		if len(out) > 0 {
			out[len(out)-1] &= TailMask(n)
		}
		return
	}
	halves := unsafe.Slice((*[2]uint64)(unsafe.Pointer(unsafe.SliceData(a))), n)
	kh := *(*[2]uint64)(unsafe.Pointer(&k))
	for w := range out {
		part := halves[w<<6 : min(n, w<<6+64)]
		var x uint64
		for j := range part {
			d := (part[j][0] ^ kh[0]) | (part[j][1] ^ kh[1])
			x |= bit(d == 0) << (uint(j) & 63)
		}
		out[w] = x
	}
}

func equalViews(out []uint64, a, b []View, abufs, bbufs [][]byte, n int) {
	sa, sb := stepOf(len(a)), stepOf(len(b))
	clear(out)
	for i := range n {
		out[i>>6] |= bit(EqualView(&a[i*sa], &b[i*sb], abufs, bbufs)) << (uint(i) & 63)
	}
}

func orderViews(out []uint64, o Order, a, b []View, abufs, bbufs [][]byte, n int) {
	sa, sb := stepOf(len(a)), stepOf(len(b))
	t := o.table()
	clear(out)
	for i := range n {
		c := CompareView(&a[i*sa], &b[i*sb], abufs, bbufs)
		out[i>>6] |= (t >> uint(c+1) & 1) << (uint(i) & 63)
	}
}
