package network

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// buffer is a segment with what is in it. While a writer fills it, and in process until it is read, rows
// stand in regions of a fixed capacity; over the wire they come in the compact form.
type buffer struct {
	mem []byte

	pool    *localPool
	channel int // of the pool's owner, -1 for none
	gate    *Gate
	owner   *inChannel // the channel that lends it credit, when it came over the wire
	floats  bool       // it is floating, not the channel's own

	form form
	// length is the bytes in mem in the compact form and in a part.
	length int
	place  *placing
	rows   int
	heap   int                  // bytes of texts
	lent   [][]byte             // texts that last elsewhere: of views with their numbers from 1 on
	copied []bool               // which leaves have texts in the heap
	coded  []*vector.Dictionary // of the leaves whose region holds codes, nil for others
	shown  []bool               // which regions count: kinds, then the validity of each leaf
	marks  []mark
}

// form is how the content stands in the memory.
type form uint8

const (
	// regional: regions of place.rows rows.
	regional form = iota
	// compact: the wire form.
	compact
	// part: a piece of the wire form of one row that no segment holds; lastPart ends it.
	part
	lastPart
)

// mark is what travels between rows: a watermark, or a change of idleness.
type mark struct {
	row  int // it stands before this row
	kind markKind
	at   types.EventTime
}

type markKind uint8

const (
	watermarkMark markKind = iota
	idleMark
	activeMark
)

// reset makes a segment an empty buffer of a pool.
func (b *buffer) reset(p *localPool, channel int) {
	b.pool, b.channel = p, channel
	b.owner, b.gate, b.floats = nil, nil, false
	b.form, b.length, b.place, b.rows, b.heap = regional, 0, nil, 0, 0
	b.marks = b.marks[:0]
	clear(b.lent)
	clear(b.coded)
	b.lent, b.coded = b.lent[:0], b.coded[:0]
}

// recycle gives the segment back to whom it belongs.
func (b *buffer) recycle() {
	if b.gate != nil {
		b.gate.recycle(b)
		return
	}
	b.pool.recycle(b, b.channel)
}

// event is what stands between buffers: it takes no segment and no credit.
type event struct {
	kind eventKind
	// barrier is the checkpoint, since the milliseconds when it began, drained whether all input was read.
	barrier uint64
	since   int64
	drained bool
}

type eventKind uint8

const (
	barrierEvent eventKind = iota
	endOfDataEvent
	endOfPartitionEvent
)

// parcel is one element of a channel: a buffer or an event.
type parcel struct {
	buffer *buffer
	event  *event
}
