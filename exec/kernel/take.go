package kernel

// Take gathers src by index.
func Take[T any](out, src []T, idx []int32) {
	idx = idx[:len(out)]
	for len(out) >= 8 && len(idx) >= 8 { // eight at a time: the loop itself would be half of the work
		out[0] = src[idx[0]]
		out[1] = src[idx[1]]
		out[2] = src[idx[2]]
		out[3] = src[idx[3]]
		out[4] = src[idx[4]]
		out[5] = src[idx[5]]
		out[6] = src[idx[6]]
		out[7] = src[idx[7]]
		out, idx = out[8:], idx[8:]
	}
	for i, x := range idx[:len(out)] {
		out[i] = src[x]
	}
}

// Consecutive tells whether idx counts up by one, so that a gather is a slice.
func Consecutive(idx []int32) bool {
	if len(idx) == 0 {
		return false
	}
	d, n := idx[0], int32(len(idx))
	if idx[n-1]-d != n-1 {
		return false
	}
	var bad int32
	for i, x := range idx {
		bad |= x - int32(i) ^ d
	}
	return bad == 0
}

// Repeat writes v everywhere.
func Repeat[T any](out []T, v T) {
	for i := range out {
		out[i] = v
	}
}

// ShiftBuf adds d to the buffer number of every view that is not inlined.
func ShiftBuf(v []View, d uint32) {
	if d == 0 {
		return
	}
	for i := range v {
		if v[i].Len > InlineLen {
			v[i].Buf += d
		}
	}
}
