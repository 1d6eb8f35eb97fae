package kernel

import (
	"encoding/binary"
	"math/bits"
)

// nthByte finds occurrence number n, from 0, of c in b at or after from, or returns -1.
func nthByte(b []byte, c byte, from, n int) int {
	pattern := uint64(c) * lowBits
	for ; from+8 <= len(b); from += 8 {
		x := binary.LittleEndian.Uint64(b[from:]) ^ pattern
		hits := ^(x&^highBits + ^uint64(highBits) | x) & highBits
		if hits == 0 {
			continue
		}
		if k := bits.OnesCount64(hits); k <= n {
			n -= k
			continue
		}
		for ; n > 0; n-- {
			hits &= hits - 1
		}
		return from + bits.TrailingZeros64(hits)>>3
	}
	for ; from < len(b); from++ {
		if b[from] == c {
			if n == 0 {
				return from
			}
			n--
		}
	}
	return -1
}

// SplitByte writes piece number n, from 0, of the texts whose bit is set in want, cut at c; lost gets the
// bits of those that have no such piece. Pieces stay in the buffers of their texts.
func SplitByte(out []View, lost []uint64, v []View, bufs [][]byte, want []uint64, c byte, n int) {
	v, lost = v[:len(out)], lost[:len(want)]
	for w, m := range want {
		lost[w] = 0
		for ; m != 0; m &= m - 1 {
			i := w<<6 | bits.TrailingZeros64(m)
			b := v[i].Bytes(bufs)
			from := 0
			if n > 0 {
				from = nthByte(b, c, 0, n-1) + 1
			}
			if len(b) == 0 || n > 0 && from == 0 {
				lost[w] |= m & -m
				continue
			}
			to := nthByte(b, c, from, 0)
			if to < 0 {
				to = len(b)
			}
			if to-from > InlineLen {
				out[i] = View{uint32(to - from), binary.LittleEndian.Uint32(b[from:]), v[i].Buf, v[i].Off + uint32(from)}
				continue
			}
			out[i] = InlineView(b[from:to])
		}
	}
}
