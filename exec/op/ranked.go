package op

import (
	"bytes"
	"math"
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/state"
)

// ranked keeps rows in order, those of each partition apart: a tree per partition (a treap, so that its shape
// follows from the rows alone), or where they are few a chain. Rows whose keys are equal are in the order of their
// numbers.
type ranked struct {
	rows   *state.Keyed // its first key column is the partition
	word   *state.Pages[uint64]
	rest   state.Texts
	number *state.Pages[uint64] // in the order in which rows came, from 1; the complement where the newest is first
	newest bool

	// left and right are rows, plus one, as is root, of each partition. A chain begins with the last row, and left is
	// the one before; it has no right.
	left, right *state.Pages[int32]
	root        *state.Pages[int32]
	last        uint64
	path        []int32
}

// chained is the number of rows of a partition up to which they are a chain: most of those that come are among the
// last ones, or soon found to be.
const chained = 32

// newRanked adds the columns to the tables of rows and of partitions.
func newRanked(partitions, rows *state.Keyed) *ranked {
	return newRankedOf(partitions, rows, math.MaxInt64)
}

// newRankedOf does so where a partition has so many rows at most.
func newRankedOf(partitions, rows *state.Keyed, most int64) *ranked {
	x := &ranked{rows: rows, word: state.NewPages[uint64](rows), number: state.NewPages[uint64](rows)}
	x.rest, x.left = state.NewRareTexts(rows), state.NewDerived[int32](rows)
	if most > chained {
		x.right = state.NewDerived[int32](rows)
	}
	x.root = state.NewDerived[int32](partitions)
	return x
}

// relink makes the trees anew.
func (x *ranked) relink() {
	for _, v := range x.rows.Groups(nil) {
		x.insert(int32(x.rows.Word(0, v)), v)
		x.last = max(x.last, x.turned(x.number.At(v)))
	}
}

func (x *ranked) turned(number uint64) uint64 {
	if x.newest {
		return ^number
	}
	return number
}

// set gives a row, whose page is owned, its place: the key of row i of the code, behind all before it.
func (x *ranked) set(v int32, code *sortCode, i int, scratch []byte) []byte {
	x.last++
	x.number.Set(v, x.turned(x.last))
	x.word.Set(v, code.words[i])
	if b := code.rest(scratch[:0], i); len(b) > 0 {
		view := kernel.MakeView(b, 0, 0, len(b))
		x.rest.Put(v, &view, [][]byte{b})
		scratch = b
	}
	return scratch
}

// less tells that row a stands before row b.
func (x *ranked) less(a, b int32) bool {
	if wa, wb := x.word.At(a), x.word.At(b); wa != wb {
		return wa < wb
	}
	if !x.rest.None() {
		all, bufs := x.rest.All(), x.rest.Bufs()
		ra, rb := &all[a>>state.PageShift][a&state.PageMask], &all[b>>state.PageShift][b&state.PageMask]
		if c := kernel.CompareView(ra, rb, bufs, bufs); c != 0 {
			return c < 0
		}
	}
	return x.number.At(a) < x.number.At(b)
}

// equal tells that the keys of two rows are the same.
func (x *ranked) equal(a, b int32) bool {
	if x.word.At(a) != x.word.At(b) {
		return false
	}
	if x.rest.None() {
		return true
	}
	bufs := x.rest.Bufs()
	ra, rb := x.rest.At(a), x.rest.At(b)
	return bytes.Equal(ra.Bytes(bufs), rb.Bytes(bufs))
}

// more tells that the key of a row is more than its word.
func (x *ranked) more(v int32) bool {
	if x.rest.None() {
		return false
	}
	rest := x.rest.At(v)
	return rest.Len > 0
}

// weight is the rank of a row in the heap order of the tree.
func (x *ranked) weight(v int32) uint64 { return kernel.HashWord(kernel.HashSeed, x.number.At(v)) }

// insert puts a row among those of a partition.
func (x *ranked) insert(g, v int32) {
	if x.right == nil {
		x.chain(g, v)
		return
	}
	x.left.Set(v, 0)
	x.right.Set(v, 0)
	x.root.Set(g, x.put(x.root.At(g), v, x.weight(v)))
}

