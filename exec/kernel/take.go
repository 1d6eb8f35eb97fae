package kernel

// Take gathers src by index.
func Take[T any](out, src []T, idx []int32) {
	idx = idx[:len(out)]
	i := 0
	for ; i < len(out)-3; i += 4 { // four at a time: the loop itself would be half of the work
		o, x := (*[4]T)(out[i:]), (*[4]int32)(idx[i:])
		o[0], o[1], o[2], o[3] = src[x[0]], src[x[1]], src[x[2]], src[x[3]]
	}
	for ; i < len(out); i++ {
		out[i] = src[idx[i]]
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
