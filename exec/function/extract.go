package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "EXTRACT", Special: true, Forms: []string{"EXTRACT(<UNIT> FROM <DATETIME_INTERVAL>)"},
	Type: extractType(""), Bind: extractBind(""),
	Doc: Doc{"temporal", "One part of a date, time, timestamp or interval as BIGINT. WEEK and ISOYEAR count by ISO 8601; " +
		"DOW is 1 on Sunday, ISODOW 1 on Monday; MILLISECOND and finer leave whole seconds out; EPOCH is the seconds " +
		"since 1970.",
		"EXTRACT(DAY FROM DATE '2024-02-29')", "29"},
})

var _ = []*Scalar{
	partFunction("YEAR", "YEAR", "The year.", "2024"),
	partFunction("QUARTER", "QUARTER", "The quarter 1 to 4.", "1"),
	partFunction("MONTH", "MONTH", "The month 1 to 12.", "2"),
	partFunction("WEEK", "WEEK", "The ISO week 1 to 53.", "9"),
	partFunction("DAYOFYEAR", "DOY", "The day of the year 1 to 366.", "60"),
	partFunction("DAYOFMONTH", "DAY", "The day of the month 1 to 31.", "29"),
	partFunction("DAYOFWEEK", "DOW", "The day of the week, 1 on Sunday.", "5"),
	partFunction("HOUR", "HOUR", "The hour 0 to 23.", "12"),
	partFunction("MINUTE", "MINUTE", "The minute 0 to 59.", "34"),
	partFunction("SECOND", "SECOND", "The second 0 to 59.", "56"),
}

// partFunction declares NAME(x) for EXTRACT(unit FROM x).
func partFunction(name, unit, text, value string) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{name + "(<DATETIME_INTERVAL>)"}, Type: extractType(unit), Bind: extractBind(unit),
		Doc: Doc{"temporal", text, name + "(TIMESTAMP '2024-02-29 12:34:56')", value},
	})
}

var dateParts = map[string]kernel.DatePart{
	"YEAR": kernel.PartYear, "QUARTER": kernel.PartQuarter, "MONTH": kernel.PartMonth, "WEEK": kernel.PartWeek,
	"DAY": kernel.PartDay, "DOY": kernel.PartDayOfYear, "DOW": kernel.PartDayOfWeek, "ISODOW": kernel.PartISODay,
	"ISOYEAR": kernel.PartISOYear, "DECADE": kernel.PartDecade, "CENTURY": kernel.PartCentury,
	"MILLENNIUM": kernel.PartMillennium,
}

// clockUnits are the parts of a time of day.
var clockUnits = map[string]bool{
	"HOUR": true, "MINUTE": true, "SECOND": true, "MILLISECOND": true, "MICROSECOND": true, "NANOSECOND": true,
	"EPOCH": true,
}

// extractArgs is the unit and the position of the value; unit is empty for EXTRACT itself.
func extractArgs(unit string, args []Arg) (string, int, error) {
	if unit != "" {
		return unit, 0, unless(len(args) == 1, Mismatch())
	}
	u, ok := unitOf(args, 0)
	return u, 1, unless(ok && len(args) == 2, Mismatch())
}

func extractType(unit string) func([]Arg) (Signature, error) {
	return func(args []Arg) (Signature, error) {
		u, k, err := extractArgs(unit, args)
		if err != nil {
			return Signature{}, err
		}
		t := temporalOr(args[k].Type, types.TimestampOf(3))
		_, isDate := dateParts[u]
		if !isDate && !clockUnits[u] {
			return Signature{}, Refuse("there is no time unit %s", u)
		}
		switch t.Kind {
		case types.Time:
			if isDate {
				return Signature{}, Refuse("unit %s can not be applied to a TIME", u)
			}
		case types.IntervalDay:
			if u != "DAY" && !clockUnits[u] {
				return Signature{}, Refuse("unit %s can not be applied to a day-time interval", u)
			}
		case types.IntervalMonth:
			if unitMonths[u] == 0 {
				return Signature{}, Refuse("unit %s can not be applied to a year-month interval", u)
			}
		case types.Date, types.Timestamp, types.TimestampLTZ:
		default:
			return Signature{}, Mismatch()
		}
		sig := Signature{Result: types.Of(types.BigInt).WithNull(t.Nullable())}
		if k == 1 {
			sig.Args = append(sig.Args, args[0].Type)
		}
		sig.Args = append(sig.Args, t)
		return sig, nil
	}
}

