package logical

import (
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// JoinInterval is how far the times of a pair may be apart: Low <= left - right <= High, where Times are the columns of either
// side: event times, or, with Proctime, those of the clock.
type JoinInterval struct {
	Times     [2]int
	Low, High time.Duration
	Proctime  bool
}

// Interval finds the interval of an interval join, whose condition bounds the event times of the two sides by each
// other, below and above, or when their rows come.
func (j *Join) Interval() (JoinInterval, bool) {
	type bounds struct{ low, high *time.Duration }
	found := map[[2]int]bounds{}
	var order [][2]int
	put := func(low, high expr.Expr, apart time.Duration) {
		low, less := Offset(low)
		high, more := Offset(high)
		at, leftLow, ok := j.times(low, high)
		if !ok {
			return
		}
		b, seen := found[at]
		if !seen {
			order = append(order, at)
		}
		if d := more - less - apart; leftLow && (b.high == nil || *b.high > d) { // left + less <= right + more
			b.high = &d
		} else if d = -d; !leftLow && (b.low == nil || *b.low < d) {
			b.low = &d
		}
		found[at] = b
	}
	for _, e := range j.Conds() {
		call, ok := e.(*expr.Call)
		if !ok || len(call.List) != 2 {
			continue
		}
		switch a, b := call.List[0], call.List[1]; call.Fn.Name {
		case "<", "<=":
			put(a, b, Apart(call))
		case ">", ">=":
			put(b, a, Apart(call))
		case "=":
			put(a, b, 0)
			put(b, a, 0)
		}
	}
	for _, at := range order {
		if b := found[at]; b.low != nil && b.high != nil {
			return JoinInterval{at, *b.low, *b.high, j.Left.Schema()[at[0]].Time == Proctime}, true
		}
	}
	return JoinInterval{}, false
}

// times are the time attributes that two expressions are, one of each side; leftLow tells that low is that of the left.
func (j *Join) times(low, high expr.Expr) (at [2]int, leftLow, ok bool) {
	a, plain := low.(*expr.Column)
	b, also := high.(*expr.Column)
	if !plain || !also {
		return at, false, false
	}
	left, right, n := j.Left.Schema(), j.Right.Schema(), len(j.Left.Schema())
	leftLow = a.Index < n
	if leftLow == (b.Index < n) {
		return at, false, false
	}
	at = [2]int{min(a.Index, b.Index), max(a.Index, b.Index) - n}
	l, r := left[at[0]], right[at[1]]
	ok = l.Time != NoTime && l.Time == r.Time && l.Type.Kind == r.Type.Kind && l.Type.Precision <= 3 && r.Type.Precision <= 3
	return at, leftLow, ok
}

// Once tells that a join of inputs with these changes is an interval join that gives every row once: a row without a
// partner when it can find none any more.
func (j *Join) Once(in []Changes) bool {
	_, ok := j.Interval()
	return ok && !j.AtEnd && in[0].Stays && in[1].Stays
}

// KeepTimes makes the event times of an interval join event times of its result, but for those that it pads.
func (j *Join) KeepTimes() {
	i, ok := j.Interval()
	if !ok || i.Proctime || j.AtEnd || Retracts(j.Left) || Retracts(j.Right) {
		return
	}
	if !j.Kind.Pads(0) {
		j.Columns[i.Times[0]].Time = Rowtime
	}
	if at := len(j.Left.Schema()) + i.Times[1]; at < len(j.Columns) && !j.Kind.Pads(1) {
		j.Columns[at].Time = Rowtime
	}
}

// Until are the bounds of the time at which the rows of either side may still find partners.
func (i JoinInterval) Until(j *Join) (out [2][]op.Until) {
	for side, in := range j.Inputs() {
		c := in.Schema()[i.Times[side]]
		by := -i.Low
		if side == 1 {
			by = i.High
		}
		out[side] = []op.Until{{Time: &expr.Column{Index: i.Times[side], Name: c.Name, T: c.Type}, Delay: by, By: i.Times[1-side]}}
	}
	return out
}

// Delay is by how much the watermark is ahead of the times of rows that may still be given.
func (i JoinInterval) Delay() time.Duration { return max(0, -i.Low, i.High) }

// Apart is by how much the times that a comparison lets through differ at least: they are whole milliseconds.
func Apart(call *expr.Call) time.Duration {
	if call.Fn.Name == "<" || call.Fn.Name == ">" {
		return time.Millisecond
	}
	return 0
}

// Offset takes an interval off a sum: of t - INTERVAL '1' SECOND it leaves t and -1 s.
func Offset(e expr.Expr) (expr.Expr, time.Duration) {
	call, ok := e.(*expr.Call)
	if !ok || len(call.List) != 2 || call.Fn.Name != "+" && call.Fn.Name != "-" {
		return e, 0
	}
	k, ok := call.List[1].(*expr.Const)
	if !ok || k.T.Kind != types.IntervalDay || k.Value.IsConstNull() {
		return e, 0
	}
	by := time.Duration(vector.Value[int64](k.Value, 0)) * time.Millisecond
	if call.Fn.Name == "-" {
		by = -by
	}
	return call.List[0], by
}
