package op

// seek is a place in the order of a partition: walks from it go both ways. It lasts until rows come or go.
type seek struct {
	x          *ranked
	back, next []int32 // rows whose subtrees are still to come, plus one
}

// toWord goes before the first row of a partition with a word, or a greater one.
func (k *seek) toWord(g int32, word uint64) {
	x := k.x
	k.back, k.next = k.back[:0], k.next[:0]
	for t := x.root.At(g); t != 0; {
		if x.word.At(t-1) < word {
			k.back = append(k.back, t)
			t = x.right.At(t - 1)
		} else {
			k.next = append(k.next, t)
			t = x.left.At(t - 1)
		}
	}
}

// toRow goes before a row, or where it was.
func (k *seek) toRow(g, v int32) {
	x := k.x
	k.back, k.next = k.back[:0], k.next[:0]
	for t := x.root.At(g); t != 0; {
		if x.less(t-1, v) {
			k.back = append(k.back, t)
			t = x.right.At(t - 1)
		} else {
			k.next = append(k.next, t)
			t = x.left.At(t - 1)
		}
	}
}

// before is the next row back, or -1. It does not move what after gives.
func (k *seek) before() int32 {
	n := len(k.back) - 1
	if n < 0 {
		return -1
	}
	v := k.back[n] - 1
	k.back = k.back[:n]
	for t := k.x.left.At(v); t != 0; t = k.x.right.At(t - 1) {
		k.back = append(k.back, t)
	}
	return v
}

// after is the next row, or -1.
func (k *seek) after() int32 {
	n := len(k.next) - 1
	if n < 0 {
		return -1
	}
	v := k.next[n] - 1
	k.next = k.next[:n]
	for t := k.x.right.At(v); t != 0; t = k.x.left.At(t - 1) {
		k.next = append(k.next, t)
	}
	return v
}
