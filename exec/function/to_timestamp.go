package function

import (
	"errors"
	"fmt"
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "TO_DATE", Fails: true, Forms: []string{"TO_DATE(<CHARACTER>)", "TO_DATE(<CHARACTER>, <CHARACTER>)"},
	Type: textForm("tT", always(types.Of(types.Date))), Bind: toDate,
	Doc: Doc{"temporal", "Reads a text as a date: yyyy-MM-dd, or by a pattern of SimpleDateFormat. NULL when the text does " +
		"not fit.",
		"TO_DATE('29.02.2024', 'dd.MM.yyyy')", "2024-02-29"},
})

var _ = scalar(Scalar{
	Name: "TO_TIMESTAMP", Forms: []string{"TO_TIMESTAMP(<CHARACTER>)", "TO_TIMESTAMP(<CHARACTER>, <CHARACTER>)"},
	Type: textForm("tT", always(types.TimestampOf(3))), Bind: toTimestamp,
	Doc: Doc{"temporal", "Reads a text as TIMESTAMP(3): yyyy-MM-dd HH:mm:ss.SSS with a time that may be left out, or by a " +
		"pattern of java.time. NULL when the text does not fit.",
		"TO_TIMESTAMP('2024-02-29 12:34', 'yyyy-MM-dd HH:mm')", "2024-02-29 12:34:00.000"},
})

var _ = scalar(Scalar{
	Name: "TO_TIMESTAMP_LTZ", Fails: true,
	Forms: []string{"TO_TIMESTAMP_LTZ(<NUMERIC>[, <INTEGER>])",
		"TO_TIMESTAMP_LTZ(<CHARACTER>[, <CHARACTER>[, <CHARACTER>]])"},
	Type: toInstantType, Bind: toInstant,
	Doc: Doc{"temporal", "An instant from a number since 1970, of seconds when the precision is 0, of milliseconds when it " +
		"is 3 and so on, NULL outside the years 1 to 9999; or from a text, a pattern of java.time and a time zone (UTC if " +
		"none is given). Without a pattern a text that does not fit fails, with one it gives NULL.",
		"CAST(TO_TIMESTAMP_LTZ(1709210096789, 3) AS STRING)", "2024-02-29 12:34:56.789"},
})

func toDate(b Binding) (Kernel, error) {
	if len(b.Args) == 1 {
		return dayKernel(func(r *row) (int32, bool) {
			d, fault := text.ParseDate(r.text(0))
			return d, fault == text.Ok
		}), nil
	}
	pattern, err := literalPattern(b.Args, 1, "", compileLegacyReader)
	if err != nil {
		return nil, err
	}
	century := centuryOf(b.Env)
	return dayKernel(func(r *row) (int32, bool) {
		p, err := pattern(r)
		if err != nil {
			r.fail(err)
			return 0, true
		}
		d, ok := p.read(r.text(0), century)
		sec, _ := d.clock()
		if d.zoned {
			sec -= d.offset
		}
		day := kernel.FloorDiv(sec, 86400)
		return int32(day), ok && day == int64(int32(day))
	}), nil
}

// dayKernel makes a kernel to DATE from f, which gives the value of a lane or says that it is NULL.
func dayKernel(f func(r *row) (v int32, ok bool)) Kernel {
	return positionKernel(func(r *row) (int, bool) {
		v, ok := f(r)
		return int(v), ok
	})
}

// compileReader compiles a pattern for reading.
func compileReader(s string) (*datePattern, error) {
	p, err := compilePattern(s)
	if err == nil {
		err = p.readable()
	}
	return p, err
}

// unreadable tells a literal pattern that Flink reads by and nothing here does from a bad one, which reads nothing in both.
func unreadable(err error) bool {
	var t *TypeError
	return errors.As(err, &t)
}

// readTimestamp reads by a pattern, or else loosely.
func (p *datePattern) readTimestamp(s []byte) (ms int64, ok bool) {
	day, nanos, ok := p.read(s)
	if !ok {
		day, nanos, ok = readLoosely(s)
	}
	return day*kernel.MilliDay + nanos/1e6, ok
}

func toTimestamp(b Binding) (Kernel, error) {
	if len(b.Args) == 1 {
		return longKernel(func(r *row) (int64, bool) {
			t, fault := text.ParseTimestamp(r.text(0), types.TimestampOf(3))
			return t, fault == text.Ok
		}), nil
	}
	pattern, err := literalPattern(b.Args, 1, "", compileReader)
	if unreadable(err) {
		return nil, err
	}
	return longKernel(func(r *row) (int64, bool) {
		p, err := pattern(r)
		if err != nil {
			return 0, false // a bad pattern reads nothing, as in Flink
		}
		return p.readTimestamp(r.text(0))
	}), nil
}

