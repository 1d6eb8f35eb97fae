package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "TIMESTAMPADD", Special: true, Fails: true,
	Forms: []string{"TIMESTAMPADD(<UNIT>, <INTEGER>, <DATETIME>)"},
	Type:  timestampAddType, Bind: timestampAddBind,
	Doc: Doc{"temporal", "A date, time or timestamp moved by a number of units. A date moved by hours or less is a " +
		"TIMESTAMP; a day past the end of the month becomes its last; a time runs around the clock.",
		"TIMESTAMPADD(MONTH, 1, DATE '2024-01-31')", "2024-02-29"},
})

var _ = scalar(Scalar{
	Name: "TIMESTAMPDIFF", Special: true, Forms: []string{"TIMESTAMPDIFF(<UNIT>, <DATETIME>, <DATETIME>)"},
	Type: timestampDiffType, Bind: timestampDiffBind,
	Doc: Doc{"temporal", "The number of whole units from the first time to the second, cut toward zero, as an INT " +
		"that wraps.",
		"TIMESTAMPDIFF(DAY, DATE '2024-02-28', DATE '2024-03-01')", "2"},
})

var _ = scalar(Scalar{
	Name: "MINUS TO", Special: true, Forms: []string{"(<DATETIME> - <DATETIME>) <UNIT>"},
	Type: timeMinusType, Bind: timeMinusBind,
	Doc: Doc{"temporal", "The difference of two times as an interval: of months for YEAR, QUARTER and MONTH, " +
		"otherwise of milliseconds.",
		"(DATE '2024-03-01' - DATE '2024-02-28') DAY", "+2 00:00:00.000"},
})

func timestampAddType(args []Arg) (Signature, error) {
	u, ok := unitOf(args, 0)
	if !ok || len(args) != 3 {
		return Signature{}, Mismatch()
	}
	n, t := temporalOr(args[1].Type, types.Of(types.BigInt)), temporalOr(args[2].Type, types.TimestampOf(3))
	months, nanos := unitMonths[u], unitNanos[u]
	switch {
	case !n.Kind.IsInteger() || !t.Kind.IsTemporal():
		return Signature{}, Mismatch()
	case months == 0 && nanos == 0:
		return Signature{}, Refuse("TIMESTAMPADD does not know the time unit %s", u)
	case t.Kind == types.Time && months > 0:
		return Signature{}, Refuse("a TIME can not be moved by %s", u)
	}
	digits := 0
	switch {
	case t.Kind == types.Date && months == 0 && nanos < nanoDay && nanos >= 1e6, nanos == 1e3:
		digits = 6
	case nanos == 1:
		digits = 9
	}
	if digits > 0 && t.Kind == types.Date {
		t = types.TimestampOf(digits).WithNull(t.Nullable())
	} else if t.Kind.IsTimestamp() {
		t.Precision = max(t.Precision, digits)
	}
	count := types.Of(types.BigInt).WithNull(n.Nullable())
	result := t.WithNull(n.Nullable() || t.Nullable())
	return Signature{Args: []types.Type{args[0].Type, count, t}, Result: result}, nil
}

func timestampAddBind(b Binding) (Kernel, error) {
	u, _ := unitOf(b.Args, 0)
	s := shift{at: 2, by: 1, nanos: unitNanos[u], months: unitMonths[u], sign: 1}
	return s.kernel(b.Args[2].Type), nil
}

