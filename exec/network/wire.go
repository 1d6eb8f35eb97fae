package network

import (
	"encoding/binary"
	"errors"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// The compact form of a buffer, little-endian: number of rows, bytes of text, number of marks and a zero,
// four bytes each; a bit for each region that is there; marks; regions; texts.

var errGarbage = errors.New("network: the content of a buffer is damaged")

// appendWire appends the compact form of a regional buffer; scratch is for its offsets.
func (l *layout) appendWire(dst []byte, b *buffer, scratch *placing) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(b.rows))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(b.heap))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(b.marks)))
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	for i := 0; i < l.head-wireHead; i += 8 {
		var w uint64
		for k, there := range b.shown[min(i*8, len(b.shown)):min(i*8+64, len(b.shown))] {
			if there {
				w |= 1 << k
			}
		}
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	for _, m := range b.marks {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(m.row)|uint64(m.kind)<<32)
		dst = binary.LittleEndian.AppendUint64(dst, uint64(m.at))
	}
	l.place(scratch, b.rows, b.shown)
	if scratch.kinds >= 0 {
		dst = append(dst, b.mem[b.place.kinds:b.place.kinds+round8(b.rows)]...)
	}
	words := kernel.Words(b.rows) * 8
	for i := range l.leaves {
		if scratch.valid[i] >= 0 {
			dst = append(dst, b.mem[b.place.valid[i]:b.place.valid[i]+words]...)
		}
		dst = append(dst, b.mem[b.place.data[i]:b.place.data[i]+l.leaves[i].size(b.rows)]...)
	}
	return append(dst, b.mem[b.place.heap:b.place.heap+b.heap]...)
}

// wireSize is the bytes that appendWire writes at most.
func (l *layout) wireSize(b *buffer) int {
	return l.head + markSize*len(b.marks) + l.size(b.rows) + b.heap
}

// sent is the bytes that a buffer counts for.
func (l *layout) sent(b *buffer) int {
	if b.form != regional {
		return b.length
	}
	return l.wireSize(b)
}

// parseWire reads the head of a compact form into b, whose rows then stand in mem from base on.
func (l *layout) parseWire(b *buffer, mem []byte) (base int, err error) {
	if len(mem) < l.head {
		return 0, errGarbage
	}
	rows := int(binary.LittleEndian.Uint32(mem))
	heap := int(binary.LittleEndian.Uint32(mem[4:]))
	marks := int(binary.LittleEndian.Uint32(mem[8:]))
	// A row takes at least a bit and a quarter, even of hollow columns.
	if rows > 8*len(mem) || heap > len(mem) || marks > len(mem)/markSize || binary.LittleEndian.Uint32(mem[12:]) != 0 {
		return 0, errGarbage
	}
	if cap(b.shown) < len(l.leaves)+1 {
		b.shown = make([]bool, len(l.leaves)+1)
	}
	b.shown = b.shown[:len(l.leaves)+1]
	for i := range b.shown {
		b.shown[i] = mem[wireHead+i/8]>>(i%8)&1 != 0
	}
	base = l.head + marks*markSize
	if base > len(mem) {
		return 0, errGarbage
	}
	b.marks = b.marks[:0]
	last := 0
	for at := l.head; at < base; at += markSize {
		w := binary.LittleEndian.Uint64(mem[at:])
		t := types.EventTime(binary.LittleEndian.Uint64(mem[at+8:]))
		m := mark{row: int(uint32(w)), kind: markKind(w >> 32), at: t}
		if m.row < last || m.row > rows || w>>32 > uint64(activeMark) {
			return 0, errGarbage
		}
		last = m.row
		b.marks = append(b.marks, m)
	}
	if b.place == nil {
		b.place = &placing{}
	}
	l.place(b.place, rows, b.shown)
	b.rows, b.heap = rows, heap
	if base+b.place.heap+heap != len(mem) {
		return 0, errGarbage
	}
	return base, nil
}
