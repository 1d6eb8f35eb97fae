package state

import (
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sync/atomic"
)

// Snapshot is the state of a store at a moment. Freeze makes it, in the time that listing the changed pages
// takes; Write may then run beside the task, which copies the pages that it changes before they are written.
type Snapshot struct {
	store  *Store
	number uint64
	base   []uint64
	clock  map[string]int64
	tables []*tableSnapshot
	done   atomic.Bool
}

// tableSnapshot is what a snapshot holds of a table: its form, and what changed.
type tableSnapshot struct {
	form  form
	pages []pageSnapshot
	// columns are the bytes of the saved columns of each page, one page behind the other; nil where a column
	// has no pages.
	columns [][]byte
	chunks  []chunkSnapshot
	// written is the first page that is not read yet.
	written atomic.Int32
}

// form is what a table looks like, and what of its pages counts.
type form struct {
	Name, Parent string
	ID           uint64 // of the table in its store: a name may be given again
	Keys         string // the types
	Widths       []int  // of the saved columns
	Rows         int    // group ids given out
	Heap         uint64 // how often the heap was compacted
	Chunks       []int  // bytes of each
}

// pageSnapshot are spans of a page, as bits.
type pageSnapshot struct {
	page  int32
	spans uint8
}

type chunkSnapshot struct {
	chunk, from int
	bytes       []byte
}

// Freeze makes a snapshot of what changed since the last one, or of all. Only one may be unfinished.
func (s *Store) Freeze(full bool) *Snapshot {
	if s.frozen != nil && !s.frozen.done.Load() {
		panic("state: two snapshots at a time")
	}
	h := &s.history
	gone := h.retire()
	if full {
		gone = append(gone, h.numbers()...)
		h.past = nil
	}
	p := &Snapshot{store: s, base: h.numbers(), number: h.begin(), clock: map[string]int64{}}
	h.past = append(h.past, past{number: p.number})
	for name, t := range s.clock {
		p.clock[name] = t
	}
	for _, t := range s.tables {
		p.tables = append(p.tables, t.freeze(p.number, gone))
	}
	s.frozen = p
	return p
}

// Number is the snapshot's in its store.
func (p *Snapshot) Number() uint64 { return p.number }

// Base are the numbers of the earlier snapshots that are read before this one to restore it, in order.
func (p *Snapshot) Base() []uint64 { return p.base }

// Full tells that the snapshot needs none before it.
func (p *Snapshot) Full() bool { return len(p.base) == 0 }

// Abort says that the snapshot was not kept: the next one writes what it held. It is called by the task, once
// Write has returned if it was called.
func (p *Snapshot) Abort() {
	p.done.Store(true)
	p.store.history.lose(p.number)
}

// reads tells that a page is still to be read.
func (p *tableSnapshot) reads(page int32) bool { return page >= p.written.Load() }

func (t *Keyed) form() form {
	f := form{Name: t.name, ID: t.id, Rows: t.n, Heap: t.heap.compacted}
	if t.parent != nil {
		f.Parent = t.parent.name
	}
	for _, k := range t.types {
		f.Keys += k.WithNull(true).String() + ";"
	}
	for _, c := range t.cols {
		if c.saved() {
			f.Widths = append(f.Widths, c.width())
		}
	}
	for _, c := range t.heap.chunks {
		f.Chunks = append(f.Chunks, len(c))
	}
	return f
}

// spanBytes is what a span counts for.
func (f *form) spanBytes() (n int) {
	for _, w := range f.Widths {
		n += w * spanRows
	}
	return n
}

// freeze makes the table's part of a snapshot: the spans that changed, and those that are in snapshots that are
// given up.
func (t *Keyed) freeze(number uint64, gone []uint64) *tableSnapshot {
	s := &t.spans
	out := &tableSnapshot{form: t.form()}
	want := make([]uint8, (t.n+PageMask)>>PageShift)
	add := func(span int32) {
		if int(span)<<spanShift < t.n {
			want[span/pageSpans] |= 1 << (span % pageSpans)
		}
	}
	for _, span := range s.changed {
		add(span)
	}
	if len(gone) > 0 {
		for span, at := range s.where {
			if at != 0 && slices.Contains(gone, at) {
				add(int32(span))
			}
		}
	}
	s.changed = s.changed[:0]
	s.epoch++
	t.freezePages(out, want)
	t.settle(want, number, out.form.spanBytes())
	s.frozen = out
	out.chunks = t.heap.freeze(number, gone)
	return out
}

// freezePages takes the columns of the pages of which spans are wanted.
func (t *Keyed) freezePages(out *tableSnapshot, want []uint8) {
	n := 0
	for _, spans := range want {
		n += int(min(spans, 1))
	}
	out.pages = make([]pageSnapshot, 0, n)
	out.columns = make([][]byte, 0, n*len(out.form.Widths))
	for page, spans := range want {
		if spans == 0 {
			continue
		}
		t.spans.reading[page] = t.spans.epoch
		out.pages = append(out.pages, pageSnapshot{int32(page), spans})
		for _, c := range t.cols {
			if c.saved() {
				out.columns = append(out.columns, c.bytes(page))
			}
		}
	}
}

// settle says that a snapshot has the newest version of spans.
func (t *Keyed) settle(want []uint8, number uint64, weight int) {
	h, from, bytes := &t.store.history, uint64(0), 0
	for page, spans := range want {
		for ; spans != 0; spans &= spans - 1 {
			at := &t.spans.where[page*pageSpans+bits.TrailingZeros8(spans)]
			if *at != from {
				h.moved(bytes, from, number)
				from, bytes = *at, 0
			}
			bytes += weight
			*at = number
		}
	}
	h.moved(bytes, from, number)
}

// unsave says that what snapshots have of the table is of no use any more.
func (t *Keyed) unsave() {
	f := t.form()
	for _, at := range t.spans.where {
		if at != 0 {
			t.store.history.moved(f.spanBytes(), at, 0)
		}
	}
	t.heap.unsave()
}

// Write writes the snapshot; it may be called from any goroutine, once.
func (p *Snapshot) Write(w io.Writer) error {
	defer p.done.Store(true)
	b := newBlockWriter(w)
	defer b.release()
	b.begin(blockMeta)
	b.meta(p)
	if err := b.end(); err != nil {
		return fmt.Errorf("state: write snapshot: %w", err)
	}
	for i, t := range p.tables {
		if err := b.table(i, t); err != nil {
			return fmt.Errorf("state: write table %s: %w", t.form.Name, err)
		}
	}
	b.begin(blockEnd)
	if err := b.end(); err != nil {
		return fmt.Errorf("state: write snapshot: %w", err)
	}
	return nil
}

// Time is a named point of time that is kept with the state, or the given one while it was never set.
func (s *Store) Time(name string, unset int64) int64 {
	if t, ok := s.clock[name]; ok {
		return t
	}
	return unset
}

// SetTime sets a named point of time. Where states are joined the earliest stays.
func (s *Store) SetTime(name string, t int64) {
	if s.clock == nil {
		s.clock = map[string]int64{}
	}
	s.clock[name] = t
}
