// Package state keeps what operators remember: a store per operator and task hands out named tables of
// keyed rows, which it accounts for, snapshots and restores.
//
// It does not know operators, aggregates, watermarks, checkpoints or where snapshots are kept.
//
// Invariants (the numbers are the design's):
//
//	S1 the key group is a function of the key alone; it never shapes a table in memory.
//	S2 everything, hash slots and indexes too, lives in pages without pointers; a table grows by pages,
//	   never by one big rehash.
//	S3 a row is written only after Own, called once per batch: it marks the span of rows changed and, while a
//	   snapshot has yet to read the page, copies it first.
//	S4 access is by batch: Lookup gives group ids, then columns are read by page.
//	S5 time to live is kept here (TTL): a stamp per key, the caller's clock once per batch, and a sweep.
package state

import (
	"cmp"
	"fmt"
	"slices"
)

// Options of a store.
type Options struct {
	// Operator names the owner in errors.
	Operator string
	// Limit is the memory that the tables may take together, in bytes; 0 is no limit.
	Limit int64
}

// Store holds the tables of one operator in one task. It belongs to that task's goroutine; only the
// snapshots that Freeze makes may be read elsewhere.
type Store struct {
	options Options
	tables  []*Keyed
	gone    []*Keyed // by Drop
	bytes   int64
	err     error
	frozen  *Snapshot
	images  []*image // what was loaded and is not yet taken up
	keep    KeyGroups
	clock   map[string]int64
	ids     uint64 // tables made
	within  *Store // whose memory is this one's too
	scratch []*Store
	history history
	spare   *spare // one for a store and those within it
}

// NewStore makes an empty store.
func NewStore(o Options) *Store { return &Store{options: o, spare: &spare{}} }

// LimitError says that a store is full. Table is its largest one, of so many keys and bytes; Total is the memory of all.
type LimitError struct {
	Operator, Table           string
	Keys, Bytes, Total, Limit int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("state of %s exceeds 'state.memory-limit' of %d bytes: it takes %d, "+
		"and table %s, the largest, holds %d keys in %d bytes", e.Operator, e.Limit, e.Total, e.Table, e.Keys, e.Bytes)
}

// Err is the reason for which no more may be put into the store, or nil. Operators ask once per batch.
func (s *Store) Err() error { return s.err }

// Bytes is the memory of all tables.
func (s *Store) Bytes() int64 { return s.bytes }

// Empty tells that there is nothing to keep.
func (s *Store) Empty() bool { return len(s.tables) == 0 && len(s.clock) == 0 && len(s.images) == 0 }

// Scratch makes a store for what need not survive: its tables are in no snapshot, and their memory counts as
// that of s.
func (s *Store) Scratch() *Store {
	x := &Store{options: Options{Operator: s.options.Operator}, within: s, spare: s.spare}
	s.scratch = append(s.scratch, x)
	return x
}

// Release gives back the memory of a store made by Scratch, which is not used any more.
func (s *Store) Release() {
	s.within.grow(-s.bytes)
	s.reuse(s.tables)
	s.within.scratch = slices.DeleteFunc(s.within.scratch, func(x *Store) bool { return x == s })
}

// Usage is what one table takes.
type Usage struct {
	Table       string
	Keys, Bytes int64
}

// Usage lists the tables, those of scratch stores behind the others.
func (s *Store) Usage() []Usage {
	out := make([]Usage, len(s.tables))
	for i, t := range s.tables {
		out[i] = Usage{t.name, int64(t.Len()), t.bytes}
		if t.pairs != nil {
			out[i].Keys = int64(t.pairs.Len())
		}
	}
	for _, x := range s.scratch {
		out = append(out, x.Usage()...)
	}
	return out
}

// Drop forgets a table and its subtables.
func (s *Store) Drop(t *Keyed) {
	kept, gone := s.tables[:0], s.gone[:0]
	for _, x := range s.tables {
		if x == t || x.parent == t {
			s.grow(-x.bytes)
			x.unsave()
			gone = append(gone, x)
			continue
		}
		kept = append(kept, x)
	}
	clear(s.tables[len(kept):])
	s.tables = kept
	s.reuse(gone)
	clear(gone)
	s.gone = gone
}

// account adds memory to a table.
func (t *Keyed) account(bytes int) {
	t.bytes += int64(bytes)
	if s := t.store.grow(int64(bytes)); s != nil {
		all := append(s.Usage(), Usage{t.name, int64(t.Len()), t.bytes})
		most := slices.MaxFunc(all, func(a, b Usage) int { return cmp.Compare(a.Bytes, b.Bytes) })
		s.err = &LimitError{s.options.Operator, most.Table, most.Keys, most.Bytes, s.bytes, s.options.Limit}
	}
}

// grow adds memory to a store and those that it is within, and returns one that is full with it.
func (s *Store) grow(bytes int64) (full *Store) {
	for ; s != nil; s = s.within {
		s.bytes += bytes
		if s.options.Limit <= 0 {
			continue
		}
		if s.bytes+s.spare.bytes > s.options.Limit {
			s.spare.drain()
		}
		if s.bytes > s.options.Limit && s.err == nil {
			full = s
		}
	}
	return full
}
