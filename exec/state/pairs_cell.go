package state

import (
	"encoding/binary"
	"fmt"
)

// make gives a run of a block its cell, or nil where it gets none.
func (p *Pairs) make(g int32, run int64) *pairCell {
	if !p.shut && p.cells >= pairSlack && p.n < leastFill*p.cells {
		p.shut = true
	}
	if p.shut {
		return nil
	}
	b := int(g >> pairBlockBits)
	for b >= len(p.dirs) {
		p.dirs = append(p.dirs, pairDirectory{})
		p.table.account(32)
	}
	c := p.dirs[b].reach(run, p.table)
	if c == nil {
		return nil
	}
	// Where cells hold many pairs a new one will: it need not grow all the way.
	code := uint8(1)
	for code < pageCode && p.cells > 0 && int(pairRoom(code)) < p.n/p.cells/2 {
		code++
	}
	p.cells++
	p.found(c, code, int32(b), run)
	return c
}

// reach is the place of a run in the directory, which grows to it; nil where it lies too far off.
func (d *pairDirectory) reach(run int64, t *Keyed) *pairCell {
	first := run &^ (pairDirRows - 1)
	if len(d.pages) == 0 {
		d.base = first
	}
	at, n := (first-d.base)>>pairDirBits, int64(len(d.pages))
	switch {
	case first >= d.base && at >= 0 && at < maxPairSpan:
		for int64(len(d.pages)) <= at {
			d.pages = append(d.pages, nil)
			t.account(8)
		}
	case first < d.base && -at > 0 && -at < maxPairSpan-n:
		more := max(-at, min(n, maxPairSpan-n-1))
		d.pages = append(make([]*[pairDirRows]pairCell, more, more+n), d.pages...)
		d.base -= more << pairDirBits
		at += more
		t.account(int(more) * 8)
	default:
		return nil
	}
	if d.pages[at] == nil {
		d.pages[at] = new([pairDirRows]pairCell)
		t.account(pairDirRows * 12)
	}
	return &d.pages[at][run&(pairDirRows-1)]
}

// found gives a cell rows of a size, and writes its header.
func (p *Pairs) found(c *pairCell, code uint8, block int32, run int64) {
	c.at, c.code, c.left = p.rows(code), code, pairRoom(code)
	p.own(c.at, pairSizes[code])
	s := p.slots.pages[c.at>>PageShift][c.at&PageMask:][:pairHeader]
	for k := range 4 {
		s[k] = uint16(uint64(run) >> (16 * k))
	}
	head := uint32(block)<<8 | uint32(code)
	s[4], s[5] = uint16(head), uint16(head>>16)
}

func (p *Pairs) own(at, size int32) {
	for span := at >> spanShift; span<<spanShift < at+size; span++ {
		p.table.OwnOne(span << spanShift)
	}
}

// rows finds rows for a cell: those of one that has grown, or of a page that is cut up, or whole pages.
func (p *Pairs) rows(code uint8) int32 {
	if k := len(p.free[code]) - 1; k >= 0 {
		at := p.free[code][k]
		p.free[code] = p.free[code][:k]
		return at
	}
	if code > pageCode {
		return p.pages(pairSizes[code])
	}
	o := &p.open[code]
	if o.next == o.end {
		o.next = p.pages(PageRows)
		o.end = o.next + PageRows
	}
	at := o.next
	o.next += pairSizes[code]
	return at
}

func (p *Pairs) pages(rows int32) int32 {
	t := p.table
	at := int32(t.n)
	t.n += int(rows)
	t.spare += int(rows)
	t.growTo(t.n)
	p.own(at, rows) // a snapshot has all rows, those without a cell too
	return at
}

// grow moves a cell to rows of the next size.
func (p *Pairs) grow(c *pairCell) {
	old := *c
	size := pairSizes[old.code]
	block, run, _ := pairHead(p.slots.pages[old.at>>PageShift][old.at&PageMask:])
	p.found(c, old.code+1, block, run)
	p.own(old.at, size)
	for at := old.at + pairHeader; at < old.at+size; at++ {
		m := p.marks.At(at)
		if m == 0 {
			continue
		}
		key := p.slots.At(at)
		to := p.gap(c, key)
		p.slots.Set(to, key)
		p.marks.Set(to, m)
		p.marks.Set(at, 0)
		c.left--
	}
	p.slots.pages[old.at>>PageShift][old.at&PageMask+4] |= freeCell
	p.free[old.code] = append(p.free[old.code], old.at)
	p.table.account(4)
}

// pairHead reads a header.
func pairHead(s []uint16) (block int32, run int64, code uint8) {
	for k := range 4 {
		run |= int64(s[k]) << (16 * k)
	}
	head := uint32(s[4]) | uint32(s[5])<<16
	return int32(head >> 8), run, uint8(head)
}

// take restores the pairs of one image whose groups stayed.
func (p *Pairs) take(x *tableImage, parent []int32) error {
	for n := 0; n*PageRows < x.form.Rows; {
		slots, marks, err := x.pairPage(n)
		if err != nil {
			return err
		}
		_, _, code := pairHead(slots)
		code &^= freeCell
		if code == 0 || code > maxPairCode {
			return fmt.Errorf("state: page %d of %s is of no size", n, x.form.Name)
		}
		size := int(pairSizes[code])
		for n++; n*PageRows < x.form.Rows && len(slots) < size; n++ {
			s, m, err := x.pairPage(n)
			if err != nil {
				return err
			}
			slots, marks = append(slots, s...), append(marks, m...)
		}
		for at := 0; at+size <= len(slots); at += size {
			if err := p.takeCell(x, slots[at:at+size], marks[at:at+size], parent); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *tableImage) pairPage(n int) (slots []uint16, marks []byte, err error) {
	slots, marks = make([]uint16, PageRows), make([]byte, PageRows)
	for k := range pageSpans {
		span := x.spans[n*pageSpans+k]
		last := span.columns[len(span.columns)-1]
		if span.rows != spanRows || len(last) != 2*spanRows {
			return nil, nil, fmt.Errorf("state: page %d of %s is cut short", n, x.form.Name)
		}
		for i := range spanRows {
			slots[k*spanRows+i] = binary.LittleEndian.Uint16(last[2*i:])
		}
		copy(marks[k*spanRows:], span.columns[0])
	}
	return slots, marks, nil
}

func (p *Pairs) takeCell(x *tableImage, slots []uint16, marks []byte, parent []int32) error {
	block, run, code := pairHead(slots)
	if code == 0 || code&freeCell != 0 {
		return nil
	}
	for i := pairHeader; i < len(slots); i++ {
		if marks[i] == 0 {
			continue
		}
		old := int(block)<<pairBlockBits | int(slots[i]>>pairRunBits)
		if old >= len(parent) {
			return fmt.Errorf("state: a pair of %s belongs to no row of its parent", x.form.Name)
		}
		pair := Pair{parent[old], run<<pairRunBits | int64(slots[i]&(1<<pairRunBits-1)), marks[i]}
		if pair.Group >= 0 && !p.Put(pair) {
			p.lost = append(p.lost, pair)
		}
	}
	return nil
}
