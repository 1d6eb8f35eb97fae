package state

// slots are the slots of a queue as a heap: the least is the first.
type slots []int64

// push adds a slot.
func (s *slots) push(v int64) {
	h := append(*s, v)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if h[up] <= v {
			break
		}
		h[i], i = h[up], up
	}
	h[i] = v
	*s = h
}

// pop takes the first slot out.
func (s *slots) pop() {
	last := len(*s) - 1
	v, h := (*s)[last], (*s)[:last]
	*s = h
	if last == 0 {
		return
	}
	i := 0
	for {
		k := 2*i + 1
		if k >= last {
			break
		}
		if k+1 < last && h[k+1] < h[k] {
			k++
		}
		if h[k] >= v {
			break
		}
		h[i], i = h[k], k
	}
	h[i] = v
}
