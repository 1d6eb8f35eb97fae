package network

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// layout is where the values of a row type stand in memory: the tree of columns flattened to leaves, each
// with a region for validity and one for values, and a heap of texts behind all regions.
type layout struct {
	types  []types.Type
	leaves []leaf
	texts  bool // a leaf refers to the heap
	lends  bool // texts that last are not copied
	head   int  // bytes before the regions in the wire form, without marks

	places map[int]*placing // by capacity
}

// leaf is one region of values.
type leaf struct {
	typ   types.Type
	form  leafForm
	width int
}

type leafForm uint8

const (
	// hollow leaves have validity only: the NULL type, and a ROW before its fields.
	hollow leafForm = iota
	bitmap
	fixed
	varying
	// list is ARRAY, MAP and MULTISET: a text that holds the elements in an encoding of their own.
	list
)

// placing is the offsets of the regions for a number of rows. A region that is not there has offset -1.
type placing struct {
	rows        int
	kinds       int
	valid, data []int
	heap        int // where the texts begin: the end of the regions
}

// markSize is a mark in the wire form; room for spareMarks is kept in every buffer.
const (
	markSize   = 16
	spareMarks = 2
	wireHead   = 16
)

func newLayout(ts []types.Type) *layout {
	l := &layout{types: ts, places: map[int]*placing{}}
	for _, t := range ts {
		l.add(t)
	}
	l.head = wireHead + (len(l.leaves)+1+63)/64*8
	return l
}

func (l *layout) add(t types.Type) {
	f := leaf{typ: t, form: fixed, width: t.Physical().Width()}
	switch t.Physical() {
	case types.PhysNone, types.PhysRow:
		f.form = hollow
	case types.PhysBool:
		f.form = bitmap
	case types.PhysView:
		f.form, l.texts = varying, true
	case types.PhysList:
		f.form, f.width, l.texts = list, types.PhysView.Width(), true
	default:
		if wide(t) {
			f.width = types.PhysInt128.Width()
		}
	}
	l.leaves = append(l.leaves, f)
	if t.Kind == types.Row {
		for _, k := range t.Fields {
			l.add(k.Type)
		}
	}
}

// wide tells whether values of t travel as 128 bits.
func wide(t types.Type) bool { return t.Kind == types.Decimal && t.Precision > 18 }

func round8(n int) int { return (n + 7) &^ 7 }

func (f leaf) size(rows int) int {
	switch f.form {
	case hollow:
		return 0
	case bitmap:
		return kernel.Words(rows) * 8
	}
	return round8(rows * f.width)
}

// size is the bytes of all regions for a number of rows.
func (l *layout) size(rows int) int {
	n := round8(rows)
	for _, f := range l.leaves {
		n += kernel.Words(rows)*8 + f.size(rows)
	}
	return n
}

// fit is the most rows whose regions, with an amount of text each, take no more than size bytes.
func (l *layout) fit(size, textPerRow int) int {
	perRow := 9 // eighths of bytes: a kind and, below, a validity bit for each leaf
	for _, f := range l.leaves {
		perRow += 1 + f.width*8
		if f.form == bitmap {
			perRow++
		}
	}
	n := size * 8 / (perRow + textPerRow*8)
	for n > 0 && l.size(n)+n*textPerRow > size {
		n--
	}
	return n
}

// placed are the offsets for a number of rows with all regions there.
func (l *layout) placed(rows int) *placing {
	p := l.places[rows]
	if p == nil {
		p = &placing{}
		l.place(p, rows, nil)
		l.places[rows] = p
	}
	return p
}

// place computes offsets; shown nil means that all regions are there.
func (l *layout) place(p *placing, rows int, shown []bool) {
	n := len(l.leaves)
	if len(p.valid) != n {
		p.valid, p.data = make([]int, n), make([]int, n)
	}
	at := 0
	p.rows, p.kinds = rows, -1
	if shown == nil || shown[0] {
		p.kinds, at = 0, round8(rows)
	}
	words := kernel.Words(rows) * 8
	for i, f := range l.leaves {
		p.valid[i] = -1
		if shown == nil || shown[1+i] {
			p.valid[i] = at
			at += words
		}
		p.data[i] = at
		at += f.size(rows)
	}
	p.heap = at
}
