package state

import (
	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// lentChunks are the places of a heap's chunks among the buffers of a column that is lent: a column has those alone that
// its texts are in.
type lentChunks struct {
	turn uint32
	list []lentChunk
}

// lentChunk is a place that holds for one turn.
type lentChunk struct{ turn, at uint32 }

// start begins a column without buffers over n chunks.
func (x *lentChunks) start(n int) []lentChunk {
	if x.turn++; x.turn == 0 {
		clear(x.list)
		x.turn = 1
	}
	for len(x.list) < n {
		x.list = append(x.list, lentChunk{})
	}
	return x.list
}

// touch reads the first byte of the texts of rows. They are all over the memory: reads that wait for nothing but
// memory go on side by side, while those of a loop that looks at each would be one after the other.
func touch(chunks [][]byte, pages [][]ref, rows []int32) (sum byte) {
	for _, g := range rows {
		if r := pages[g>>PageShift][g&PageMask]; r != 0 {
			k, off := r.at()
			sum += chunks[k][off]
		}
	}
	return sum
}

// lendTexts makes out, which has been Reset, the texts of rows. It refers to the heap. Of rows that are given several times
// running, as a join does with partners, the text is looked up once.
func (t *Keyed) lendTexts(out *vector.Column, pages [][]ref, rows []int32) {
	chunks := t.heap.chunks
	t.heap.touched += touch(chunks, pages, rows)
	views, places, turn := vector.Alloc[kernel.View](out)[:len(rows)], t.lent.start(len(chunks)), t.lent.turn
	before, view := ref(0), kernel.View{}
	for i, g := range rows {
		r := pages[g>>PageShift][g&PageMask]
		if r == before {
			views[i] = view
			continue
		}
		before, view = r, kernel.View{}
		if r != 0 {
			k, off := r.at()
			c := chunks[k]
			n, at := lengthAt(c, off)
			if n <= kernel.InlineLen {
				view = kernel.InlineView(c[at : at+n])
			} else {
				p := &places[k]
				if p.turn != turn {
					*p = lentChunk{turn, uint32(len(out.Bufs))}
					out.Bufs = append(out.Bufs, c)
				}
				view = kernel.LongView(c, p.at, at, n)
			}
		}
		views[i] = view
	}
}
