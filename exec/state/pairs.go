package state

import "streamsql/exec/types"

// Pairs is a set of (group of a parent table, integer) with up to eight marks each, for integers that cluster: a
// cell holds the pairs of pairRun neighbouring integers and pairBlock neighbouring groups, by open addressing in
// slots of 16 bits. Ids of about the same age share a few pages, which stay in the processor's caches and are all
// that a snapshot of changes writes. A pair takes about five bytes.
//
// A cell is a run of rows of the table, within one page or over several whole ones; a page holds cells of one
// size. Its first pairHeader slots say whose it is, and a slot is taken when it has marks.
//
// An integer has its cell or has none for ever: once cells turn out to hold few pairs no more are made, so that
// its owner may keep the others elsewhere. Pairs are never taken out.
type Pairs struct {
	table *Keyed
	slots *Pages[uint16]
	marks *Pages[uint8] // the table's live

	dirs  []pairDirectory          // by block of groups
	free  [maxPairCode + 1][]int32 // cells by size
	open  [pageCode + 1]pairPage   // pages that are being cut
	cells int
	n     int
	shut  bool
	// lost are the pairs that found no cell when they were restored.
	lost []Pair
}

// Pair is a pair with its marks.
type Pair struct {
	Group int32
	Value int64
	Marks uint8
}

// pairDirectory finds the cells of a block of groups, by the number of their run.
type pairDirectory struct {
	base  int64 // run of the first page
	pages []*[pairDirRows]pairCell
}

// pairCell is where a cell begins, its size and how many pairs it still takes; none has the code 0.
type pairCell struct {
	at   int32
	left int32
	code uint8
}

type pairPage struct{ next, end int32 }

const (
	pairRunBits   = 6
	pairBlockBits = 16 - pairRunBits
	pairHeader    = 6
	pairDirBits   = 7
	pairDirRows   = 1 << pairDirBits
	// maxPairSpan is the number of directory pages of a block: integers further apart have no cells.
	maxPairSpan = 1 << 16
	// pairSlack is the number of cells that are made before their fill counts; leastFill is the mean that they
	// must have.
	pairSlack = 1024
	leastFill = 3
)

// Codes of sizes: 16, 32 … 2048 rows, then 2, 3, 4, 6, 8 … 48 pages. The largest takes every pair of a cell.
const (
	pageCode    = 8
	maxPairCode = 18
	freeCell    = 1 << 7
)

// pairSizes are rows by code.
var pairSizes = func() (out [maxPairCode + 1]int32) {
	for code := range int32(maxPairCode + 1) {
		switch k := code - pageCode; {
		case k <= 0:
			out[code] = 8 << code
		case k%2 == 1:
			out[code] = PageRows << (k/2 + 1)
		default:
			out[code] = 3 * PageRows << (k/2 - 1)
		}
	}
	return out
}()

// pairRoom is how many pairs a size takes.
func pairRoom(code uint8) int32 { return (pairSizes[code] - pairHeader) * 13 / 16 }

// NewPairs adds a set to a table, before it is opened. It is dropped with the table.
func NewPairs(name string, parent *Keyed) *Pairs {
	t := parent.store.Keyed(name, parent, nil)
	p := &Pairs{table: t, marks: t.live, slots: NewPages[uint16](t)}
	t.pairs = p
	return p
}

// Clusters tells the types of which integers may be pairs.
func Clusters(t types.Type) bool { return clusters(t) }

// Len is the number of pairs.
func (p *Pairs) Len() int { return p.n }

// Shut makes no cells from now on.
func (p *Pairs) Shut() { p.shut = true }

// Lost are the pairs that were restored and have no cell, for their owner to keep. They are given once.
func (p *Pairs) Lost() []Pair {
	out := p.lost
	p.lost = nil
	return out
}

// Has tells that a pair would be in a cell: its owner must not keep it elsewhere.
func (p *Pairs) Has(group int32, value int64) bool {
	c := p.find(group, value>>pairRunBits)
	return c != nil && c.code != 0
}

// Meet gives pairs the marks of want, and writes to fresh those that they did not have. Rows that have no marks
// to give are left out; those whose value is NULL or has no cell are appended to rest.
func (p *Pairs) Meet(groups []int32, values, nulls []uint64, want, fresh []uint8, rest []int32) []int32 {
	values, want, fresh = values[:len(groups)], want[:len(groups)], fresh[:len(groups)]
	for i, g := range groups {
		fresh[i] = 0
		if want[i] == 0 {
			continue
		}
		if nulls != nil && nulls[i] != 0 {
			rest = append(rest, int32(i))
			continue
		}
		run := int64(values[i]) >> pairRunBits
		c := p.find(g, run)
		if c == nil || c.code == 0 {
			if c = p.make(g, run); c == nil {
				rest = append(rest, int32(i))
				continue
			}
		}
		fresh[i] = p.meet(c, pairKey(g, int64(values[i])), want[i])
	}
	return rest
}

// Put is Meet for one pair, of which it tells whether it has a cell.
func (p *Pairs) Put(x Pair) bool {
	run := x.Value >> pairRunBits
	c := p.find(x.Group, run)
	if c == nil || c.code == 0 {
		if c = p.make(x.Group, run); c == nil {
			return false
		}
	}
	p.meet(c, pairKey(x.Group, x.Value), x.Marks)
	return true
}

func pairKey(g int32, v int64) uint16 {
	return uint16(g)<<pairRunBits | uint16(v)&(1<<pairRunBits-1)
}

// find is the place of a cell, or nil where the directory has none.
func (p *Pairs) find(g int32, run int64) *pairCell {
	b := int(g >> pairBlockBits)
	if b >= len(p.dirs) {
		return nil
	}
	d := &p.dirs[b]
	r := uint64(run - d.base)
	if at := r >> pairDirBits; at < uint64(len(d.pages)) && d.pages[at] != nil {
		return &d.pages[at][r&(pairDirRows-1)]
	}
	return nil
}

// meet marks the pair of a cell, and returns the marks that are new.
func (p *Pairs) meet(c *pairCell, key uint16, want uint8) (fresh uint8) {
	slots, marks := p.slots.pages, p.marks.pages
	at, end := p.home(c, key)
	for {
		page, k := at>>PageShift, at&PageMask
		m := marks[page][k]
		if m == 0 {
			break
		}
		if slots[page][k] == key {
			if fresh = want &^ m; fresh != 0 {
				p.table.OwnOne(at)
				p.marks.pages[page][k] |= fresh
			}
			return fresh
		}
		if at++; at == end {
			at = c.at + pairHeader
		}
	}
	if c.left == 0 {
		p.grow(c)
		at = p.gap(c, key)
	}
	p.table.OwnOne(at)
	p.slots.Set(at, key)
	p.marks.Set(at, want)
	c.left--
	p.n++
	p.table.spare--
	return want
}

// home is the row at which the search for a key begins, and the one before which it turns round.
func (p *Pairs) home(c *pairCell, key uint16) (at, end int32) {
	size := pairSizes[c.code]
	h := uint64(uint32(key) * 0x9e3779b1)
	return c.at + pairHeader + int32(h*uint64(size-pairHeader)>>32), c.at + size
}

// gap is the free slot for a key that the cell does not have.
func (p *Pairs) gap(c *pairCell, key uint16) int32 {
	at, end := p.home(c, key)
	for p.marks.At(at) != 0 {
		if at++; at == end {
			at = c.at + pairHeader
		}
	}
	return at
}
