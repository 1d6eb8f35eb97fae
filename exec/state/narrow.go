package state

import (
	"bytes"
	"encoding/binary"
	"math"
)

// A column of a span stands in a snapshot as a form and what belongs to it: most columns are of one value, or of
// numbers near each other, which are written as what they are above the least of them in 0, 1, 2, 4 or 8
// bytes. That takes a fraction of the time that a general compression would.
const (
	formAbsent   = iota // a column without pages
	formConstant        // one value
	formRaw             // the bytes as they are
	formLanes           // per lane the size of the differences, the least value, the differences
)

// laneWidth is how many bytes of a value belong to one number: values of 16 bytes and more are made of parts
// of 4, as texts are. 0 is a width that is not taken apart.
func laneWidth(width int) int {
	switch {
	case width == 8:
		return 8
	case width%4 == 0:
		return 4
	}
	return 0
}

// appendNarrow writes a column of so many bytes per value.
func appendNarrow(out, c []byte, width int) []byte {
	lane := laneWidth(width)
	switch {
	case bytes.Equal(c[width:], c[:len(c)-width]):
		return append(append(out, formConstant), c[:width]...)
	case lane == 0:
		return append(append(out, formRaw), c...)
	}
	at := len(out)
	out = append(out, formLanes)
	if lane == 8 {
		out = appendWords(out, c)
	}
	for from := 0; lane == 4 && from < width; from += 4 {
		out = appendParts(out, c[from:], width)
	}
	if len(out)-at > len(c) {
		out = append(append(out[:at], formRaw), c...)
	}
	return out
}

// sizeOf is the least size for differences up to most.
func sizeOf(most uint64) int {
	switch {
	case most == 0:
		return 0
	case most <= math.MaxUint8:
		return 1
	case most <= math.MaxUint16:
		return 2
	case most <= math.MaxUint32:
		return 4
	}
	return 8
}

func appendWords(out, c []byte) []byte {
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for b := c; len(b) >= 8; b = b[8:] {
		v := int64(binary.LittleEndian.Uint64(b))
		least, most = min(least, v), max(most, v)
	}
	base := uint64(least)
	size := sizeOf(uint64(most) - base)
	out = binary.AppendVarint(append(out, byte(size)), least)
	out, to := extend(out, len(c)/8*size)
	switch size {
	case 1:
		for i := range to {
			to[i] = byte(binary.LittleEndian.Uint64(c[8*i:]) - base)
		}
	case 2:
		for i := 0; len(to) >= 2; i, to = i+8, to[2:] {
			binary.LittleEndian.PutUint16(to, uint16(binary.LittleEndian.Uint64(c[i:])-base))
		}
	case 4:
		for i := 0; len(to) >= 4; i, to = i+8, to[4:] {
			binary.LittleEndian.PutUint32(to, uint32(binary.LittleEndian.Uint64(c[i:])-base))
		}
	case 8:
		for i := 0; len(to) >= 8; i, to = i+8, to[8:] {
			binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(c[i:])-base)
		}
	}
	return out
}

// appendParts writes the first 4 bytes of each value.
func appendParts(out, c []byte, width int) []byte {
	least, most := int32(math.MaxInt32), int32(math.MinInt32)
	n := 0
	for i := 0; i+4 <= len(c); i += width {
		v := int32(binary.LittleEndian.Uint32(c[i:]))
		least, most = min(least, v), max(most, v)
		n++
	}
	base := uint32(least)
	size := sizeOf(uint64(uint32(most) - base))
	out = binary.AppendVarint(append(out, byte(size)), int64(least))
	out, to := extend(out, n*size)
	switch size {
	case 1:
		for i := range to {
			to[i] = byte(binary.LittleEndian.Uint32(c[i*width:]) - base)
		}
	case 2:
		for i := 0; len(to) >= 2; i, to = i+width, to[2:] {
			binary.LittleEndian.PutUint16(to, uint16(binary.LittleEndian.Uint32(c[i:])-base))
		}
	case 4:
		for i := 0; len(to) >= 4; i, to = i+width, to[4:] {
			binary.LittleEndian.PutUint32(to, binary.LittleEndian.Uint32(c[i:])-base)
		}
	}
	return out
}

// extend makes room for n bytes, which are to.
func extend(out []byte, n int) (whole, to []byte) {
	at := len(out)
	if cap(out)-at < n {
		out = append(out, make([]byte, n)...)
	}
	out = out[:at+n]
	return out, out[at:]
}

// narrow reads a column of so many rows, nil if it has none.
func (b *blockReader) narrow(rows, width int) []byte {
	form := b.bytes(1)
	if b.bad {
		return nil
	}
	switch form[0] {
	case formAbsent:
		return nil
	case formConstant:
		return bytes.Repeat(b.bytes(width), rows)
	case formRaw:
		return bytes.Clone(b.bytes(rows * width))
	case formLanes:
		if lane := laneWidth(width); lane > 0 {
			return b.lanes(make([]byte, rows*width), width, lane)
		}
	}
	b.bad = true
	return nil
}

func (b *blockReader) lanes(out []byte, width, lane int) []byte {
	for from := 0; from < width && !b.bad; from += lane {
		size := b.bytes(1)
		base := uint64(b.number())
		if b.bad || size[0] > byte(lane) || size[0]&(size[0]-1) != 0 {
			b.bad = true
			break
		}
		n := int(size[0])
		packed := b.bytes(len(out) / width * n)
		var word [8]byte
		for i := from; i < len(out) && !b.bad; i += width {
			copy(word[:], packed[:n])
			packed = packed[n:]
			v := binary.LittleEndian.Uint64(word[:]) + base
			if lane == 8 {
				binary.LittleEndian.PutUint64(out[i:], v)
			} else {
				binary.LittleEndian.PutUint32(out[i:], uint32(v))
			}
		}
	}
	return out
}
