package render

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"streamsql/exec/op"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// folded keeps the rows that a changelog adds up to, each in the place where it came first, and shows them in a format at the
// end.
type folded struct {
	show  Format
	key   []int
	limit int64
	cols  []Column
	view  *op.View
}

// memoryShare is the part of the program's memory that a result may take, if nothing else is set: one in so many.
const memoryShare = 2

func newFolded(show Format, o Options) *folded {
	f := &folded{show: show, key: o.Key, limit: o.StateLimit}
	if all := debug.SetMemoryLimit(-1); f.limit == 0 && all < math.MaxInt64 {
		f.limit = all / memoryShare
	}
	return f
}

func (f *folded) Begin(cols []Column) error {
	list := make([]types.Type, len(cols))
	for i, c := range cols {
		list[i] = c.Type
	}
	f.cols, f.view = cols, op.NewView(list, f.key, math.MaxInt32, f.limit)
	return nil
}

// Take implements Taker.
func (f *folded) Take(b *vector.Batch) error {
	err := f.view.Take(b)
	if full := (*state.LimitError)(nil); errors.As(err, &full) {
		return fmt.Errorf("the table takes more than %d MiB at %d rows, which may still change: SET 'state.memory-limit' gives it more, "+
			"--limit ends the query before, and --format ndjson or changelog keeps no rows", full.Limit>>20, f.view.Len())
	}
	return err
}

// Row implements Format.
func (f *folded) Row(b *vector.Batch, i int) error {
	one := &vector.Batch{Len: 1, Cols: make([]*vector.Column, len(b.Cols)), Kinds: []vector.RowKind{b.Kind(i)}}
	for k, c := range b.Cols {
		one.Cols[k] = &vector.Column{}
		vector.Slice(one.Cols[k], c, i, 1)
	}
	return f.Take(one)
}

// Flush implements Format: nothing is shown before the end.
func (f *folded) Flush() error { return nil }

// shownRows are how many rows are shown at once.
const shownRows = 1024

func (f *folded) End() error {
	if err := f.show.Begin(f.cols); err != nil {
		return err
	}
	err := f.view.Each(shownRows, func(b *vector.Batch) error {
		for i := range b.Len {
			if err := f.show.Row(b, i); err != nil {
				return err
			}
		}
		return f.show.Flush()
	})
	if err != nil {
		return err
	}
	return f.show.End()
}
