package state

import "streamsql/exec/kernel"

// Memory of large stores is asked for in huge pages: rows are reached all over it, and a processor that does not remember
// where a page of 4 KiB lies walks through tables of pages for each of them. It also comes 2 MiB at a time then, with one
// interruption. Where the system has no huge pages nothing changes.

const (
	// hugeFrom is the memory of a store from which on it is large: small ones stay as small as they are.
	hugeFrom = 16 << 20
	// hugeBlock is what is asked for at a time: the unit in which the heap of Go takes memory from the system, and of
	// which it does not give the addresses back.
	hugeBlock = 4 << 20
)

// huge knows what memory a store has asked to have in huge pages.
type huge struct {
	bytes  int64 // of pages and chunks made
	last   uintptr
	blocks map[uintptr]struct{} // by address, in units of hugeBlock
}

// over asks for what lies around new memory, before that is written to.
func (h *huge) over(b []byte) {
	if h.bytes += int64(cap(b)); h.bytes < hugeFrom || cap(b) == 0 {
		return
	}
	block := kernel.Address(b) / hugeBlock
	if block == h.last {
		return
	}
	h.last = block
	if _, ok := h.blocks[block]; ok {
		return
	}
	if h.blocks == nil {
		h.blocks = map[uintptr]struct{}{}
	}
	h.blocks[block] = struct{}{}
	askHuge(block*hugeBlock, hugeBlock)
}

// chunk makes room for texts.
func (h *huge) chunk(size int) []byte {
	b := make([]byte, 0, size)
	h.over(b)
	return b
}
