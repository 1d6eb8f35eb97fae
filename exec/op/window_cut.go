package op

import (
	"fmt"
	"slices"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// cut sorts the rows of a batch into slices.
type cut struct {
	time   vector.Column
	points []int64
	found  []int64
	list   []int32
}

// ends are the slice ends of the rows of a batch, by the column of their time: one of all rows where that is constant.
// Without an axis the times are ends.
func (c *cut) ends(b *vector.Batch, time int, a *axis) ([]int64, error) {
	col := b.Cols[time]
	n := b.Len
	if col.Enc == vector.Constant {
		n = 1
		c.time.Alias(col)
		c.time.Len, c.time.Enc = 1, vector.Flat
	} else {
		vector.Flatten(&c.time, col)
	}
	if c.time.Type.Kind == types.Null || c.time.Valid != nil && anyNull(&c.time) {
		return nil, fmt.Errorf("%w: the time of a window", errNullRowtime)
	}
	c.points = append(c.points[:0], vector.Values[int64](&c.time)[:n]...)
	if a != nil {
		a.slicesOf(c.points)
	}
	return c.points, nil
}

// slicesOf replaces instants by the ends of their slices. Rows mostly stay in the slice of the one before.
func (a *axis) slicesOf(t []int64) {
	if a.zone != nil {
		for i, v := range t {
			t[i] = a.sliceEnd(a.local(v))
		}
		return
	}
	start, step := int64(0), a.step
	end := start
	for i, v := range t {
		if v < start || v >= end {
			end = a.sliceEnd(v)
			start = end - step
		}
		t[i] = end
	}
}

// single tells that all rows are in one slice.
func (c *cut) single(ends []int64) bool {
	first := ends[0]
	for _, e := range ends {
		if e != first {
			return false
		}
	}
	return true
}

// distinct are the ends that occur, ascending.
func (c *cut) distinct(ends []int64) []int64 {
	c.found = append(c.found[:0], ends...)
	slices.Sort(c.found)
	c.found = slices.Compact(c.found)
	return c.found
}

// rows are the rows of a slice.
func (c *cut) rows(ends []int64, end int64) []int32 {
	c.list = c.list[:0]
	for i, e := range ends {
		if e == end {
			c.list = append(c.list, int32(i))
		}
	}
	return c.list
}

// gatherer takes what the operator reads of its input, but for its time; of partials all.
func (s *WindowAggregate) gatherer() gatherer {
	if s.Phase == Final {
		local := &LocalWindowAggregate{Keys: s.Keys, Aggs: s.Aggs}
		return gathererOf(allColumns(len(local.Types())))
	}
	return newGatherer(s.reads())
}

// reads are expressions over all that the operator reads of rows, but for its time.
func (s *WindowAggregate) reads() []expr.Expr {
	list := append([]expr.Expr{}, s.Keys...)
	for i := range s.Aggs {
		list = append(list, s.Aggs[i].Args...)
		if f := s.Aggs[i].Filter; f != nil {
			list = append(list, f)
		}
	}
	if s.Window.Kind == Assigned {
		list = append(list, timeColumn(s.Start))
	}
	return list
}

// timeColumn reads a column that holds times.
func timeColumn(at int) expr.Expr {
	return &expr.Column{Index: at, Name: "time", T: types.TimestampOf(3)}
}

// windowColumnType is the type of a window column.
func windowColumnType(c WindowColumn, zone *time.Location) types.Type {
	if c == WindowTime && zone != nil {
		return types.TimestampLTZOf(3).WithNull(false)
	}
	return types.TimestampOf(3).WithNull(false)
}
