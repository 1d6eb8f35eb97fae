package state

import (
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// spare keeps the pages of dropped tables for those that come: a window that ends gives its pages to the next, and the
// collector has nothing to do. Texts are not kept: who was lent one may tell it by where it stands.
type spare struct {
	sizes map[int]*sparePages // by the words of a page
	bytes int64
	// scratch is what calls of the tables worked in, the oldest first.
	scratch []spareScratch
}

// scratch is memory that calls of a table work in, and lend their results in.
type scratch struct {
	keys                      *vector.Keys
	groups, rows, rest, fresh []int32
	hashes                    []uint64
	stored                    storedKeys
}

type spareScratch struct {
	types []types.Type
	scratch
}

type sparePages struct {
	pages [][]uint64
	least int // of pages there since a table was dropped last
}

// spareAge is what part of the pages that no table took between two drops are given up: a peak does not stay.
const spareAge = 4

// spareTables is how many tables' scratch is kept.
const spareTables = 16

// take is a page of zeroes, or nil.
func (s *spare) take(words int) []uint64 {
	x := s.sizes[words]
	if x == nil || len(x.pages) == 0 {
		return nil
	}
	last := len(x.pages) - 1
	p := x.pages[last]
	x.pages[last], x.pages = nil, x.pages[:last]
	x.least = min(x.least, last)
	s.bytes -= int64(words) * 8
	clear(p)
	return p
}

// put takes a page that nobody reads any more.
func (s *spare) put(page []uint64) {
	if len(page) == 0 {
		return
	}
	x := s.sizes[len(page)]
	if x == nil {
		if s.sizes == nil {
			s.sizes = map[int]*sparePages{}
		}
		x = &sparePages{}
		s.sizes[len(page)] = x
	}
	x.pages = append(x.pages, page)
	s.bytes += int64(len(page)) * 8
}

// age gives up some of what was not used since the last call.
func (s *spare) age() {
	for words, x := range s.sizes {
		n := (x.least + spareAge - 1) / spareAge
		kept := copy(x.pages, x.pages[n:])
		clear(x.pages[kept:])
		x.pages = x.pages[:kept]
		s.bytes -= int64(n) * int64(words) * 8
	}
}

// settle begins the time that age looks back on.
func (s *spare) settle() {
	for _, x := range s.sizes {
		x.least = len(x.pages)
	}
}

// drain gives all up.
func (s *spare) drain() { *s = spare{} }

// scratchFor is scratch for a table with keys of the given types.
func (s *spare) scratchFor(list []types.Type) scratch {
	for i := range s.scratch {
		if x := s.scratch[i]; slices.EqualFunc(x.types, list, types.Type.Equal) {
			s.scratch = slices.Delete(s.scratch, i, i+1)
			return x.scratch
		}
	}
	return scratch{keys: vector.NewKeys(list)}
}

// putScratch takes a table's.
func (s *spare) putScratch(t *Keyed) {
	if len(s.scratch) == spareTables {
		s.scratch = slices.Delete(s.scratch, 0, 1)
	}
	s.scratch = append(s.scratch, spareScratch{t.types, t.scratch})
	t.scratch = scratch{}
}

// reuse gives the pages of tables that are not used any more to the tables to come, unless a snapshot may read them.
func (s *Store) reuse(tables []*Keyed) {
	if s.frozen != nil && !s.frozen.done.Load() {
		return
	}
	x := s.spare
	x.age()
	for _, t := range tables {
		for _, c := range t.cols {
			c.give(x)
		}
		for i := range t.index.buckets {
			x.put(t.index.buckets[i].slots)
		}
		for _, p := range slices.Concat(t.hint.pages, t.hint.free) {
			x.put(kernel.Over[uint64](p))
		}
		t.index, t.hint.pages, t.hint.free = hashIndex{}, nil, nil
		x.putScratch(t)
	}
	x.settle()
}

// page is one of n zeroes, of which T has a part or all of a word.
func page[T any](s *spare, n int) []T {
	if p := s.take(n * width[T]() / 8); p != nil {
		return kernel.Over[T](p)
	}
	return fresh[T](n)
}

// width is the bytes of a T.
func width[T any]() int {
	var z [1]T
	return len(kernel.Bytes(z[:]))
}
