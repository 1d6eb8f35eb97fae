package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// firsts knows the first value, in an order, of each part of windows that are not over.
type firsts struct {
	key   SortKey
	at    int // the column of the window's time
	parts *state.Keyed
	ev    *expr.Evaluator
	// word is the first value so far, as a word that is the greater the earlier a value stands; level is above it: of no
	// value yet, of NULLs behind the others, of values, of NULLs before them.
	word   *state.Pages[uint64]
	level  *state.Pages[uint8]
	timers *state.Timers
	time   types.EventTime

	value  vector.Column
	words  []uint64
	levels []uint8
	one    bool // all rows of the batch are in one part
	of     []int32
	raised []int32 // parts that got an earlier first value
	sel    []int32
	due    []int64
	late   int64
}

const (
	noLevel = iota
	nullLastLevel
	valueLevel
	nullFirstLevel
)

// open declares the table.
func (f *firsts) open(c *Context, store *state.Store, partition []expr.Expr, order SortKey, time int) (err error) {
	f.key, f.at = order, time
	if f.ev, err = expr.New(append(append([]expr.Expr(nil), partition...), order.Expr), c.Env); err != nil {
		return err
	}
	keys := make([]types.Type, len(partition))
	for i, e := range partition {
		keys[i] = e.Type()
	}
	f.parts = store.Keyed("partitions", nil, keys)
	f.word, f.level = state.NewPages[uint64](f.parts), state.NewPages[uint8](f.parts)
	f.timers = state.NewTimers(f.parts, 1)
	return nil
}

// group is the part of a row of the batch.
func (f *firsts) group(r int32) int32 {
	if f.one {
		return f.of[0]
	}
	return f.of[r]
}

// choose takes the first values of a batch's parts, and lists its rows that have them, ascending: no other is first.
// The parts that got an earlier one are raised. The list is lent until the next call.
func (f *firsts) choose(b *vector.Batch) ([]int32, error) {
	f.sel, f.raised = f.sel[:0], f.raised[:0]
	if f.over(b) {
		return nil, nil
	}
	cols, err := f.ev.Eval(b.Cols, b.Len)
	if err != nil {
		return nil, err
	}
	keys := cols[:len(cols)-1]
	n := b.Len
	if f.one = constants(keys) && b.Cols[f.at].Enc == vector.Constant; f.one {
		n = 1
	}
	f.of = append(f.of[:0], f.parts.Lookup(keys, n)...)
	f.parts.Own(f.of)
	f.arm(b)
	f.load(cols[len(cols)-1], b.Len)
	switch late := int64(f.time); {
	case f.one && f.levels == nil && f.level.At(f.of[0]) <= valueLevel:
		f.ofOne(f.of[0])
	case b.Cols[f.at].Enc == vector.Constant:
		f.ofMany(b.Len, func(int) bool { return true })
	default:
		times := b.Cols[f.at]
		f.ofMany(b.Len, func(i int) bool { return vector.Value[int64](times, i) > late })
	}
	return f.sel, nil
}

// over tells that all rows are of windows that are over, and counts those that are.
func (f *firsts) over(b *vector.Batch) bool {
	times := b.Cols[f.at]
	n := b.Len
	if times.Enc == vector.Constant {
		n = 1
	}
	late := 0
	for i := range n {
		if vector.Value[int64](times, i) <= int64(f.time) {
			late++
		}
	}
	if n < b.Len {
		late *= b.Len
	}
	f.late += int64(late)
	return late == b.Len
}

// constants tells that all columns are.
func constants(cols []*vector.Column) bool {
	for _, c := range cols {
		if c.Enc != vector.Constant {
			return false
		}
	}
	return true
}

// arm sets the timers of new parts.
func (f *firsts) arm(b *vector.Batch) {
	if len(f.parts.Fresh()) == 0 {
		return
	}
	f.due = f.due[:0]
	for i := range f.of {
		f.due = append(f.due, vector.Value[int64](b.Cols[f.at], i))
	}
	f.timers.Set(f.of, f.due)
}

// load makes the words of n rows, and their levels where there are NULLs.
func (f *firsts) load(c *vector.Column, n int) {
	vector.Flatten(&f.value, c)
	f.words = sized(f.words, n)
	wordsOf(f.words, &f.value)
	if !f.key.Desc {
		for i, w := range f.words {
			f.words[i] = ^w
		}
	}
	if f.levels = f.levels[:0]; f.value.Valid == nil {
		f.levels = nil
		return
	}
	null := uint8(nullFirstLevel)
	if f.key.NullsLast {
		null = nullLastLevel
	}
	for i := range f.words {
		if kernel.Bit(f.value.Valid, i) {
			f.levels = append(f.levels, valueLevel)
			continue
		}
		f.words[i] = 0
		f.levels = append(f.levels, null)
	}
}

// ofOne chooses where all rows are of one part, and values.
func (f *firsts) ofOne(g int32) {
	most, first := f.word.At(g), f.level.At(g) < valueLevel
	if first {
		most = 0
	}
	was := most
	for _, w := range f.words {
		most = max(most, w)
	}
	if first || most > was {
		f.word.Set(g, most)
		f.level.Set(g, valueLevel)
		f.raised = append(f.raised, g)
	}
	for i, w := range f.words {
		if w == most {
			f.sel = append(f.sel, int32(i))
		}
	}
}

// ofMany chooses of the rows that count.
func (f *firsts) ofMany(n int, counts func(i int) bool) {
	level := uint8(valueLevel)
	for i := range n {
		if f.levels != nil {
			level = f.levels[i]
		}
		g, w := f.group(int32(i)), f.words[i]
		l := f.level.At(g)
		if l > level || l == level && f.word.At(g) >= w || !counts(i) {
			continue
		}
		f.word.Set(g, w)
		f.level.Set(g, level)
		f.raised = append(f.raised, g)
	}
	for i := range n {
		if f.levels != nil {
			level = f.levels[i]
		}
		if g := f.group(int32(i)); f.level.At(g) == level && f.word.At(g) == f.words[i] && counts(i) {
			f.sel = append(f.sel, int32(i))
		}
	}
}

// pass lists the parts of the windows that time t closes, the earliest first.
func (f *firsts) pass(t types.EventTime) []int32 {
	f.time = t
	return f.timers.Due(int64(t))
}

// forget removes parts that pass listed.
func (f *firsts) forget(due []int32) {
	f.timers.Stop(due)
	f.parts.Remove(due)
	f.parts.Compact()
}