// differenceTypes are the types in which two times are compared, and their unit. Instants and wall clocks do
// not mix.
func differenceTypes(args []Arg) (Signature, string, error) {
	u, ok := unitOf(args, 0)
	if !ok || len(args) != 3 {
		return Signature{}, "", Mismatch()
	}
	a, b := args[1].Type, args[2].Type
	if a.Kind == types.Null {
		a = temporalOr(b, types.TimestampOf(3)).WithNull(true)
	}
	b = temporalOr(b, a)
	if !a.Kind.IsTemporal() || !b.Kind.IsTemporal() || (a.Kind == types.Time) != (b.Kind == types.Time) {
		return Signature{}, "", Mismatch()
	}
	if (a.Kind == types.TimestampLTZ) != (b.Kind == types.TimestampLTZ) {
		return Signature{}, "", Refuse("TIMESTAMP_LTZ has a difference to another TIMESTAMP_LTZ alone: cast one of %s "+
			"and %s", a, b)
	}
	if unitMonths[u] == 0 && unitNanos[u] == 0 {
		return Signature{}, "", Refuse("there is no difference of times in %s", u)
	}
	common := types.Type{Kind: types.Timestamp, Precision: 3}
	for _, t := range []types.Type{a, b} {
		if t.Kind.IsTimestamp() {
			common.Kind, common.Precision = t.Kind, max(common.Precision, t.Precision)
		}
	}
	list := []types.Type{args[0].Type, common.WithNull(a.Nullable()), common.WithNull(b.Nullable())}
	return Signature{Args: list}, u, nil
}

func timestampDiffType(args []Arg) (Signature, error) {
	sig, _, err := differenceTypes(args)
	if err != nil {
		return sig, err
	}
	sig.Result = types.Of(types.Int).WithNull(sig.Args[1].Nullable() || sig.Args[2].Nullable())
	return sig, nil
}

// timeColumns are two columns of times in ticks.
type timeColumns struct {
	a, b   []int64
	sa, sb int
}

func timesOf(c *Call) timeColumns {
	a, b := c.Args[1], c.Args[2]
	return timeColumns{vector.Values[int64](a), vector.Values[int64](b), a.Step(), b.Step()}
}

func timestampDiffBind(b Binding) (Kernel, error) {
	u, _ := unitOf(b.Args, 0)
	t := b.Args[1].Type
	_, perDay := timestampTicks(t)
	if months := unitMonths[u]; months > 0 {
		return func(c *Call) {
			out, x := vector.Alloc[int32](c.Out), timesOf(c)
			for i := range out {
				out[i] = int32(kernel.MonthsBetween(x.a[i*x.sa], x.b[i*x.sb], perDay) / months)
			}
		}, nil
	}
	size, scale := unitNanos[u]/t.TickNanos(), int64(1)
	if size == 0 {
		size, scale = 1, t.TickNanos()/unitNanos[u]
	}
	return func(c *Call) {
		out, x := vector.Alloc[int32](c.Out), timesOf(c)
		for i := range out {
			out[i] = int32(kernel.UnitsBetween(x.a[i*x.sa], x.b[i*x.sb], size) * scale)
		}
	}, nil
}

func timeMinusType(args []Arg) (Signature, error) {
	sig, u, err := differenceTypes(args)
	if err != nil {
		return sig, err
	}
	sig.Result = types.Of(types.IntervalDay)
	if unitMonths[u] > 0 {
		sig.Result = types.Of(types.IntervalMonth)
	}
	sig.Result.NotNull = !sig.Args[1].Nullable() && !sig.Args[2].Nullable()
	return sig, nil
}

func timeMinusBind(b Binding) (Kernel, error) {
	t := b.Args[1].Type
	_, perDay := timestampTicks(t)
	if b.Result.Kind == types.IntervalMonth {
		return func(c *Call) {
			out, x := vector.Alloc[int32](c.Out), timesOf(c)
			for i := range out {
				out[i] = int32(kernel.MonthsBetween(x.b[i*x.sb], x.a[i*x.sa], perDay))
			}
		}, nil
	}
	perMilli := 1e6 / t.TickNanos()
	return func(c *Call) {
		out, x := vector.Alloc[int64](c.Out), timesOf(c)
		for i := range out {
			out[i] = kernel.UnitsBetween(x.b[i*x.sb], x.a[i*x.sa], perMilli)
		}
	}, nil
}
