package function

import (
	"encoding/binary"

	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// listIndex finds the values of long lists, so that one that is taken back is not looked for among all. It is no state:
// it is made anew from the lists.
type listIndex struct {
	list *list
	// length is how many values a group has, long tells that they are in the index: from indexedLength on, until the group
	// is cleared.
	length *state.Pages[int32]
	long   *state.Pages[uint8]

	hashes *state.Keyed // by group and hash
	// The items of a hash are a queue, the oldest first: first and last of it, plus one, and same, the next of an item.
	first, last *state.Pages[int32]
	same        *state.Pages[int32]
	// entry is the hash that an item is queued at.
	entry *state.Pages[int32]

	group, hash vector.Column
	groups      []int32
	words       []int64
	items, gone []int32
	bytes       []byte
	ends        []int
}

// indexedLength is the length from which a list is indexed: shorter ones are soon gone through.
const indexedLength = 64

func newListIndex(l *list, groups *state.Keyed) *listIndex {
	x := &listIndex{list: l, length: state.NewDerived[int32](groups), long: state.NewDerived[uint8](groups)}
	x.same, x.entry = state.NewDerived[int32](l.items), state.NewDerived[int32](l.items)
	x.hashes = groups.Store().Scratch().Keyed(l.items.Name()+" hashes", nil,
		[]types.Type{types.Of(types.Int).WithNull(false), types.Of(types.BigInt).WithNull(false)})
	x.hashes.Scatter()
	x.first, x.last = state.NewDerived[int32](x.hashes), state.NewDerived[int32](x.hashes)
	return x
}

// hashPacked is a hash of a packed value.
func hashPacked(b []byte) int64 {
	h := uint64(kernel.HashSeed)
	n := len(b)
	for ; len(b) >= 8; b = b[8:] {
		h = kernel.HashWord(h, binary.LittleEndian.Uint64(b))
	}
	var tail [8]byte
	copy(tail[:], b)
	return int64(kernel.HashWord(kernel.HashWord(h, binary.LittleEndian.Uint64(tail[:])), uint64(n)))
}

// add counts an item at the end of the list of a group; flush indexes it where the list is long.
func (x *listIndex) add(g, item int32) {
	n := x.length.At(g) + 1
	x.length.Set(g, n)
	switch {
	case x.long.At(g) != 0:
		x.queue(g, item)
	case n >= indexedLength:
		x.long.Set(g, 1)
		for v := x.list.head.At(g); v != 0; v = x.list.next.At(v - 1) {
			x.queue(g, v-1)
		}
	}
}

func (x *listIndex) queue(g, item int32) {
	x.groups, x.items = append(x.groups, g), append(x.items, item)
	x.words = append(x.words, hashPacked(x.list.value(item)))
}

// keys are the columns of the groups and hashes that are collected.
func (x *listIndex) keys() []*vector.Column {
	vector.SetSlice(&x.group, types.Of(types.Int).WithNull(false), x.groups)
	vector.SetSlice(&x.hash, types.Of(types.BigInt).WithNull(false), x.words)
	return []*vector.Column{&x.group, &x.hash}
}

// flush indexes the items that were added.
func (x *listIndex) flush() {
	if len(x.items) == 0 {
		return
	}
	for i, e := range x.hashes.Lookup(x.keys(), len(x.items)) {
		v := x.items[i]
		x.entry.Set(v, e)
		x.same.Set(v, 0)
		if last := x.last.At(e); last != 0 {
			x.same.Set(last-1, v+1)
		} else {
			x.first.Set(e, v+1)
		}
		x.last.Set(e, v+1)
	}
	x.groups, x.items, x.words = x.groups[:0], x.items[:0], x.words[:0]
}

// want collects a value to be taken out of the list of a group, which is long.
func (x *listIndex) want(g int32, packed []byte) {
	x.groups, x.words = append(x.groups, g), append(x.words, hashPacked(packed))
	x.bytes = append(x.bytes, packed...)
	x.ends = append(x.ends, len(x.bytes))
}

// take passes the oldest item of each value that was wanted, where there is one, and forgets it.
func (x *listIndex) take(f func(g, item int32)) {
	if len(x.groups) == 0 {
		return
	}
	from := 0
	for i, e := range x.hashes.Find(x.keys(), len(x.groups)) {
		packed := x.bytes[from:x.ends[i]]
		from = x.ends[i]
		if e < 0 {
			continue
		}
		before := int32(0)
		for v := x.first.At(e); v != 0; before, v = v, x.same.At(v-1) {
			if string(x.list.value(v-1)) == string(packed) {
				x.unqueue(e, before, v)
				f(x.groups[i], v-1)
				break
			}
		}
	}
	x.groups, x.words, x.bytes, x.ends = x.groups[:0], x.words[:0], x.bytes[:0], x.ends[:0]
	x.forget()
}

// unqueue takes an item out of the queue of a hash; before is the one before it, both plus one.
func (x *listIndex) unqueue(e, before, v int32) {
	next := x.same.At(v - 1)
	if before != 0 {
		x.same.Set(before-1, next)
	} else {
		x.first.Set(e, next)
	}
	if next == 0 {
		x.last.Set(e, before)
	}
	if x.first.At(e) == 0 {
		x.gone = append(x.gone, e)
	}
}

// drop says that the items of a group leave its list.
func (x *listIndex) drop(g int32) {
	if x.long.At(g) != 0 {
		for v := x.list.head.At(g); v != 0; v = x.list.next.At(v - 1) {
			if e := x.entry.At(v - 1); x.first.At(e) != 0 {
				x.first.Set(e, 0)
				x.gone = append(x.gone, e)
			}
		}
		x.long.Set(g, 0)
	}
	x.length.Set(g, 0)
}

// forget removes the hashes without items.
func (x *listIndex) forget() {
	x.hashes.Remove(x.gone)
	x.gone = x.gone[:0]
}
