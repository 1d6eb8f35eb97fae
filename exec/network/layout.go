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

	places map[capacity]*placing
}

// capacity is what regions are made for: a number of rows, and the leaves (of the first 64) of which they hold codes.
type capacity struct {
	rows   int
	narrow uint64
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
	narrow      uint64 // leaves whose regions have room for codes only
	kinds       int
	valid, data []int
	heap        int // where the texts begin: the end of the regions
}

// codeSize is the code of a text in its region. markSize is a mark in the wire form; room for spareMarks is kept in every buffer.
const (
	codeSize   = 4
	markSize   = 16
	spareMarks = 2
	wireHead   = 16
)

func newLayout(ts []types.Type) *layout {
	l := &layout{types: ts, places: map[capacity]*placing{}}
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
		if t.Wide() {
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

// size is the bytes of all regions for a number of rows, sizeOf with codes in those of some leaves.
func (l *layout) size(rows int) int { return l.sizeOf(rows, 0) }

func (l *layout) sizeOf(rows int, narrow uint64) int {
	n := round8(rows)
	for i, f := range l.leaves {
		n += kernel.Words(rows)*8 + f.coded(i, narrow).size(rows)
	}
	return n
}

// coded is the leaf at a place, narrow where it is one of those that hold codes.
func (f leaf) coded(i int, narrow uint64) leaf {
	if i < 64 && narrow>>i&1 != 0 {
		f.width = codeSize
	}
	return f
}

// fit is the most rows whose regions, with an amount of text each, take no more than size bytes.
func (l *layout) fit(size, textPerRow int, narrow uint64) int {
	perRow := 9 // eighths of bytes: a kind and, below, a validity bit for each leaf
	for i, f := range l.leaves {
		perRow += 1 + f.coded(i, narrow).width*8
		if f.form == bitmap {
			perRow++
		}
	}
	n := size * 8 / (perRow + textPerRow*8)
	for n > 0 && l.sizeOf(n, narrow)+n*textPerRow > size {
		n--
	}
	return n
}

// placed are the offsets for a number of rows with all regions there.
func (l *layout) placed(rows int, narrow uint64) *placing {
	at := capacity{rows, narrow}
	p := l.places[at]
	if p == nil {
		p = &placing{narrow: narrow}
		l.place(p, rows, nil)
		l.places[at] = p
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
		at += f.coded(i, p.narrow).size(rows)
	}
	p.heap = at
}
