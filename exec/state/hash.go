package state

// hashIndex maps hashes to groups by open addressing in buckets of one page, which a directory finds by
// the first bits of the hash. A full bucket splits in two, so that no insertion moves more than a page
// (extendible hashing). A slot is the upper half of the hash and the group plus one; that half is all that
// moving a slot needs, so keys are never read again.
type hashIndex struct {
	dir     []uint32 // bucket by the first depth bits
	depth   uint8
	buckets []bucket
	crowded bool   // hashes share their first bits, so that buckets do not split any more
	spare   *spare // where memory comes from and goes to
}

type bucket struct {
	slots []uint64 // a power of two of them
	used  int
	depth uint8
}

const (
	bucketSlots = 2048
	// maxDepth bounds the directory; beyond it buckets grow instead.
	maxDepth = 20
)

func newHashIndex(s *spare) hashIndex {
	return hashIndex{dir: []uint32{0}, buckets: []bucket{{slots: page[uint64](s, firstRows)}}, spare: s}
}

// candidates writes the first group at each row's hash, or -1: the caller compares keys.
func (x *hashIndex) candidates(out []int32, hashes []uint64, rows []int32) {
	dir, shift := x.dir, 64-x.depth
	for _, r := range rows {
		h := hashes[r]
		slots := x.buckets[dir[h>>shift]].slots
		tag, at, mask := h>>32, uint32(h>>32), uint32(len(slots)-1)
		g := int32(-1)
		for {
			e := slots[at&mask]
			if e == 0 {
				break
			}
			if e>>32 == tag {
				g = int32(uint32(e)) - 1
				break
			}
			at++
		}
		out[r] = g
	}
}

// full tells that a bucket takes no more entries.
func (b *bucket) full() bool { return b.used >= len(b.slots)-len(b.slots)/4 }

// insert adds a group that is not there, and returns by how many bytes the index grew.
func (x *hashIndex) insert(h uint64, g int32) (grown int) {
	for {
		id := x.dir[h>>(64-x.depth)]
		b := &x.buckets[id]
		if !b.full() {
			b.put(h>>32<<32 | uint64(uint32(g+1)))
			b.used++
			return grown
		}
		if last := b.depth >= maxDepth; last || len(b.slots) < bucketSlots {
			x.crowded = x.crowded || last && len(b.slots) >= bucketSlots
			grown += len(b.slots) * 8
			b.double(x.spare)
			continue
		}
		grown += x.split(id, h)
	}
}

func (b *bucket) put(e uint64) {
	mask := uint32(len(b.slots) - 1)
	at := uint32(e>>32) & mask
	for b.slots[at] != 0 {
		at = (at + 1) & mask
	}
	b.slots[at] = e
}

func (b *bucket) double(s *spare) {
	old := b.slots
	b.slots = page[uint64](s, 2*len(old))
	for _, e := range old {
		if e != 0 {
			b.put(e)
		}
	}
	s.put(old)
}

// split moves the entries of a bucket whose next bit is set to a new one.
func (x *hashIndex) split(id uint32, h uint64) (grown int) {
	if x.buckets[id].depth == x.depth {
		dir := make([]uint32, 2*len(x.dir))
		for i, d := range x.dir {
			dir[2*i], dir[2*i+1] = d, d
		}
		grown = len(x.dir) * 4
		x.dir, x.depth = dir, x.depth+1
	}
	fresh := uint32(len(x.buckets))
	x.buckets = append(x.buckets, bucket{})
	b, c := &x.buckets[id], &x.buckets[fresh]
	b.depth++
	c.depth = b.depth
	moved := 0
	for _, e := range b.slots {
		moved += int(e << (b.depth - 1) >> 63) // of an empty slot 0
	}
	grown -= len(b.slots) * 8
	switch moved {
	case 0:
		c.slots = page[uint64](x.spare, firstRows)
	case b.used:
		b.slots, c.slots = page[uint64](x.spare, firstRows), b.slots
		b.used, c.used = 0, moved
	default:
		b.divide(c, moved, x.spare)
	}
	grown += (len(b.slots) + len(c.slots)) * 8
	// The entries of the new bucket in the directory are a run: those with its first depth bits.
	free := x.depth - b.depth
	first := h>>(64-b.depth) | 1
	for i := first << free; i < (first+1)<<free; i++ {
		x.dir[i] = fresh
	}
	return grown
}

// divide moves the entries whose last bit of the bucket's depth is set to c.
func (b *bucket) divide(c *bucket, moved int, s *spare) {
	old := b.slots
	b.used -= moved
	c.used = moved
	b.slots, c.slots = page[uint64](s, slotsFor(b.used)), page[uint64](s, slotsFor(moved))
	for _, e := range old {
		switch {
		case e == 0:
		case e<<(b.depth-1)>>63 != 0:
			c.put(e)
		default:
			b.put(e)
		}
	}
	s.put(old)
}

// slotsFor is how many slots n entries get, at most half full while a bucket is no larger than a page.
func slotsFor(n int) int {
	s := firstRows
	for s < 2*n && s < bucketSlots {
		s *= 2
	}
	for s-s/4 <= n {
		s *= 2
	}
	return s
}

// remove takes a group out, and closes the gap.
func (x *hashIndex) remove(h uint64, g int32) {
	b := &x.buckets[x.dir[h>>(64-x.depth)]]
	mask := uint32(len(b.slots) - 1)
	want := h>>32<<32 | uint64(uint32(g+1))
	at := uint32(h>>32) & mask
	for b.slots[at] != want {
		if b.slots[at] == 0 {
			panic("state: a group that is not in its index")
		}
		at = (at + 1) & mask
	}
	b.used--
	gap := at
	for {
		at = (at + 1) & mask
		e := b.slots[at]
		if e == 0 {
			break
		}
		home := uint32(e>>32) & mask
		if (at-home)&mask >= (at-gap)&mask {
			b.slots[gap] = e
			gap = at
		}
	}
	b.slots[gap] = 0
}
