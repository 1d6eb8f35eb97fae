package state

import (
	"fmt"
	"io"
	"sync/atomic"
)

// Snapshot is the state of a store at a moment. Freeze makes it, in the time that listing the changed pages
// takes; Write may then run beside the task, which copies the pages that it changes meanwhile.
type Snapshot struct {
	store  *Store
	full   bool
	clock  map[string]int64
	tables []tableSnapshot
	done   atomic.Bool
}

// tableSnapshot is what a snapshot holds of a table: its form, and what changed.
type tableSnapshot struct {
	form   form
	pages  []pageSnapshot
	chunks []chunkSnapshot
	table  *Keyed
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

type pageSnapshot struct {
	page, rows int
	columns    [][]byte // nil for a column without pages
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
	p := &Snapshot{store: s, full: full || !s.based, clock: map[string]int64{}}
	for name, t := range s.clock {
		p.clock[name] = t
	}
	for _, t := range s.tables {
		p.tables = append(p.tables, t.freeze(p.full))
	}
	s.frozen, s.based = p, true
	return p
}

// Full tells that the snapshot needs none before it.
func (p *Snapshot) Full() bool { return p.full }

// Abort says that the snapshot was not kept: the next one will be full. It is called by the task.
func (p *Snapshot) Abort() {
	p.done.Store(true)
	p.store.based = false
}

// reads tells that a page is still to be written.
func (p *Snapshot) reads(t *Keyed, page int32) bool {
	return p != nil && !p.done.Load() && t.reading[page]
}

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

func (t *Keyed) freeze(full bool) tableSnapshot {
	out := tableSnapshot{form: t.form(), table: t}
	pages := t.changed
	if full || !t.based {
		pages = pages[:0:0]
		for p := 0; p*PageRows < t.n; p++ {
			pages = append(pages, int32(p))
		}
		t.heap.saved = nil
	}
	t.reading = make(map[int32]bool, len(pages))
	for _, p := range pages {
		rows := min(t.n-int(p)*PageRows, PageRows)
		if rows <= 0 {
			continue
		}
		page := pageSnapshot{page: int(p), rows: rows}
		for _, c := range t.cols {
			if c.saved() {
				page.columns = append(page.columns, c.bytes(int(p), rows))
			}
		}
		out.pages = append(out.pages, page)
		t.reading[p] = true
	}
	for k, c := range t.heap.chunks {
		if k >= len(t.heap.saved) {
			t.heap.saved = append(t.heap.saved, 0)
		}
		if from := t.heap.saved[k]; from < len(c) {
			out.chunks = append(out.chunks, chunkSnapshot{k, from, c[from:]})
			t.heap.saved[k] = len(c)
		}
	}
	t.changed = t.changed[:0:0]
	t.epoch++
	t.based = true
	return out
}

// Write writes the snapshot; it may be called from any goroutine, once.
func (p *Snapshot) Write(w io.Writer) error {
	defer p.done.Store(true)
	b := newBlockWriter(w)
	b.begin(blockMeta)
	b.meta(p)
	if err := b.end(); err != nil {
		return fmt.Errorf("state: write snapshot: %w", err)
	}
	for i := range p.tables {
		if err := b.table(i, &p.tables[i]); err != nil {
			return fmt.Errorf("state: write table %s: %w", p.tables[i].form.Name, err)
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
