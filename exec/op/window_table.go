package op

import (
	"fmt"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// New implements Spec.
func (s *WindowTable) New() Operator {
	if s.Window.Kind == Session {
		return &sessionTable{spec: s}
	}
	return &windowTable{spec: s}
}

type windowTable struct {
	spec    *WindowTable
	maxRows int
	axis    axis
	time    vector.Column
	rows    []int32
	ends    []int64
	own     []vector.Column
	kinds   []vector.RowKind
	out     vector.Batch
}

// Open implements Operator.
func (o *windowTable) Open(c *Context) error {
	o.maxRows, o.axis = c.MaxRows, newAxis(o.spec.Window, o.spec.Zone)
	return nil
}

// Process implements Operator.
func (o *windowTable) Process(_ int, b *vector.Batch, out Output) error {
	vector.Flatten(&o.time, b.Cols[o.spec.Time])
	if o.time.Valid != nil && anyNull(&o.time) {
		return fmt.Errorf("%w: the time of a window", errNullRowtime)
	}
	o.rows, o.ends = o.rows[:0], o.ends[:0]
	for i, t := range vector.Values[int64](&o.time) {
		end, last := o.axis.windows(o.axis.local(t))
		for ; end <= last; end += o.axis.step {
			o.rows, o.ends = append(o.rows, int32(i)), append(o.ends, end)
		}
	}
	for from := 0; from < len(o.rows); from += o.maxRows {
		if err := o.emit(b, from, min(from+o.maxRows, len(o.rows)), out); err != nil {
			return err
		}
	}
	return nil
}

// emit passes rows with their windows on.
func (o *windowTable) emit(b *vector.Batch, from, to int, out Output) error {
	k := len(b.Cols)
	if len(o.own) != k+3 {
		o.own, o.out.Cols = owned(k + 3)
	}
	rows, ends := o.rows[from:to], o.ends[from:to]
	for i, c := range b.Cols {
		vector.Take(&o.own[i], c, rows)
	}
	wall, instant := types.TimestampOf(3).WithNull(false), types.TimestampOf(3).WithNull(false)
	if o.spec.Zone != nil {
		instant = types.TimestampLTZOf(3).WithNull(false)
	}
	o.own[k].Reset(wall, len(rows))
	o.own[k+1].Reset(wall, len(rows))
	o.own[k+2].Reset(instant, len(rows))
	starts, stops, times := vector.Alloc[int64](&o.own[k]), vector.Alloc[int64](&o.own[k+1]), vector.Alloc[int64](&o.own[k+2])
	for i, end := range ends {
		starts[i], stops[i], times[i] = o.axis.start(end), end, o.axis.instant(end-1)
	}
	o.out.Len, o.out.Kinds = len(rows), nil
	if b.Kinds != nil {
		o.kinds = o.kinds[:0]
		for _, r := range rows {
			o.kinds = append(o.kinds, b.Kinds[r])
		}
		o.out.Kinds = o.kinds
	}
	return out.Emit(&o.out)
}

// Advance implements Operator.
func (o *windowTable) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *windowTable) Close() error { return nil }
