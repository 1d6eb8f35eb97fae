package state

import "streamsql/exec/kernel"

// A page holds PageRows groups of one column: 16 KiB of 8-byte values. Group g stands in page g>>PageShift
// at g&PageMask. The first page of a table starts small.
const (
	PageShift = 11
	PageRows  = 1 << PageShift
	PageMask  = PageRows - 1
	firstRows = 64
)

// Pages is a column of a table, by group id. T has no pointers; zero is the value of an empty group.
type Pages[T any] struct {
	table *Keyed
	pages [][]T
	// parent marks group ids of another table, which restoring translates.
	parent  *Keyed
	derived bool
	// rare is a column that has no pages until a value stands in it.
	rare bool
}

// column is a Pages of any type.
type column interface {
	width() int
	grow(rows int)
	own(page int)
	zero(groups []int32)
	reset(rows int)
	bytes(page int) []byte
	put(group int32, value []byte)
	saved() bool
	give(to *spare)
}

// NewPages adds a column to a table. Columns are declared in a fixed order, before the table is opened.
func NewPages[T any](t *Keyed) *Pages[T] {
	p := &Pages[T]{table: t}
	t.add(p)
	return p
}

// NewDerived adds a column that snapshots leave out: it starts at zero after a restore, and OnRestore may
// fill it anew.
func NewDerived[T any](t *Keyed) *Pages[T] {
	p := &Pages[T]{table: t, derived: true}
	t.add(p)
	return p
}

// All are the pages. They may be replaced by Lookup and Own; take them anew for every batch.
func (p *Pages[T]) All() [][]T { return p.pages }

// At is the value of a group.
func (p *Pages[T]) At(g int32) T { return p.pages[g>>PageShift][g&PageMask] }

// Set writes the value of a group, whose page must be owned.
func (p *Pages[T]) Set(g int32, v T) { p.pages[g>>PageShift][g&PageMask] = v }

// Take gathers the values of groups.
func (p *Pages[T]) Take(out []T, groups []int32) {
	out = out[:len(groups)]
	pages := p.pages
	for i, g := range groups {
		out[i] = pages[g>>PageShift][g&PageMask]
	}
}

// Zero clears the values of groups.
func (p *Pages[T]) Zero(groups []int32) { p.zero(groups) }

func (p *Pages[T]) width() int { return width[T]() }

// wake gives a rare column its pages.
func (p *Pages[T]) wake() {
	if len(p.pages) == 0 {
		p.rare = false
		p.grow(p.table.room)
		p.rare = true
	}
}

// grow makes room for so many rows, a full page at a time but in the first.
func (p *Pages[T]) grow(rows int) {
	if p.rare && len(p.pages) == 0 {
		return
	}
	w := p.width()
	if len(p.pages) == 1 && len(p.pages[0]) < min(rows, PageRows) {
		bigger := page[T](p.table.store.spare, min(rows, PageRows))
		p.table.account((len(bigger) - len(p.pages[0])) * w)
		copy(bigger, p.pages[0])
		p.pages[0] = bigger
	}
	for len(p.pages)*PageRows < rows {
		n := PageRows
		if len(p.pages) == 0 {
			n = min(rows, PageRows)
		}
		p.pages = append(p.pages, page[T](p.table.store.spare, n))
		p.table.account(n * w)
	}
}

// give hands the pages on.
func (p *Pages[T]) give(to *spare) {
	for _, page := range p.pages {
		to.put(kernel.Over[uint64](page))
	}
	p.pages = nil
}

func (p *Pages[T]) saved() bool { return !p.derived }

// own replaces a page by a copy, for a snapshot reads the old one.
func (p *Pages[T]) own(page int) {
	if page < len(p.pages) && !p.derived {
		p.pages[page] = append(make([]T, 0, len(p.pages[page])), p.pages[page]...)
	}
}

func (p *Pages[T]) zero(groups []int32) {
	var z T
	if len(p.pages) == 0 {
		return
	}
	for _, g := range groups {
		p.pages[g>>PageShift][g&PageMask] = z
	}
}

// reset makes the first rows zero.
func (p *Pages[T]) reset(rows int) {
	for i := 0; i < len(p.pages) && rows > 0; i++ {
		n := min(rows, len(p.pages[i]))
		clear(p.pages[i][:n])
		rows -= n
	}
}

// bytes are those of a page, nil if the column has no pages.
func (p *Pages[T]) bytes(page int) []byte {
	if page >= len(p.pages) {
		return nil
	}
	return kernel.Bytes(p.pages[page])
}

// put restores a value.
func (p *Pages[T]) put(g int32, value []byte) {
	p.wake()
	at := g & PageMask
	copy(kernel.Bytes(p.pages[g>>PageShift][at:at+1]), value)
}

// systemPage is the unit in which the system maps memory; where it is larger, that costs a few writes.
const systemPage = 4096

// fresh makes zeroes in memory that was written to. Memory that is read before it is written is mapped twice, and
// the second time every processor that runs the process is interrupted.
func fresh[T any](n int) []T {
	s := make([]T, n)
	b := kernel.Bytes(s)
	for i := 0; i < len(b); i += systemPage {
		b[i] = 0
	}
	return s
}