func toInstantType(args []Arg) (Signature, error) {
	if len(args) < 1 || len(args) > 3 {
		return Signature{}, Mismatch()
	}
	first := args[0].Type
	sig := Signature{Args: []types.Type{first}, Result: types.TimestampLTZOf(3)}
	if first.Kind.IsText() {
		for _, a := range args[1:] {
			if !textOrNull(a.Type) {
				return sig, Mismatch()
			}
			sig.Args = append(sig.Args, temporalOr(a.Type, types.String()))
		}
		if zone, ok := literalText(args, 2); ok {
			if _, err := ZoneOf(zone); err != nil {
				return sig, Refuse("invalid time zone for TO_TIMESTAMP_LTZ: %v", err)
			}
		}
		return sig, nil
	}
	number := temporalOr(first, types.Of(types.BigInt))
	switch {
	case len(args) > 2 || !number.Kind.IsNumeric():
		return sig, Mismatch()
	case number.Kind.IsApprox():
		sig.Args[0] = types.Of(types.Double).WithNull(first.Nullable())
	default:
		sig.Args[0] = types.Of(types.BigInt).WithNull(first.Nullable())
	}
	if len(args) == 2 {
		p := args[1].Type
		if !p.Kind.IsInteger() && p.Kind != types.Null {
			return sig, Mismatch()
		}
		sig.Args = append(sig.Args, types.Of(types.BigInt).WithNull(p.Nullable()))
		if p.Kind.IsInteger() && args[1].Const != nil && !args[1].IsNull() {
			n := literalInteger(args[1])
			if n < 0 || n > 9 {
				return sig, Refuse("TO_TIMESTAMP_LTZ takes a precision of 0 to 9, not %d", n)
			}
			sig.Result = types.TimestampLTZOf(max(int(n), 3))
		}
	}
	return sig, nil
}

func toInstant(b Binding) (Kernel, error) {
	t := b.Args[0].Type
	if t.Kind.IsText() {
		return instantOfText(b)
	}
	return instantOfNumber(t.Kind == types.Double, b.Result), nil
}

// The seconds of the years 1 to 9999.
const (
	minEpoch = -62135596800
	maxEpoch = 253402300799
)

// instantOfNumber makes instants from a count of 10^-precision seconds.
func instantOfNumber(double bool, result types.Type) Kernel {
	perSecond, _ := timestampTicks(result)
	return func(c *Call) {
		out := vector.Alloc[int64](c.Out)
		step := c.Args[0].Step()
		var whole []int64
		var floats []float64
		if double {
			floats = vector.Values[float64](c.Args[0])
		} else {
			whole = vector.Values[int64](c.Args[0])
		}
		precision := integerColumn{vals: []int64{3}}
		if len(c.Args) > 1 {
			precision = integersOf(c.Args[1])
		}
		for i := range out {
			p := precision.at(i)
			if p < 0 || p > 9 {
				c.FailWith(i, func() error {
					return fmt.Errorf("TO_TIMESTAMP_LTZ takes a precision of 0 to 9, not %d", p)
				})
				out[i] = 0
				continue
			}
			var ok bool
			if double {
				out[i], ok = ticksOfDouble(floats[i*step], p, perSecond)
			} else {
				out[i], ok = ticksOfCount(whole[i*step], powerOfTen[p], perSecond)
			}
			if !ok {
				out[i] = 0
				c.Out.SetNull(i)
			}
		}
	}
}

func ticksOfCount(n, per, perSecond int64) (ticks int64, ok bool) {
	sec := kernel.FloorDiv(n, per)
	if sec < minEpoch || sec > maxEpoch {
		return 0, false
	}
	if per > perSecond {
		return kernel.FloorDiv(n, per/perSecond), true
	}
	return n * (perSecond / per), true
}

func ticksOfDouble(x float64, p, perSecond int64) (ticks int64, ok bool) {
	x = math.Trunc(x * float64(perSecond) / float64(powerOfTen[p]))
	if sec := x / float64(perSecond); math.IsNaN(x) || sec < minEpoch || sec > maxEpoch {
		return 0, false
	}
	return int64(x), true
}

func instantOfText(b Binding) (Kernel, error) {
	if len(b.Args) == 1 {
		return longKernel(func(r *row) (int64, bool) {
			t, fault := text.ParseTimestamp(r.text(0), types.TimestampOf(3))
			if fault != text.Ok {
				r.failWith(func() error {
					return fmt.Errorf("text '%s' is no timestamp: %s", r.text(0), fault)
				})
			}
			return t, true
		}), nil
	}
	pattern, err := literalPattern(b.Args, 1, "", compileReader)
	if unreadable(err) {
		return nil, err
	}
	zone, err := literalPattern(b.Args, 2, "UTC", zoneClockOf)
	if err != nil {
		return nil, err
	}
	return longKernel(func(r *row) (int64, bool) {
		p, err := pattern(r)
		if err != nil {
			return 0, false
		}
		z, err := zone(r)
		if err != nil {
			r.fail(err)
			return 0, true
		}
		ms, ok := p.readTimestamp(r.text(0))
		local := kernel.FloorDiv(ms, 1000)
		return ms + (z.zone.Instant(local)-local)*1000, ok
	}), nil
}