// chain puts a row into a chain.
func (x *ranked) chain(g, v int32) {
	behind, t := int32(0), x.root.At(g)
	for t != 0 && x.less(v, t-1) {
		behind, t = t, x.left.At(t-1)
	}
	x.left.Set(v, t)
	x.follow(g, behind, v+1)
}

// follow makes t the one before a row of a chain, or the last one where there is none behind.
func (x *ranked) follow(g, behind, t int32) {
	if behind == 0 {
		x.root.Set(g, t)
	} else {
		x.left.Set(behind-1, t)
	}
}

// unchain takes a row out of a chain.
func (x *ranked) unchain(g, v int32) {
	behind, t := int32(0), x.root.At(g)
	for t != v+1 {
		behind, t = t, x.left.At(t-1)
	}
	x.follow(g, behind, x.left.At(v))
}

func (x *ranked) put(t, v int32, weight uint64) int32 {
	switch {
	case t == 0:
		return v + 1
	case weight > x.weight(t-1):
		l, r := x.split(t, v)
		x.left.Set(v, l)
		x.right.Set(v, r)
		return v + 1
	case x.less(v, t-1):
		x.left.Set(t-1, x.put(x.left.At(t-1), v, weight))
	default:
		x.right.Set(t-1, x.put(x.right.At(t-1), v, weight))
	}
	return t
}

// split parts a tree at a row that is not in it.
func (x *ranked) split(t, v int32) (l, r int32) {
	if t == 0 {
		return 0, 0
	}
	if x.less(v, t-1) {
		l, r = x.split(x.left.At(t-1), v)
		x.left.Set(t-1, r)
		return l, t
	}
	l, r = x.split(x.right.At(t-1), v)
	x.right.Set(t-1, l)
	return t, r
}

// remove takes a row out of those of a partition.
func (x *ranked) remove(g, v int32) {
	if x.right == nil {
		x.unchain(g, v)
		return
	}
	x.root.Set(g, x.cut(x.root.At(g), v))
}

func (x *ranked) cut(t, v int32) int32 {
	switch {
	case t == v+1:
		return x.join(x.left.At(v), x.right.At(v))
	case x.less(v, t-1):
		x.left.Set(t-1, x.cut(x.left.At(t-1), v))
	default:
		x.right.Set(t-1, x.cut(x.right.At(t-1), v))
	}
	return t
}

// join makes one tree of two, the first of which stands before the second.
func (x *ranked) join(l, r int32) int32 {
	switch {
	case l == 0:
		return r
	case r == 0:
		return l
	case x.weight(l-1) > x.weight(r-1):
		x.right.Set(l-1, x.join(x.right.At(l-1), r))
		return l
	}
	x.left.Set(r-1, x.join(l, x.left.At(r-1)))
	return r
}

// worst is the last row of a partition that has some.
func (x *ranked) worst(g int32) int32 {
	t := x.root.At(g)
	for x.right != nil && x.right.At(t-1) != 0 {
		t = x.right.At(t - 1)
	}
	return t - 1
}

// best is the first row of a partition, or -1.
func (x *ranked) best(g int32) int32 {
	t := x.root.At(g)
	for t != 0 && x.left.At(t-1) != 0 {
		t = x.left.At(t - 1)
	}
	return t - 1
}

// walk appends the first rows of a partition in order, at most so many.
func (x *ranked) walk(g int32, out []int32, most int64) []int32 {
	if x.right == nil {
		from := len(out)
		for t := x.root.At(g); t != 0; t = x.left.At(t - 1) {
			out = append(out, t-1)
		}
		slices.Reverse(out[from:])
		return out[:from+int(min(most, int64(len(out)-from)))]
	}
	x.path = x.path[:0]
	for t := x.root.At(g); (t != 0 || len(x.path) > 0) && most > 0; {
		for ; t != 0; t = x.left.At(t - 1) {
			x.path = append(x.path, t)
		}
		t = x.path[len(x.path)-1]
		x.path = x.path[:len(x.path)-1]
		out = append(out, t-1)
		most--
		t = x.right.At(t - 1)
	}
	return out
}
