package state

import "slices"

// history is the list of snapshots that together hold a store: each span of each table stands in one of them
// in its newest version. A snapshot writes what changed, and besides it, for those that are given up, what is
// still of use in them: so there is never a snapshot of everything only for the sake of the number of files.
type history struct {
	last uint64 // number given out
	past []past
}

// past is a snapshot that later ones go by; bytes are those of rows and texts as they are in memory.
type past struct {
	number      uint64
	bytes, live int
	lost        bool // it was not kept
}

const (
	// longestHistory is how many snapshots go before one at most; joinedPast is how many become one when there
	// are more, the least first: a byte is then written again once for each time that the number of snapshots
	// grows by this factor.
	longestHistory = 32
	joinedPast     = 16
	// smallHistory is how many bytes out of use do not matter.
	smallHistory = 1 << 20
)

// retire gives up snapshots: lost ones and those that nothing is in any more, those that are mostly out of use
// if all together are more so than not, and the least if they are too many. The next snapshot writes what is
// still of use in them.
func (h *history) retire() (gone []uint64) {
	bytes, live := 0, 0
	for _, p := range h.past {
		bytes, live = bytes+p.bytes, live+p.live
	}
	worn := bytes > 2*live+smallHistory
	kept := h.past[:0]
	for _, p := range h.past {
		if p.lost || p.live == 0 || worn && 2*p.live < p.bytes {
			gone = append(gone, p.number)
			continue
		}
		kept = append(kept, p)
	}
	h.past = kept
	if len(h.past) <= longestHistory {
		return gone
	}
	least := make([]int, 0, len(h.past))
	for _, p := range h.past {
		least = append(least, p.live)
	}
	slices.Sort(least)
	most, left := least[joinedPast-1], joinedPast
	h.past = slices.DeleteFunc(h.past, func(p past) bool {
		if p.live > most || left == 0 {
			return false
		}
		left--
		gone = append(gone, p.number)
		return true
	})
	return gone
}

// begin gives the next snapshot its number.
func (h *history) begin() uint64 {
	h.last++
	return h.last
}

// moved says that so many bytes of use went from one snapshot, 0 for none, to another. Both may be given up.
func (h *history) moved(bytes int, from, to uint64) {
	for i := len(h.past) - 1; i >= 0; i-- {
		switch p := &h.past[i]; p.number {
		case from:
			p.live -= bytes
		case to:
			p.live += bytes
			p.bytes += bytes
		}
	}
}

func (h *history) lose(number uint64) {
	for i := range h.past {
		h.past[i].lost = h.past[i].lost || h.past[i].number == number
	}
}

// numbers lists them, in order.
func (h *history) numbers() []uint64 {
	out := make([]uint64, len(h.past))
	for i, p := range h.past {
		out[i] = p.number
	}
	return out
}
