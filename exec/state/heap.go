package state

import (
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// heap holds the texts of a table that are too long for a view: chunks that are only appended to. Texts of
// removed rows are counted as dead. A chunk without others is written anew; what is dead beside living texts is
// compacted away when it is the greater part. How long a text was is not looked up when it dies, for that would
// fetch it from memory: it counts as the mean of the living ones of its chunk, so that the last one takes what is left.
type heap struct {
	table  *Keyed
	chunks [][]byte
	alive  []int   // texts referred to, of each chunk
	gone   []int   // dead bytes of each chunk
	idle   []int32 // chunks that may have no living texts
	live   int     // bytes referred to
	dead   int
	// pieces are those of each chunk that stand in snapshots, one behind the other.
	pieces [][]piece
	// shared are the bytes of texts that rows share, and kept those that were left of them after compaction; users are
	// the rows that refer to one, left those that did since then.
	shared, kept, users, left int
	// last is the chunk, plus one, that own texts of a group go to, lastShared that of texts that rows share: those are
	// in chunks of their own, which common lists. place is where a chunk stands there.
	last, lastShared int
	common, place    []int32
	touched          byte // by touch, whose reads nobody else needs
	// compacted is how often texts moved.
	compacted uint64
}

// piece is a part of a chunk in a snapshot.
type piece struct {
	number uint64 // of the snapshot
	to     int    // where it ends
}

const (
	chunkBytes = 64 << 10
	firstChunk = 1 << 10
)

// put copies a text and returns its view.
func (h *heap) put(v *kernel.View, bufs [][]byte) kernel.View {
	if v.Len <= kernel.InlineLen {
		return *v
	}
	n := int(v.Len)
	k := h.room(n, &h.last)
	off := len(h.chunks[k])
	h.chunks[k] = append(h.chunks[k], v.Bytes(bufs)...)
	return kernel.MakeView(h.chunks[k], uint32(k), off, n)
}

// room is the chunk that has room for so many bytes, which are to be written: the last one of a kind, or another. What
// begins in a chunk begins before chunkBytes.
func (h *heap) room(n int, last *int) int {
	if h.live == 0 && h.dead == 0 && len(h.chunks) > 0 { // after Reset
		h.table.account(-h.drop())
		h.last = 1
	}
	k := *last - 1
	if k < 0 || len(h.chunks[k])+n > cap(h.chunks[k]) || len(h.chunks[k]) >= chunkBytes {
		k = h.turn(n, last)
		*last = k + 1
	}
	h.alive[k]++
	h.live += n
	return k
}

// turn is a chunk of a kind with room for n bytes: one of own texts that has no living ones, or a new one.
func (h *heap) turn(n int, last *int) int {
	for i := len(h.idle) - 1; i >= 0 && last == &h.last; i-- {
		k := int(h.idle[i])
		h.idle = h.idle[:i]
		if h.alive[k] == 0 && k+1 != h.last && cap(h.chunks[k]) >= n {
			h.renew(k)
			return k
		}
	}
	size := chunkBytes
	if len(h.chunks) == 0 {
		size = firstChunk
	}
	size = max(size, n)
	k := len(h.chunks)
	h.chunks, h.place = append(h.chunks, make([]byte, 0, size)), append(h.place, -1)
	h.alive, h.gone = append(h.alive, 0), append(h.gone, 0)
	h.table.account(size)
	if last == &h.lastShared {
		h.place[k] = int32(len(h.common))
		h.common = append(h.common, int32(k))
	}
	return k
}

// renew empties a chunk. One that stands in a snapshot gets other memory: the snapshot may still be written.
func (h *heap) renew(k int) {
	h.dead -= h.gone[k]
	h.gone[k] = 0
	if k < len(h.pieces) && len(h.pieces[k]) > 0 {
		h.forget(k)
		h.pieces[k] = nil
		h.chunks[k] = make([]byte, 0, cap(h.chunks[k]))
		return
	}
	h.chunks[k] = h.chunks[k][:0]
}

// drop forgets all chunks but the first and returns their size.
func (h *heap) drop() (bytes int) {
	for _, c := range h.chunks[1:] {
		bytes += cap(c)
	}
	h.chunks, h.alive, h.gone, h.idle = h.chunks[:1], h.alive[:1], h.gone[:1], h.idle[:0]
	h.pieces, h.place = h.pieces[:min(1, len(h.pieces))], append(h.place[:0], -1)
	return bytes
}

// free counts a text as dead.
func (h *heap) free(v kernel.View) {
	if v.Len > kernel.InlineLen {
		h.die(int(v.Buf))
	}
}

// die counts a text of a chunk as dead.
func (h *heap) die(k int) {
	n := (len(h.chunks[k]) - h.gone[k]) / h.alive[k]
	h.gone[k] += n
	h.dead += n
	h.live -= n
	if h.alive[k]--; h.alive[k] == 0 {
		h.idle = append(h.idle, int32(k))
	}
}

// Texts is a text column of a table: views into the table's heap.
type Texts struct {
	*Pages[kernel.View]
}

// NewTexts adds a text column to a table.
func NewTexts(t *Keyed) Texts {
	p := Texts{NewPages[kernel.View](t)}
	t.texts = append(t.texts, p)
	return p
}

// NewRareTexts adds a text column that takes memory only once some group has a text.
func NewRareTexts(t *Keyed) Texts {
	x := NewTexts(t)
	x.rare = true
	return x
}

// None tells that all texts are empty. Only Put may then be called.
func (x Texts) None() bool { return len(x.pages) == 0 }

// Put copies a text as the value of a group, whose page must be owned.
func (x Texts) Put(g int32, v *kernel.View, bufs [][]byte) {
	x.wake()
	h := &x.table.heap
	at := &x.pages[g>>PageShift][g&PageMask]
	h.free(*at)
	*at = h.put(v, bufs)
}

// Clear makes the texts of groups empty.
func (x Texts) Clear(groups []int32) {
	for _, g := range groups {
		x.table.heap.free(x.At(g))
	}
	x.zero(groups)
}

// Bufs is the buffer list that the views of all text columns of the table refer to.
func (x Texts) Bufs() [][]byte { return x.table.heap.chunks }

// Copy writes the texts of groups into out, which has been Reset to their number.
func (x Texts) Copy(out *vector.Column, groups []int32) {
	w := vector.NewText(out)
	chunks := x.table.heap.chunks
	for i, g := range groups {
		w.PutView(i, &x.pages[g>>PageShift][g&PageMask], chunks)
	}
	w.Finish()
}

// Compact rewrites the texts of all groups when more than half of the heap is dead or may be so. Operators call it
// once per batch.
func (t *Keyed) Compact() {
	h := &t.heap
	if (h.dead < 1<<20 || h.dead < h.live) && !h.unused() {
		return
	}
	h.unsave()
	old := *h
	for _, c := range old.chunks {
		t.account(-cap(c))
	}
	*h = heap{table: t, compacted: old.compacted + 1}
	moved := newMovedTexts()
	t.forgetShares()
	for g := int32(0); int(g) < t.n; g++ {
		if t.live.At(g) == 0 {
			continue
		}
		t.OwnOne(g)
		for _, x := range t.texts {
			if len(x.pages) == 0 {
				continue
			}
			at := &x.pages[g>>PageShift][g&PageMask]
			*at = h.put(at, old.chunks)
		}
		for _, x := range t.refs {
			at := &x.pages[g>>PageShift][g&PageMask]
			*at, _ = h.move(*at, old.chunks, moved)
		}
	}
	h.kept = h.shared
}

// freeze lists what a snapshot has to write: what is new, and chunks of which a piece is in one that is given
// up.
func (h *heap) freeze(number uint64, gone []uint64) (out []chunkSnapshot) {
	past := &h.table.store.history
	for k, c := range h.chunks {
		if k == len(h.pieces) {
			h.pieces = append(h.pieces, nil)
		}
		pieces := h.pieces[k]
		if slices.ContainsFunc(pieces, func(p piece) bool { return slices.Contains(gone, p.number) }) {
			h.forget(k)
			pieces = pieces[:0]
		}
		from := 0
		if n := len(pieces); n > 0 {
			from = pieces[n-1].to
		}
		if from < len(c) {
			out = append(out, chunkSnapshot{k, from, c[from:]})
			past.moved(len(c)-from, 0, number)
			pieces = append(pieces, piece{number, len(c)})
		}
		h.pieces[k] = pieces
	}
	return out
}

// forget says that the pieces of a chunk are of no use any more.
func (h *heap) forget(k int) {
	from := 0
	for _, p := range h.pieces[k] {
		h.table.store.history.moved(p.to-from, p.number, 0)
		from = p.to
	}
}

// unsave says that of all chunks.
func (h *heap) unsave() {
	for k := range h.pieces {
		h.forget(k)
	}
	h.pieces = nil
}
