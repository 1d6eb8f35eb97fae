package function

import (
	"fmt"
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// binder is the Bind of a declaration.
type binder = func(b Binding) (Kernel, error)

// temporalOperator types and binds an operator of arithmetic when an argument is a date, a time, a
// timestamp or an interval: time ± interval, interval + time, interval ± interval, interval times or over
// a number.
func temporalOperator(op string, args []Arg) (Signature, binder, bool) {
	if len(args) != 2 {
		return Signature{}, nil, false
	}
	a, b := args[0].Type, args[1].Type
	switch op {
	case "+", "-":
		return temporalSum(op, args, a, b)
	case "*":
		if b.Kind.IsInterval() && !a.Kind.IsInterval() {
			return intervalProduct(1, b, a)
		}
		return intervalProduct(0, a, b)
	case "/":
		if a.Kind.IsInterval() && b.Kind.IsNumeric() {
			n := types.Of(types.Double).WithNull(b.Nullable())
			sig := Signature{Args: []types.Type{a, n}, Result: a.WithNull(a.Nullable() || b.Nullable())}
			return sig, func(Binding) (Kernel, error) { return scaleInterval(0, true), nil }, true
		}
	}
	return Signature{}, nil, false
}

func temporalSum(op string, args []Arg, a, b types.Type) (Signature, binder, bool) {
	none := Signature{}
	nullable := a.Nullable() || b.Nullable()
	sign := int64(1)
	if op == "-" {
		sign = -1
	}
	switch {
	case a.Kind == types.Null && (b.Kind.IsInterval() || b.Kind.IsTemporal() && op == "+"):
		a = temporalOr(a, intervalFor(b))
	case b.Kind == types.Null && (a.Kind.IsInterval() || a.Kind.IsTemporal()):
		b = temporalOr(b, intervalFor(a))
	}
	switch {
	case a.Kind.IsInterval() && a.Kind == b.Kind:
		sig := Signature{Args: []types.Type{a, b}, Result: a.WithNull(nullable)}
		return sig, func(Binding) (Kernel, error) { return addIntervals(a.Kind, sign), nil }, true
	case a.Kind.IsTemporal() && b.Kind.IsInterval():
		return addedInterval(a, args[1], b, 0, sign, nullable)
	case op == "+" && a.Kind.IsInterval() && b.Kind.IsTemporal():
		return addedInterval(b, args[0], a, 1, sign, nullable)
	}
	return none, nil, false
}

// intervalFor is the interval that a bare NULL beside t stands for.
func intervalFor(t types.Type) types.Type {
	if t.Kind.IsInterval() {
		return t
	}
	return types.Of(types.IntervalDay)
}

// addedInterval is time ± interval, the time at argument at. A date moves by whole days and stays a date;
// with an interval that is known to hold part of a day it is a TIMESTAMP.
func addedInterval(t types.Type, interval Arg, by types.Type, at int, sign int64,
	nullable bool) (Signature, binder, bool) {
	if t.Kind == types.Time && by.Kind == types.IntervalMonth {
		return Signature{}, nil, false
	}
	if t.Kind == types.Date && by.Kind == types.IntervalDay && interval.Const != nil && !interval.IsNull() &&
		vector.Value[int64](interval.Const, 0)%kernel.MilliDay != 0 {
		t = types.TimestampOf(6).WithNull(t.Nullable())
	}
	sig := Signature{Args: []types.Type{t, by}, Result: t.WithNull(nullable)}
	if at == 1 {
		sig.Args[0], sig.Args[1] = by, t
	}
	s := shift{at: at, by: 1 - at, nanos: 1e6, sign: sign}
	if by.Kind == types.IntervalMonth {
		s.nanos, s.months = 0, 1
	}
	return sig, func(Binding) (Kernel, error) { return s.kernel(t), nil }, true
}

// addIntervals is interval ± interval.
func addIntervals(k types.Kind, sign int64) Kernel {
	if k == types.IntervalMonth {
		return func(c *Call) {
			out := vector.Alloc[int32](c.Out)
			a, b := vector.Values[int32](c.Args[0]), vector.Values[int32](c.Args[1])
			sa, sb := c.Args[0].Step(), c.Args[1].Step()
			for i := range out {
				out[i] = a[i*sa] + int32(sign)*b[i*sb]
			}
		}
	}
	return func(c *Call) {
		out := vector.Alloc[int64](c.Out)
		a, b := vector.Values[int64](c.Args[0]), vector.Values[int64](c.Args[1])
		sa, sb := c.Args[0].Step(), c.Args[1].Step()
		for i := range out {
			out[i] = a[i*sa] + sign*b[i*sb]
		}
	}
}

// intervalProduct is an interval, at argument at, times a number.
func intervalProduct(at int, t, n types.Type) (Signature, binder, bool) {
	if !t.Kind.IsInterval() || !n.Kind.IsNumeric() {
		return Signature{}, nil, false
	}
	factor := types.Of(types.BigInt)
	if !n.Kind.IsInteger() {
		factor = types.Of(types.Double)
	}
	sig := Signature{Args: []types.Type{t, factor.WithNull(n.Nullable())}}
	sig.Result = t.WithNull(t.Nullable() || n.Nullable())
	if at == 1 {
		sig.Args[0], sig.Args[1] = sig.Args[1], sig.Args[0]
	}
	if n.Kind.IsInteger() {
		return sig, func(Binding) (Kernel, error) { return multiplyInterval(at), nil }, true
	}
	return sig, func(Binding) (Kernel, error) { return scaleInterval(at, false), nil }, true
}

// intervalValues reads an interval column as int64.
func intervalValues(c *vector.Column, mem *scratch) ([]int64, int) {
	if c.Type.Kind == types.IntervalDay {
		return vector.Values[int64](c), c.Step()
	}
	v := mem.take(c.Stored())
	kernel.Widen(v, vector.Values[int32](c))
	return v, c.Step()
}

// putInterval writes v as a value of an interval column of 32 or 64 bits.
func putInterval(c *Call, v []int64) {
	if c.Out.Type.Kind == types.IntervalMonth {
		narrowed(c, v)
		return
	}
	copy(vector.Alloc[int64](c.Out), v)
}

func multiplyInterval(at int) Kernel {
	var in, out scratch
	return func(c *Call) {
		t, st := intervalValues(c.Args[at], &in)
		n, sn := vector.Values[int64](c.Args[1-at]), c.Args[1-at].Step()
		o := out.take(c.Out.Stored())
		for i := range o {
			o[i] = t[i*st] * n[i*sn]
		}
		putInterval(c, o)
	}
}

// scaleInterval multiplies by, or divides by, a DOUBLE and cuts the result.
func scaleInterval(at int, divide bool) Kernel {
	var in, out scratch
	return func(c *Call) {
		t, st := intervalValues(c.Args[at], &in)
		n, sn := vector.Values[float64](c.Args[1-at]), c.Args[1-at].Step()
		o := out.take(c.Out.Stored())
		for i := range o {
			x := float64(t[i*st]) * n[i*sn]
			if divide {
				x = float64(t[i*st]) / n[i*sn]
			}
			o[i] = 0
			if math.Abs(x) < 1<<62 {
				o[i] = int64(x)
			} else {
				c.Fail(i, failure("the interval is out of range, or divided by zero"))
			}
		}
		putInterval(c, o)
	}
}

// shift adds a number of units of time, at argument by, to times at argument at. A unit is nanos
// nanoseconds or months months.
type shift struct {
	at, by        int
	nanos, months int64
	sign          int64
	amount, times scratch
}

const errShift = "the result leaves the range of %s"

// kernel is for times of type t.
func (s *shift) kernel(t types.Type) Kernel {
	switch {
	case t.Kind == types.Date:
		return s.addDays
	case t.Kind == types.Time:
		return s.addTime
	case s.months != 0:
		return func(c *Call) { s.addMonths(c, t) }
	}
	return func(c *Call) { s.addTicks(c, t) }
}

// amounts are the numbers of units of all rows, or one for a constant.
func (s *shift) amounts(c *Call) ([]int64, int) {
	a := c.Args[s.by]
	if a.Type.Physical() == types.PhysInt32 {
		v := s.amount.take(a.Stored())
		kernel.Widen(v, vector.Values[int32](a))
		return v, a.Step()
	}
	return vector.Values[int64](a), a.Step()
}

func (s *shift) addTicks(c *Call, t types.Type) {
	out := vector.Alloc[int64](c.Out)
	times, by := vector.Values[int64](c.Args[s.at]), vector.Values[int64](c.Args[s.by])
	if len(times) < len(out) && len(by) < len(out) {
		times = longs(c.Args[s.at], s.times.take(len(out)))
	}
	scale := s.nanos / t.TickNanos()
	if !kernel.AddTicks(out, times, by, scale, s.sign) {
		return
	}
	st, sb := min(len(times)-1, 1), c.Args[s.by].Step()
	for i := range out {
		v, ok := kernel.AddTick(times[i*st], by[i*sb], scale*s.sign)
		if out[i] = v; !ok {
			c.FailWith(i, func() error {
				return fmt.Errorf(errShift, t.WithNull(true))
			})
		}
	}
}

// maxMonths keeps dates within what the calendar reckons with.
const maxMonths = 12 * 2_900_000

func (s *shift) addMonths(c *Call, t types.Type) {
	out := vector.Alloc[int64](c.Out)
	times, st := vector.Values[int64](c.Args[s.at]), c.Args[s.at].Step()
	by, sb := s.amounts(c)
	_, perDay := timestampTicks(t)
	for i := range out {
		n, ok := by[i*sb], false
		if n < maxMonths && n > -maxMonths {
			out[i], ok = kernel.MoveMonths(times[i*st], n*s.months*s.sign, perDay)
		}
		if !ok {
			c.FailWith(i, func() error {
				return fmt.Errorf(errShift, t.WithNull(true))
			})
		}
	}
}

// addDays moves dates by whole days or months; a part of a day is cut off.
func (s *shift) addDays(c *Call) {
	out := vector.Alloc[int32](c.Out)
	days, sd := vector.Values[int32](c.Args[s.at]), c.Args[s.at].Step()
	by, sb := s.amounts(c)
	for i := range out {
		n := by[i*sb]
		d := int64(days[i*sd])
		switch {
		case n > math.MaxInt32*int64(kernel.MilliDay) || n < math.MinInt32*int64(kernel.MilliDay):
			d = math.MaxInt64
		case s.months != 0 && (n > maxMonths || n < -maxMonths):
			d = math.MaxInt64
		case s.months != 0:
			d = kernel.AddMonths(d, n*s.months*s.sign)
		case s.nanos >= nanoDay:
			d += n * (s.nanos / nanoDay) * s.sign
		default:
			d += n / (nanoDay / s.nanos) * s.sign
		}
		if out[i] = int32(d); int64(out[i]) != d {
			c.FailWith(i, func() error {
				return fmt.Errorf(errShift, "DATE")
			})
		}
	}
}

// addTime moves times of day around the clock.
func (s *shift) addTime(c *Call) {
	out := vector.Alloc[int32](c.Out)
	times, st := vector.Values[int32](c.Args[s.at]), c.Args[s.at].Step()
	by, sb := s.amounts(c)
	for i := range out {
		n := by[i*sb]
		if s.nanos >= 1e6 {
			n = n % kernel.MilliDay * (s.nanos / 1e6)
		} else {
			n = kernel.FloorDiv(n, 1e6/s.nanos)
		}
		out[i] = int32(kernel.FloorMod(int64(times[i*st])+n%kernel.MilliDay*s.sign, kernel.MilliDay))
	}
}
