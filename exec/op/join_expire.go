package op

import (
	"math"
	"strconv"
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Until is an event time behind which a row of a join finds no partner any more: a row is over once the watermark has
// passed Time + Delay. One whose Time is NULL has no partners.
type Until struct {
	// Time is over the columns of the row's input: a timestamp of at most 3 digits.
	Time  expr.Expr
	Delay time.Duration // of whole milliseconds
}

// String is the sum.
func (u Until) String() string {
	switch {
	case u.Delay > 0:
		return u.Time.String() + " + " + u.Delay.String()
	case u.Delay < 0:
		return u.Time.String() + " - " + (-u.Delay).String()
	}
	return u.Time.String()
}

// UntilText lists bounds as EXPLAIN shows them.
func UntilText(list []Until) string {
	parts := make([]string, len(list))
	for i, u := range list {
		parts[i] = u.String()
	}
	return strings.Join(parts, ", ")
}

// deadlineWidth is how much longer than it must a row may stay, in milliseconds.
const deadlineWidth = 128

// joinExpiry forgets the rows of a side that the watermark has passed. There must be no other way for them to go.
type joinExpiry struct {
	side  *joinSide
	until []Until
	exprs *expr.Evaluator
	due   *state.Deadlines
	flat  vector.Column
	times []int64
	gone  []int32
}

// openExpiry prepares the sides whose rows the spec has bounds for.
func (o *join) openExpiry(c *Context) error {
	for side, list := range o.spec.Until {
		if len(list) == 0 {
			continue
		}
		x := &joinExpiry{side: o.sides[side], until: list, due: state.NewDeadlines(deadlineWidth)}
		exprs := make([]expr.Expr, len(list))
		for i, u := range list {
			exprs[i] = u.Time
		}
		var err error
		if x.exprs, err = expr.New(exprs, c.Env); err != nil {
			return err
		}
		x.side.rows.OnRestore(func() { x.restored(expr.Columns(exprs...), c.MaxRows) })
		o.expiry[side] = x
	}
	return nil
}

// add queues rows that came, of which cols are the columns.
func (x *joinExpiry) add(rows []int32, cols []*vector.Column) error {
	times, err := x.exprs.Eval(cols, len(rows))
	if err != nil {
		return err
	}
	x.times = x.times[:0]
	for range rows {
		x.times = append(x.times, math.MaxInt64)
	}
	for i, c := range times {
		vector.Flatten(&x.flat, c)
		delay := x.until[i].Delay.Milliseconds()
		for k, t := range vector.Values[int64](&x.flat) {
			x.times[k] = min(x.times[k], t+delay)
		}
		if x.flat.Valid == nil {
			continue
		}
		for k := range rows {
			if x.flat.Null(k) {
				x.times[k] = math.MinInt64
			}
		}
	}
	x.due.Add(rows, x.times)
	return nil
}

// restored queues the rows that a snapshot had. used are the columns that the bounds read.
func (x *joinExpiry) restored(used []int, maxRows int) {
	own, cols := owned(len(x.side.types))
	for rows := x.side.rows.Groups(nil); len(rows) > 0; {
		n := min(len(rows), maxRows)
		x.side.unpack(rows[:n])
		for _, i := range used {
			x.side.column(&own[i], i, rows[:n])
		}
		if err := x.add(rows[:n], cols); err != nil {
			panic("op: bounds of a join may not fail: " + strconv.Quote(err.Error()))
		}
		rows = rows[n:]
	}
}

// behind is the watermark of what is given at one of the inputs.
func (o *join) behind(t types.EventTime) types.EventTime {
	by := types.EventTime(o.spec.Delay.Milliseconds() + deadlineWidth)
	if !o.spec.Once || t == types.MaxTime {
		return t
	}
	return max(t, types.MinTime+by) - by
}

// expire forgets the rows that are over at a watermark. Those that found no partner are given now, where the join
// gives rows once.
func (o *join) expire(t types.EventTime) error {
	o.empty = o.empty[:0]
	some := false
	for side, x := range o.expiry {
		if x == nil {
			continue
		}
		if x.gone = x.due.Due(int64(t), x.gone[:0]); len(x.gone) > 0 {
			if err := o.lone(side, x.gone); err != nil {
				return err
			}
			o.forget(side, x.gone)
			some = true
		}
	}
	if some {
		o.tidy()
	}
	return nil
}

// lone gives those of the rows of a side that found no partner, where they were not given before.
func (o *join) lone(side int, rows []int32) error {
	if s := o.spec; !s.Once || !s.Kind.Keeps(side) && (s.Kind != AntiJoin || side != 0) {
		return nil
	}
	o.sel = o.sel[:0]
	for _, v := range rows {
		if o.sides[side].partners.At(v) == 0 {
			o.sel = append(o.sel, v)
		}
	}
	return o.emit.stored(vector.Insert, side, o.sel)
}
