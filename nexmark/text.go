package nexmark

import "math"

const (
	poolSize  = 1 << 20
	poolReach = poolSize / 2 // texts of this length and more are drawn afresh
)

// text draws 3 to max-1 characters into dst: lower-case letters and, one in thirteen, the special character. It returns
// the range that is left when blanks at both ends are stripped.
func (r *random) text(dst []byte, max int32, special byte) (from, to int) {
	n := int(3 + r.below(max-3))
	s := letters(dst[:n], uint64(*r), special)
	*r = random(s)
	return stripped(dst[:n])
}

// stripped returns the range of t without the blanks at its ends.
func stripped(t []byte) (from, to int) {
	to = len(t)
	for from < to && t[from] == ' ' {
		from++
	}
	for from < to && t[to-1] == ' ' {
		to--
	}
	return from, to
}

// letters draws all of dst after state s and returns the state behind it. Both raw draws that a character may need are
// mixed at once; a special character gives the second back.
func letters(dst []byte, s uint64, special byte) uint64 {
	const (
		inverse = 0xc4ec4ec5 // of 13 modulo 2^32: u is a multiple of 13 when u*inverse is at most limit
		limit   = (1<<32 - 1) / 13
		slack   = 32 // covers the values rejected for 13 and for 26, and few others
	)
	step, m1, m2 := factors.step, factors.first, factors.second
	for i := range dst {
		a := s + step
		b := a + step
		u, v := mix(a, m1, m2)>>33, mix(b, m1, m2)>>33
		if u|v >= 1<<31-slack {
			dst[i], s = letter(s, special)
			continue
		}
		if uint32(u)*inverse <= limit {
			dst[i], s = special, a
			continue
		}
		dst[i], s = byte('a'+uint32(v)%26), b
	}
	return s
}

// letter is one step of letters without speculation.
func letter(s uint64, special byte) (byte, uint64) {
	r := random(s)
	c := special
	if r.below(13) != 0 {
		c = byte('a' + r.below(26))
	}
	return c, uint64(r)
}

// fresh fills dst, six characters from each raw draw. The draw is signed and so are its remainders: the characters
// range from 'H' over backslash and backquote to 'z'.
func (r *random) fresh(dst []byte) {
	for len(dst) > 0 {
		x := r.next32()
		for i := range dst[:min(6, len(dst))] {
			dst[i] = byte('a' + x%26)
			x /= 26
		}
		dst = dst[min(6, len(dst)):]
	}
}

// padding draws the length of an extra text that brings a row of cur characters to avg on average. It reports false,
// and draws nothing, when the row is longer already.
func (r *random) padding(cur, avg int) (int, bool) {
	if cur > avg {
		return 0, false
	}
	least, spread := paddingRange(avg - cur)
	if spread > 0 {
		least += int(r.below(int32(spread)))
	}
	return least, true
}

// paddingRange returns the least length of a padding of k characters on average and the number of lengths in use; no
// length is drawn when that is 0.
func paddingRange(k int) (least, spread int) {
	delta := int(math.Floor(float64(float64(k)*0.2) + 0.5))
	return k - delta, 2 * delta
}
