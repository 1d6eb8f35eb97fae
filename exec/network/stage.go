package network

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// stage collects rows for many channels in little memory, so that a batch of which each channel gets a row
// or two stays in the cache: rows are scattered column by column into slots, and a channel's slots are copied
// to its buffer together. Only rows of fixed width without NULLs that are inserts pass through it.
type stage struct {
	slots  int
	shift  uint
	fill   []int32 // slots used by each channel
	sheet  sheet   // over the memory of all slots
	places []int32
	full   []int32     // channels to be emptied
	marks  *stageMarks // nil where segments are too small for them

	bytes1 [][]uint8
	bytes2 [][]uint16
	bytes4 [][]uint32
	bytes8 [][]uint64
	wide   [][]vector.Int128
}

const (
	// stageFrom is the number of channels from which on a stage pays.
	stageFrom = 24
	// stageBytes is what the slots of one channel should take.
	stageBytes = 512
	minSlots   = 8
	maxSlots   = 64
)

// newStage makes a stage, or none where the rows are not of the kind.
func newStage(l *layout, channels, segment int) *stage {
	width := 0
	for _, f := range l.leaves {
		if f.form != fixed || f.typ.Kind == types.Row {
			return nil
		}
		width += f.width
	}
	if channels < stageFrom || width == 0 {
		return nil
	}
	s := &stage{slots: maxSlots, shift: 6, fill: make([]int32, channels), full: make([]int32, channels)}
	fit := l.fit(l.budget(segment, 0), 0, 0)
	for s.slots > fit || s.slots > minSlots && s.slots*width > stageBytes {
		s.slots, s.shift = s.slots/2, s.shift-1
	}
	if s.slots < minSlots {
		return nil
	}
	if l.head+l.size(s.slots)+markSize*s.slots <= segment {
		s.marks = newStageMarks(channels)
	}
	s.sheet.layout, s.sheet.later = l, make([]bool, len(l.leaves))
	n := channels * s.slots
	s.sheet.rows = n
	for _, f := range l.leaves {
		c := &vector.Column{}
		switch f.width {
		case 1:
			s.bytes1 = append(s.bytes1, column[uint8](c, f.typ, n))
		case 2:
			s.bytes2 = append(s.bytes2, column[uint16](c, f.typ, n))
		case 4:
			s.bytes4 = append(s.bytes4, column[uint32](c, f.typ, n))
		case 8:
			s.bytes8 = append(s.bytes8, column[uint64](c, f.typ, n))
		default:
			s.wide = append(s.wide, column[vector.Int128](c, f.typ, n))
		}
		s.sheet.leaves = append(s.sheet.leaves, c)
	}
	return s
}

func column[T any](c *vector.Column, t types.Type, n int) []T {
	v := make([]T, n)
	vector.SetSlice(c, t, v)
	return v
}

// takes tells whether the rows of a sheet may pass.
func (s *stage) takes(in *sheet) bool {
	if in.kinds != nil {
		return false
	}
	for _, c := range in.leaves {
		if c.Valid != nil || c.Type.Kind == types.Null {
			return false
		}
	}
	return true
}

// add scatters rows of in, from one on, to their channels. It returns how many were taken, and the channels
// that are to be emptied before it is called again.
func (s *stage) add(in *sheet, to []int32, from int) (n int, full []int32) {
	to = to[from:]
	if cap(s.places) < len(to) {
		s.places = make([]int32, len(to)*2)
	}
	places := s.places[:len(to)]
	n, filled := s.reserve(places, to)
	places = places[:n]
	var i1, i2, i4, i8, i16 int
	for i, f := range s.sheet.layout.leaves {
		c := in.leaves[i]
		switch f.width {
		case 1:
			scatter(s.bytes1[i1], places, vector.Values[uint8](c)[from:])
			i1++
		case 2:
			scatter(s.bytes2[i2], places, vector.Values[uint16](c)[from:])
			i2++
		case 4:
			scatter(s.bytes4[i4], places, vector.Values[uint32](c)[from:])
			i4++
		case 8:
			scatter(s.bytes8[i8], places, vector.Values[uint64](c)[from:])
			i8++
		default:
			scatter(s.wide[i16], places, vector.Values[vector.Int128](c)[from:])
			i16++
		}
	}
	return n, s.full[:filled]
}

// reserve gives each row a slot, until one finds its channel full. A channel is to be emptied as soon as three
// quarters of its slots are taken: all can be, before the first is.
func (s *stage) reserve(places, to []int32) (n, filled int) {
	fill, full, shift := s.fill, s.full, s.shift
	slots := int32(s.slots)
	nearly := slots - slots/4
	places = places[:len(to)]
	for i, c := range to {
		f := fill[c]
		if f == slots {
			return i, filled
		}
		places[i] = c<<shift + f
		fill[c] = f + 1
		if f+1 == nearly {
			full[filled] = c
			filled++
		}
	}
	return len(to), filled
}

func scatter[T any](out []T, places []int32, in []T) {
	in = in[:len(places)]
	for i, p := range places {
		out[p] = in[i]
	}
}
