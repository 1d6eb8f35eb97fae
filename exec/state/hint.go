package state

import (
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// hint guesses the group of a row from one key column alone, without a hash: by the value of an integer,
// in pages of a direct index, or by a dictionary's code. Guesses are compared like candidates of the hash
// index. It pays where integer keys cluster and where dictionaries repeat; it gives itself up elsewhere.
type hint struct {
	column int // the integer key, or -1
	// settled says that there is no other column to guess by, or none better.
	settled bool
	off     bool
	base    uint64 // page number of the first page
	pages   [][]int32
	filled  int // pages
	keys    int
	free    [][]int32 // pages of zeroes that were in the directory
	swept   int       // pages that the last sweep left
	right   int       // rows found by a guess since the last judgement
	wrong   int       // rows that were in the table and not found by one

	dict  int // the key column that came coded last, or -1
	codes map[uint64][]int32
	spare *spare // where pages come from
}

const (
	hintShift = 10
	hintRows  = 1 << hintShift
	// maxHintSpan is the number of pages that the direct index may span.
	maxHintSpan = 1 << 20
	// hintSlack is the number of pages that are made before their fill counts.
	hintSlack = 64
	// maxHintDicts is the number of dictionaries that are followed.
	maxHintDicts = 16
	// maxHintCodes is the longest dictionary that is followed.
	maxHintCodes = 1 << 20
)

func (x *hint) guessWords(out []int32, words []uint64) {
	words = words[:len(out)]
	base, pages := x.base<<hintShift, x.pages
	for i, w := range words {
		d := w - base
		g := int32(-1)
		if p := d >> hintShift; p < uint64(len(pages)) {
			if page := pages[p]; len(page) == hintRows {
				g = page[d&(hintRows-1)] - 1
			}
		}
		out[i] = g
	}
}

// guess is the guess for one word.
func (x *hint) guess(w uint64) int32 {
	d := w - x.base<<hintShift
	if p := d >> hintShift; p < uint64(len(x.pages)) && len(x.pages[p]) == hintRows {
		return x.pages[p][d&(hintRows-1)] - 1
	}
	return -1
}

func guessCodes(out []int32, codes, groups []int32) {
	codes = codes[:len(out)]
	for i, c := range codes {
		out[i] = groups[c] - 1
	}
}

// codesOf are the groups by code of a dictionary, as long as it is; nil when it is too long.
func (x *hint) codesOf(d *vector.Dictionary) (groups []int32, grown int) {
	n := d.Values.Len
	if n > maxHintCodes {
		return nil, 0
	}
	groups = x.codes[d.ID]
	if len(groups) >= n {
		return groups, 0
	}
	if x.codes == nil || len(x.codes) >= maxHintDicts {
		for _, c := range x.codes {
			grown -= len(c) * 4
		}
		x.codes, groups = map[uint64][]int32{}, nil
	}
	bigger := make([]int32, n+n/2)
	copy(bigger, groups)
	x.codes[d.ID] = bigger
	return bigger, grown + (len(bigger)-len(groups))*4
}

// forget drops the guesses by code: a group will be given to another key.
func (x *hint) forget() {
	for _, c := range x.codes {
		clear(c)
	}
}

// set remembers the group of a word, where a page is allowed, and returns the bytes that this takes.
func (x *hint) set(w uint64, g int32) (grown int) {
	p := w >> hintShift
	if d := p - x.base; (d >= uint64(len(x.pages)) || len(x.pages[d]) == 0) && x.sparse() {
		if grown = -x.sweep(); x.sparse() {
			return grown
		}
	}
	if len(x.pages) == 0 {
		x.base = p
	}
	d := p - x.base
	switch {
	case d < uint64(len(x.pages)) && len(x.pages[d]) != 0:
	case d < maxHintSpan:
		grown += x.reach(int(d) + 1)
		if k := len(x.free) - 1; k >= 0 {
			x.pages[d], x.free = x.free[k], x.free[:k]
		} else {
			x.pages[d] = page[int32](x.spare, hintRows)
			grown += hintRows * 4
		}
		x.filled++
	case -d < maxHintSpan-uint64(len(x.pages)):
		more := max(int(-d), min(len(x.pages), maxHintSpan-len(x.pages)-1))
		pages := make([][]int32, more+len(x.pages))
		copy(pages[more:], x.pages)
		x.pages, x.base = pages, x.base-uint64(more)
		return grown + more*24 + x.set(w, g)
	default:
		return grown
	}
	at := &x.pages[d][w&(hintRows-1)]
	if *at == 0 {
		x.keys++
	}
	*at = g + 1
	return grown
}

// sparse tells that no page is made: those that there are hold too few.
func (x *hint) sparse() bool { return x.filled >= hintSlack && x.keys*16 < x.filled*hintRows }

// sweep takes out the pages whose values are all gone, once they may be half of all, and returns the bytes that this frees:
// the values of keys that expire come and go.
func (x *hint) sweep() (freed int) {
	if x.filled < 2*x.swept {
		return 0
	}
	for i, p := range x.pages {
		if len(p) != 0 && !kernel.Any(kernel.Over[uint64](p)) {
			x.free = append(x.free, p)
			x.pages[i] = nil
			x.filled--
		}
	}
	x.swept = max(x.filled, hintSlack/2)
	first := slices.IndexFunc(x.pages, func(p []int32) bool { return len(p) != 0 })
	switch {
	case first < 0:
		freed, x.pages = cap(x.pages)*24, nil
	case first > len(x.pages)/2:
		had := cap(x.pages)
		x.pages, x.base = slices.Clone(x.pages[first:]), x.base+uint64(first)
		freed = (had - cap(x.pages)) * 24
	}
	return freed
}

// unset forgets the guess of a word if it is this group: the keys of removed groups read as zero.
func (x *hint) unset(w uint64, g int32) {
	if d := w>>hintShift - x.base; d < uint64(len(x.pages)) && len(x.pages[d]) != 0 {
		if at := &x.pages[d][w&(hintRows-1)]; *at == g+1 {
			*at = 0
			x.keys--
		}
	}
}

// reach makes the directory n pages long.
func (x *hint) reach(n int) (grown int) {
	if n <= len(x.pages) {
		return 0
	}
	pages := append(x.pages, make([][]int32, n-len(x.pages))...)
	grown = (cap(pages) - cap(x.pages)) * 24
	x.pages = pages
	return grown
}

// crowded tells that pages for new values will soon be refused for those of values that are gone.
func (x *hint) crowded() bool { return x.filled >= hintSlack/2 }

// drop forgets all words, and returns the bytes that this frees.
func (x *hint) drop() (freed int) {
	freed = (x.filled+len(x.free))*hintRows*4 + cap(x.pages)*24
	x.pages, x.free, x.filled, x.keys, x.swept = nil, nil, 0, 0, 0
	return freed
}

// judge gives the direct index up when most of its guesses are wrong, and returns the bytes that this
// frees.
func (x *hint) judge() (freed int) {
	if x.right+x.wrong < 1<<16 {
		return 0
	}
	if x.right < x.wrong/4 {
		x.off = true
		freed = x.drop()
	}
	x.right, x.wrong = 0, 0
	return freed
}

// Scatter says that no key of the table clusters: no integer stands for a row by itself. It is called before the
// table is opened.
func (t *Keyed) Scatter() { t.hint.column, t.hint.settled = -1, true }
