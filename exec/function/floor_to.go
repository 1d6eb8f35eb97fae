package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "FLOOR TO", Special: true, Fails: true, Forms: []string{"FLOOR(<DATETIME> TO <UNIT>)"},
	Type: roundToType, Bind: roundToBind(false),
	Doc: Doc{"temporal", "The start of the year, month, week (from Sunday), hour … that a date, time or timestamp lies " +
		"in. TIMESTAMP_LTZ is rounded on the wall clock of the session's zone.",
		"FLOOR(TIMESTAMP '2024-02-29 12:34:56' TO HOUR)", "2024-02-29 12:00:00"},
})

var _ = scalar(Scalar{
	Name: "CEIL TO", Aliases: []string{"CEILING TO"}, Special: true, Fails: true,
	Forms: []string{"CEIL(<DATETIME> TO <UNIT>)"},
	Type:  roundToType, Bind: roundToBind(true),
	Doc: Doc{"temporal", "The next start of a unit of time, or the value itself when it is one. For weeks and longer units " +
		"the time of day does not count: the first day of a month rounds to its midnight.",
		"CEIL(TIMESTAMP '2024-02-29 12:34:56' TO HOUR)", "2024-02-29 13:00:00"},
})

var periods = map[string]kernel.Period{
	"DAY": kernel.PeriodDay, "WEEK": kernel.PeriodWeek, "MONTH": kernel.PeriodMonth, "QUARTER": kernel.PeriodQuarter,
	"YEAR": kernel.PeriodYear, "DECADE": kernel.PeriodDecade, "CENTURY": kernel.PeriodCentury,
	"MILLENNIUM": kernel.PeriodMillennium,
}

func roundToType(args []Arg) (Signature, error) {
	u, ok := unitOf(args, 1)
	if !ok || len(args) != 2 {
		return Signature{}, Mismatch()
	}
	if _, calendar := periods[u]; !calendar && unitNanos[u] == 0 {
		return Signature{}, Refuse("FLOOR and CEIL do not know the time unit %s", u)
	}
	t := temporalOr(args[0].Type, types.TimestampOf(3))
	if !t.Kind.IsTemporal() {
		return Signature{}, Mismatch()
	}
	return Signature{Args: []types.Type{t, args[1].Type}, Result: t}, nil
}

func roundToBind(up bool) func(Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		u, _ := unitOf(b.Args, 1)
		switch t := b.Args[0].Type; t.Kind {
		case types.Date:
			return roundDate(u, up), nil
		case types.Time:
			return roundTime(u, up), nil
		default:
			return roundTimestamp(u, up, t, kernel.NewZone(b.Env.Zone)), nil
		}
	}
}

// roundPeriods rounds to a calendar unit.
func roundPeriods(out, t []int64, p kernel.Period, perDay int64, up bool) {
	switch {
	case !up:
		kernel.FloorPeriods(out, t, p, perDay)
	case p == kernel.PeriodDay:
		kernel.CeilTicks(out, t, perDay)
	default:
		kernel.CeilPeriods(out, t, p, perDay)
	}
}

func roundSpan(out, t []int64, size int64, up bool) {
	if up {
		kernel.CeilTicks(out, t, size)
	} else {
		kernel.FloorTicks(out, t, size)
	}
}

// roundDate rounds days; units below a day leave them.
func roundDate(u string, up bool) Kernel {
	var mem scratch
	p, calendar := periods[u]
	return func(c *Call) {
		v := widened(c.Args[0], mem.take(c.Out.Len))
		if calendar {
			roundPeriods(v, v, p, 1, up)
		}
		narrowed(c, v)
	}
}

// roundTime rounds within the day; units of a day and longer leave a TIME.
func roundTime(u string, up bool) Kernel {
	var mem scratch
	size := unitNanos[u] / 1e6
	return func(c *Call) {
		v := widened(c.Args[0], mem.take(c.Out.Len))
		if size > 1 && size < kernel.MilliDay {
			roundSpan(v, v, size, up)
			for i := range v {
				if v[i] == kernel.MilliDay {
					c.Fail(i, failure("24:00:00 is not a TIME"))
				}
			}
		}
		narrowed(c, v)
	}
}

func roundTimestamp(u string, up bool, t types.Type, z *kernel.Zone) Kernel {
	perSecond, perDay := timestampTicks(t)
	size := max(unitNanos[u]/t.TickNanos(), 1)
	p, calendar := periods[u]
	zoned := t.Kind == types.TimestampLTZ && !z.Fixed()
	var mem scratch
	return func(c *Call) {
		out := vector.Alloc[int64](c.Out)
		instants := longs(c.Args[0], mem.take(c.Out.Len))
		local := wallTicks(c.Args[0], out, z)
		if calendar {
			roundPeriods(out, local, p, perDay, up)
			if zoned {
				z.InstantTicks(out, out, perSecond)
			}
		} else {
			roundSpan(out, local, size, up)
			if zoned {
				// Below a day the clock's reading may occur twice, so the instant moves by as much as the clock.
				for i := range out {
					off := z.Offset(kernel.FloorDiv(instants[i], perSecond)) * perSecond
					out[i] -= off
				}
			}
		}
		if calendar && t.TickNanos() == 1 {
			failFar(c, instants, p, perDay, up)
		}
	}
}

// nanoDays is the number of whole days that nanoseconds reach before and after 1970.
const nanoDays = 106751

// failFar fails the lanes that rounding takes out of the range of nanoseconds.
func failFar(c *Call, t []int64, p kernel.Period, perDay int64, up bool) {
	last, far := int64(nanoDays+1), false
	for i := range c.Out.Len {
		if day := kernel.FloorDiv(t[i], perDay); day != last {
			from, to := kernel.PeriodOfDay(p, day)
			last, far = day, up && to > nanoDays || !up && from < -nanoDays
		}
		if far {
			c.Fail(i, failure("the result leaves the range of timestamps of more than 6 digits, 1677 to 2262"))
		}
	}
}
