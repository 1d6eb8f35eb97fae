package function

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// reader gives its result of columns that the accumulator of another call over the same rows keeps: it has nothing of
// its own to add, to merge or to forget.
type reader struct{ Accumulator }

// Update implements Accumulator.
func (reader) Update([]int32, []*vector.Column, []uint64) {}

// Retract implements Accumulator.
func (reader) Retract([]int32, []*vector.Column, []uint64) {}

// Merge implements Accumulator.
func (reader) Merge([]int32, []*vector.Column) {}

// Partial implements Accumulator.
func (reader) Partial([]int32, []*vector.Column) {}

// PartialTypes implements Accumulator.
func (reader) PartialTypes() []types.Type { return nil }

// Clear implements Accumulator.
func (reader) Clear([]int32) {}
