package op

import (
	"fmt"
	"math"
	"sync"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// LookupTable is a table that rows are looked up in: a bounded source, read whole by the first operator that opens
// it, and the same for all that come after. The rows do not change from then on.
type LookupTable struct {
	// Name is the table's name.
	Name   string
	Source connector.Source
	// Steps are done with the rows that are read.
	Steps []*Calc
	// Keys, over the columns behind the steps, are what rows are found by. KeyTypes are the types that the values
	// compared with them have in common.
	Keys     []expr.Expr
	KeyTypes []types.Type
	// Types are those of the columns behind the steps.
	Types []types.Type
	// Padded adds a row of NULLs, for those who find nothing.
	Padded bool

	mu   sync.Mutex
	rows *lookupRows
}

// lookupRows are the rows of a table by their keys: those of key k are first[k] up to first[k+1].
type lookupRows struct {
	columns []*vector.Dictionary
	first   []int32
	// single says that every key has one row, so that its number is the row's.
	single bool
	// absent is the row of NULLs.
	absent int32

	// Integer keys that are dense have a place each, from least on; others are found by hash.
	dense []int32 // the key plus one
	least int64
	slots []uint64 // the upper half of a hash, then the key plus one
	keys  *vector.Keys
}

// load reads the table, unless it has been read.
func (t *LookupTable) load(c *Context) (*lookupRows, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows != nil {
		return t.rows, nil
	}
	rows, err := t.read(c)
	if err != nil {
		return nil, fmt.Errorf("table '%s': read it for looking up: %w", t.Name, err)
	}
	t.rows = rows
	return rows, nil
}

// read takes the rows of the source, those with a key, and puts them in order.
func (t *LookupTable) read(c *Context) (*lookupRows, error) {
	l := &tableLoader{keys: make([]*vector.Builder, len(t.Keys)), columns: make([]*vector.Builder, len(t.Types))}
	for i, k := range t.Keys {
		l.keys[i] = vector.NewBuilder(k.Type())
	}
	for i, k := range t.Types {
		l.columns[i] = vector.NewBuilder(k)
	}
	var err error
	if l.eval, err = expr.New(t.Keys, c.Env); err != nil {
		return nil, err
	}
	var out Output = l
	for i := len(t.Steps) - 1; i >= 0; i-- {
		s := &loaderStep{Operator: t.Steps[i].New(), out: out}
		if err := s.Open(c); err != nil {
			return nil, err
		}
		out = s
	}
	at := &connector.Context{Parallelism: 1, MaxRows: c.MaxRows, Env: c.Env}
	if err := connector.ReadAll(at, t.Source, out.Emit); err != nil {
		return nil, err
	}
	return l.finish(t)
}

// loaderStep passes what an operator makes to the next one.
type loaderStep struct {
	Operator
	out Output
}

// Emit implements Output.
func (s *loaderStep) Emit(b *vector.Batch) error { return s.Process(0, b, s.out) }

// Advance implements Output: rows that are looked up have no event time.
func (s *loaderStep) Advance(types.EventTime) error { return nil }

// tableLoader collects the rows that have a key.
type tableLoader struct {
	eval          *expr.Evaluator
	keys, columns []*vector.Builder
	n             int
}

// Emit implements Output.
func (l *tableLoader) Emit(b *vector.Batch) error {
	keys, err := l.eval.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	if l.n+b.Len >= math.MaxInt32 {
		return fmt.Errorf("more than %d rows", math.MaxInt32)
	}
rows:
	for r := range b.Len {
		for _, k := range keys {
			if k.Null(r) {
				continue rows
			}
		}
		for i, k := range keys {
			l.keys[i].AppendValue(k, r)
		}
		for i, c := range l.columns {
			c.AppendValue(b.Cols[i], r)
		}
		l.n++
	}
	return nil
}

// Advance implements Output.
func (l *tableLoader) Advance(types.EventTime) error { return nil }

// finish numbers the keys and puts rows of one key side by side, in the order in which they came.
func (l *tableLoader) finish(t *LookupTable) (*lookupRows, error) {
	x := &lookupRows{keys: vector.NewKeys(t.KeyTypes), absent: int32(l.n)}
	cols := make([]*vector.Column, len(l.keys))
	for i, b := range l.keys {
		cols[i] = &vector.Column{}
		b.Finish(cols[i])
	}
	x.keys.Load(cols, l.n)
	of, order := x.number(l.n)
	x.single = len(order) == l.n
	x.first = make([]int32, len(order)+1)
	for _, k := range of {
		x.first[k+1]++
	}
	for k := range order {
		x.first[k+1] += x.first[k]
	}
	rows, next := make([]int32, l.n, l.n+1), append([]int32(nil), x.first...)
	for r, k := range of {
		rows[next[k]] = int32(r)
		next[k]++
	}
	if t.Padded {
		rows = append(rows, int32(l.n))
	}
	for _, b := range l.columns {
		if t.Padded {
			b.AppendNull()
		}
		all, sorted := &vector.Column{}, &vector.Column{}
		if b.Finish(all); len(rows) > 0 {
			vector.Take(sorted, all, rows)
		} else {
			sorted = all
		}
		x.columns = append(x.columns, vector.FixedDictionary(sorted))
	}
	x.index(t.KeyTypes, cols, order)
	return x, nil
}

// number gives each row the number of its key; order is the first row of each key.
func (x *lookupRows) number(n int) (of, order []int32) {
	x.slots = make([]uint64, slotsFor(n))
	hashes := make([]uint64, n)
	x.keys.Hash(hashes)
	mask := uint64(len(x.slots) - 1)
	of = make([]int32, n)
	for r, h := range hashes {
		at := h & mask
		for {
			e := x.slots[at]
			if e == 0 {
				order = append(order, int32(r))
				x.slots[at] = h>>32<<32 | uint64(len(order))
				of[r] = int32(len(order) - 1)
				break
			}
			if k := int32(uint32(e)) - 1; e>>32 == h>>32 && sameKey(x.keys, int32(r), x.keys, order[k]) {
				of[r] = k
				break
			}
			at = (at + 1) & mask
		}
	}
	return of, order
}

// slotsFor is the size of a hash index of n keys: a power of two, at most half full.
func slotsFor(n int) int {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return size
}

// sameKey compares row i of one set of keys with row k of another one.
func sameKey(a *vector.Keys, i int32, b *vector.Keys, k int32) bool {
	for c := range a.Cols {
		x, y := a.Column(c), b.Column(c)
		switch {
		case x.Text:
			if !kernel.EqualView(&x.Views[i], &y.Views[k], x.Bufs, y.Bufs) {
				return false
			}
		case x.Words[i] != y.Words[k], x.Wide && x.High[i] != y.High[k]:
			return false
		}
	}
	return true
}

// index chooses how keys are found, and leaves of them what that needs: one of each.
func (x *lookupRows) index(list []types.Type, cols []*vector.Column, order []int32) {
	if len(list) == 1 && (list[0].Kind.IsInteger() || list[0].Kind.IsTemporal()) && x.denseIndex(order) {
		x.keys, x.slots = nil, nil
		return
	}
	if len(order) == 0 {
		return
	}
	kept := make([]*vector.Column, len(cols))
	for i, c := range cols {
		kept[i] = &vector.Column{}
		vector.Take(kept[i], c, order)
	}
	x.keys.Load(kept, len(order))
	for i := range kept { // from now on several subtasks read them at once
		x.keys.Column(i)
	}
}

// sparse is how many places a dense index may have per key.
const sparse = 4

func (x *lookupRows) denseIndex(order []int32) bool {
	words := x.keys.Column(0).Words
	least, greatest := int64(math.MaxInt64), int64(math.MinInt64)
	for _, r := range order {
		w := int64(words[r])
		least, greatest = min(least, w), max(greatest, w)
	}
	places := uint64(greatest) - uint64(least)
	if len(order) == 0 || places >= uint64(sparse*len(order)+firstPlaces) {
		return false
	}
	x.least, x.dense = least, make([]int32, places+1)
	for k, r := range order {
		x.dense[uint64(words[r])-uint64(least)] = int32(k) + 1
	}
	return true
}

// firstPlaces are those that a dense index may have for nothing.
const firstPlaces = 1024

// find writes the number of each row's key, or -1 where the table has no such row or the key is NULL.
func (x *lookupRows) find(out []int32, keys *vector.Keys, hashes []uint64) {
	if x.dense != nil {
		words := keys.Column(0).Words[:len(out)]
		for i, w := range words {
			k := int32(0)
			if at := w - uint64(x.least); at < uint64(len(x.dense)) {
				k = x.dense[at]
			}
			out[i] = k - 1
		}
	} else {
		keys.Hash(hashes)
		mask := uint64(len(x.slots) - 1)
		for i := range out {
			out[i] = x.probe(keys, int32(i), hashes[i], mask)
		}
	}
	if keys.Nulls != nil {
		for i, nulls := range keys.Nulls {
			if nulls != 0 {
				out[i] = -1
			}
		}
	}
}

func (x *lookupRows) probe(keys *vector.Keys, row int32, h, mask uint64) int32 {
	for at := h & mask; ; at = (at + 1) & mask {
		e := x.slots[at]
		if e == 0 {
			return -1
		}
		if k := int32(uint32(e)) - 1; e>>32 == h>>32 && sameKey(keys, row, x.keys, k) {
			return k
		}
	}
}
