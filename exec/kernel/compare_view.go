package kernel

import (
	"math/bits"
	"unsafe"
)

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
		// Most texts differ in the length or the first four bytes: the second half is looked at where they don't.
		x := sameFirst(part, kh[0])
		if k.Len > 4 {
			for m := x; m != 0; m &= m - 1 {
				if j := bits.TrailingZeros64(m); j < len(part) { // as it is: said for the compiler
					x &^= bit(part[j][1] != kh[1]) << uint(j)
				}
			}
		}
		out[w] = x
	}
}

// sameFirst is a bit for each of at most 64 pairs that starts with k.
func sameFirst(part [][2]uint64, k uint64) (x uint64) {
	if len(part) < 64 {
		for j := range part {
			x |= bit(part[j][0] == k) << (uint(j) & 63)
		}
		return x
	}
	all := (*[64][2]uint64)(part)
	for j := 0; j < 64; j += 8 {
		p := (*[8][2]uint64)(all[j : j+8])
		x = x>>8 | (bit(p[0][0] == k)|bit(p[1][0] == k)<<1|bit(p[2][0] == k)<<2|bit(p[3][0] == k)<<3|
			bit(p[4][0] == k)<<4|bit(p[5][0] == k)<<5|bit(p[6][0] == k)<<6|bit(p[7][0] == k)<<7)<<56
	}
	return x
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
