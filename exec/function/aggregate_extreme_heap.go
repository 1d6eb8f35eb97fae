package function

import "streamsql/exec/state"

// extremeHeap keeps of each group its values as a pairing heap: a new value costs a comparison, one that goes few for each of
// those before it. Values that are owed, being taken back more often than they came, stand behind all others.
type extremeHeap struct {
	before func(a, b int32) bool
	in     *state.Pages[uint8] // which values are in a heap
	root   *state.Pages[int32] // of each group, plus one
	child  *state.Pages[int32] // the first one of each value, plus one
	// next is the value with the same parent behind a value, and prev the one before it, the parent of the first; plus one.
	next, prev *state.Pages[int32]
	pairs      []int32
}

const (
	heldValue = 1 + iota
	owedValue
)

func newExtremeHeap(groups, values *state.Keyed, before func(a, b int32) bool) extremeHeap {
	return extremeHeap{before: before, in: state.NewDerived[uint8](values), root: state.NewDerived[int32](groups),
		child: state.NewDerived[int32](values), next: state.NewDerived[int32](values), prev: state.NewDerived[int32](values)}
}

// place puts a value where it belongs that is there n times.
func (x *extremeHeap) place(g, v int32, n int64) {
	want := uint8(0)
	switch {
	case n > 0:
		want = heldValue
	case n < 0:
		want = owedValue
	}
	had := x.in.At(v)
	if had == want {
		return
	}
	if had != 0 {
		x.remove(g, v)
	}
	if x.in.Set(v, want); want != 0 {
		x.insert(g, v)
	}
}

// best is the first value of a group, or -1.
func (x *extremeHeap) best(g int32) int32 {
	if t := x.root.At(g); t != 0 && x.in.At(t-1) == heldValue {
		return t - 1
	}
	return -1
}

func (x *extremeHeap) insert(g, v int32) {
	x.child.Set(v, 0)
	x.alone(v + 1)
	x.root.Set(g, x.meld(x.root.At(g), v+1))
}

func (x *extremeHeap) remove(g, v int32) {
	rest := x.merge(v)
	if x.root.At(g) == v+1 {
		x.root.Set(g, rest)
		return
	}
	prev, next := x.prev.At(v), x.next.At(v)
	if x.child.At(prev-1) == v+1 {
		x.child.Set(prev-1, next)
	} else {
		x.next.Set(prev-1, next)
	}
	if next != 0 {
		x.prev.Set(next-1, prev)
	}
	x.root.Set(g, x.meld(x.root.At(g), rest))
}

// alone parts a value from those beside it.
func (x *extremeHeap) alone(t int32) int32 {
	x.next.Set(t-1, 0)
	x.prev.Set(t-1, 0)
	return t
}

// meld makes one heap of two; 0 is an empty one.
func (x *extremeHeap) meld(a, b int32) int32 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	if ia, ib := x.in.At(a-1), x.in.At(b-1); ib < ia || ib == ia && x.before(b-1, a-1) {
		a, b = b, a
	}
	first := x.child.At(a - 1)
	x.next.Set(b-1, first)
	if first != 0 {
		x.prev.Set(first-1, b)
	}
	x.prev.Set(b-1, a)
	x.child.Set(a-1, b)
	return a
}

// merge makes one heap of what stands below a value: of each two, and then of these from the last on.
func (x *extremeHeap) merge(v int32) int32 {
	x.pairs = x.pairs[:0]
	for t := x.child.At(v); t != 0; {
		other, next := x.next.At(t-1), int32(0)
		if other != 0 {
			next = x.next.At(other - 1)
			x.alone(other)
		}
		x.pairs = append(x.pairs, x.meld(x.alone(t), other))
		t = next
	}
	rest := int32(0)
	for i := len(x.pairs) - 1; i >= 0; i-- {
		rest = x.meld(x.pairs[i], rest)
	}
	return rest
}

// all appends the values of a group in no order.
func (x *extremeHeap) all(g int32, out []int32) []int32 {
	t := x.root.At(g)
	if t == 0 {
		return out
	}
	at := len(out)
	for out = append(out, t-1); at < len(out); at++ {
		for c := x.child.At(out[at]); c != 0; c = x.next.At(c - 1) {
			out = append(out, c-1)
		}
	}
	return out
}

// empty takes all values out of the heap of a group, and appends them.
func (x *extremeHeap) empty(g int32, out []int32) []int32 {
	from := len(out)
	out = x.all(g, out)
	for _, v := range out[from:] {
		x.in.Set(v, 0)
	}
	x.root.Set(g, 0)
	return out
}