func extractBind(unit string) func(Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		u, k, err := extractArgs(unit, b.Args)
		if err != nil {
			return nil, err
		}
		t := b.Args[k].Type
		switch t.Kind {
		case types.Date:
			return extractDate(u, k), nil
		case types.Time:
			return extractTime(u, k), nil
		case types.IntervalDay:
			return extractIntervalDay(u, k), nil
		case types.IntervalMonth:
			return extractIntervalMonth(u, k), nil
		}
		return extractTimestamp(u, k, t, kernel.NewZone(b.Env.Zone)), nil
	}
}

func extractTimestamp(u string, k int, t types.Type, z *kernel.Zone) Kernel {
	perSecond, _ := timestampTicks(t)
	if u == "EPOCH" {
		return func(c *Call) {
			out := vector.Alloc[int64](c.Out)
			kernel.Quotients(out, longs(c.Args[k], out), perSecond)
		}
	}
	if p, ok := dateParts[u]; ok {
		return func(c *Call) {
			out := vector.Alloc[int64](c.Out)
			kernel.DaysOfMillis(out, wallMillis(c.Args[k], out, z))
			kernel.PartsOfDays(out, out, p)
		}
	}
	switch u {
	case "HOUR", "MINUTE", "SECOND":
		loop := clockLoop(u)
		return func(c *Call) {
			out := vector.Alloc[int64](c.Out)
			loop(out, wallMillis(c.Args[k], out, z))
		}
	}
	scale, div := fractionScale(u, t.TickNanos())
	return func(c *Call) {
		out := vector.Alloc[int64](c.Out)
		kernel.FractionOfTicks(out, longs(c.Args[k], out), perSecond, scale, div)
	}
}

// fractionScale turns ticks into units: times scale, over div.
func fractionScale(u string, tickNanos int64) (scale, div int64) {
	if n := unitNanos[u]; n > tickNanos {
		return 1, n / tickNanos
	}
	return tickNanos / unitNanos[u], 1
}

func clockLoop(u string) func(out, ms []int64) {
	switch u {
	case "HOUR":
		return kernel.HoursOfMillis
	case "MINUTE":
		return kernel.MinutesOfMillis
	}
	return kernel.SecondsOfMillis
}

func extractDate(u string, k int) Kernel {
	p, ok := dateParts[u]
	return func(c *Call) {
		out := vector.Alloc[int64](c.Out)
		switch {
		case ok:
			kernel.PartsOfDays(out, widened(c.Args[k], out), p)
		case u == "EPOCH":
			widened(c.Args[k], out)
			for i := range out {
				out[i] *= 86400
			}
		default:
			clear(out)
		}
	}
}

func extractTime(u string, k int) Kernel {
	return func(c *Call) {
		out := vector.Alloc[int64](c.Out)
		widened(c.Args[k], out)
		switch u {
		case "HOUR", "MINUTE", "SECOND":
			clockLoop(u)(out, out)
		case "EPOCH":
			kernel.Quotients(out, out, 1000)
		default:
			scale, div := fractionScale(u, 1e6)
			kernel.FractionOfTicks(out, out, 1000, scale, div)
		}
	}
}

func extractIntervalDay(u string, k int) Kernel {
	parts := map[string][2]int64{
		"DAY": {kernel.MilliDay, 0}, "HOUR": {kernel.MilliHour, 24}, "MINUTE": {kernel.MilliMinute, 60},
		"SECOND": {1000, 60}, "EPOCH": {1000, 0}, "MILLISECOND": {1, 1000},
	}
	p, ok := parts[u]
	scale := int64(1)
	if !ok {
		p = parts["MILLISECOND"]
		scale, _ = fractionScale(u, 1e6)
	}
	return func(c *Call) {
		out := vector.Alloc[int64](c.Out)
		kernel.Truncated(out, longs(c.Args[k], out), p[0], p[1])
		if scale > 1 {
			for i := range out {
				out[i] *= scale
			}
		}
	}
}

func extractIntervalMonth(u string, k int) Kernel {
	div, mod := unitMonths[u], int64(0)
	switch u {
	case "MONTH":
		mod = 12
	case "QUARTER":
		mod = 4
	}
	return func(c *Call) {
		out := vector.Alloc[int64](c.Out)
		kernel.Truncated(out, widened(c.Args[k], out), div, mod)
		if u == "QUARTER" {
			for i := range out {
				out[i]++
			}
		}
	}
}
