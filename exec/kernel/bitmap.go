package kernel

import "math/bits"

// Words is the number of 64-bit words that hold n bits.
func Words(n int) int { return (n + 63) >> 6 }

// Bit reads bit i.
func Bit(w []uint64, i int) bool { return w[i>>6]>>(uint(i)&63)&1 != 0 }

// SetBit sets bit i.
func SetBit(w []uint64, i int) { w[i>>6] |= 1 << (uint(i) & 63) }

// ClearBit clears bit i.
func ClearBit(w []uint64, i int) { w[i>>6] &^= 1 << (uint(i) & 63) }

// TailMask has a one for each bit of the last word of an n-bit map that belongs to it.
func TailMask(n int) uint64 {
	if r := uint(n) & 63; r != 0 {
		return 1<<r - 1
	}
	return ^uint64(0)
}

// Fill sets the first n bits and clears the rest of the last word.
func Fill(w []uint64, n int) {
	w = w[:Words(n)]
	for i := range w {
		w[i] = ^uint64(0)
	}
	if len(w) > 0 {
		w[len(w)-1] = TailMask(n)
	}
}

// And writes a AND b.
func And(out, a, b []uint64) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] & b[i]
	}
}

// Or writes a OR b.
func Or(out, a, b []uint64) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] | b[i]
	}
}

// AndNot writes a AND NOT b.
func AndNot(out, a, b []uint64) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] &^ b[i]
	}
}

// Not writes the complement of the first n bits of a.
func Not(out, a []uint64, n int) {
	a = a[:len(out)]
	for i := range out {
		out[i] = ^a[i]
	}
	if len(out) > 0 {
		out[len(out)-1] &= TailMask(n)
	}
}

// Count returns the number of set bits.
func Count(w []uint64) int {
	n := 0
	for _, x := range w {
		n += bits.OnesCount64(x)
	}
	return n
}

// Any tells whether a bit is set.
func Any(w []uint64) bool {
	for _, x := range w {
		if x != 0 {
			return true
		}
	}
	return false
}

// First returns the position of the first set bit, or -1.
func First(w []uint64) int {
	for i, x := range w {
		if x != 0 {
			return i<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
}

// Indices writes the positions of the set bits into out, which must have room for all of them, and
// returns how many there are.
func Indices(out []int32, w []uint64) int {
	n := 0
	for i, x := range w {
		base := int32(i << 6)
		if x == ^uint64(0) {
			o := out[n : n+64]
			for j := range o {
				o[j] = base + int32(j)
			}
			n += 64
			continue
		}
		for x != 0 {
			out[n] = base + int32(bits.TrailingZeros64(x))
			n++
			x &= x - 1
		}
	}
	return n
}

// CopyBits copies n bits from position from of src to the start of out and clears the rest of the
// last word.
func CopyBits(out, src []uint64, from, n int) {
	out = out[:Words(n)]
	w, s := from>>6, uint(from)&63
	for i := range out {
		x := src[w+i] >> s
		if s != 0 && w+i+1 < len(src) {
			x |= src[w+i+1] << (64 - s)
		}
		out[i] = x
	}
	if len(out) > 0 {
		out[len(out)-1] &= TailMask(n)
	}
}

// TakeBits gathers bits by index.
func TakeBits(out, src []uint64, idx []int32) {
	out = out[:Words(len(idx))]
	for i := range out {
		part := idx[i<<6 : min(len(idx), i<<6+64)]
		var x uint64
		for j, k := range part {
			x |= (src[k>>6] >> (uint(k) & 63) & 1) << uint(j)
		}
		out[i] = x
	}
}

// AllBits tells whether every bit of idx is set.
func AllBits(src []uint64, idx []int32) bool {
	for _, k := range idx {
		if src[uint32(k)>>6]&(1<<(uint32(k)&63)) == 0 {
			return false
		}
	}
	return true
}
