package function

import (
	"fmt"
	"math"
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "FROM_UNIXTIME", Fails: true,
	Forms: []string{"FROM_UNIXTIME(<INTEGER>)", "FROM_UNIXTIME(<INTEGER>, <CHARACTER>)"},
	Type:  textForm("iT", strictly(types.String())), Bind: fromUnixTime,
	Doc: Doc{"temporal", "Prints seconds since 1970 in the session's zone, by a pattern of SimpleDateFormat, " +
		"yyyy-MM-dd HH:mm:ss if none is given.", "FROM_UNIXTIME(44, 'yyyy-MM-dd HH:mm:ss')", "1970-01-01 00:00:44"},
})

var _ = scalar(Scalar{
	Name: "UNIX_TIMESTAMP", Fails: true, Volatile: true,
	Forms: []string{"UNIX_TIMESTAMP()", "UNIX_TIMESTAMP(<CHARACTER>)", "UNIX_TIMESTAMP(<CHARACTER>, <CHARACTER>)"},
	Type:  textForm("TT", strictly(types.Of(types.BigInt))), Bind: unixTimestamp,
	Doc: Doc{"temporal", "Seconds since 1970: of the clock, or of a text in the session's zone, read by a pattern of " +
		"SimpleDateFormat, yyyy-MM-dd HH:mm:ss if none is given. A text that does not fit gives the smallest BIGINT.",
		"UNIX_TIMESTAMP('1970-01-01 00:00:44')", "44"},
})

var _ = scalar(Scalar{
	Name: "CONVERT_TZ", Fails: true, Forms: []string{"CONVERT_TZ(<CHARACTER>, <CHARACTER>, <CHARACTER>)"},
	Type: textForm("ttt", always(types.String())), Bind: convertZone,
	Doc: Doc{"temporal", "A text yyyy-MM-dd HH:mm:ss of one time zone in another: names such as America/Los_Angeles, GMT+8, " +
		"+05:30 or PST. NULL when the text is none; an unknown zone fails.",
		"CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'America/Los_Angeles')", "1969-12-31 16:00:00"},
})

// secondsLimit keeps milliseconds of a number of seconds within int64.
const secondsLimit = math.MaxInt64 / 1000

func fromUnixTime(b Binding) (Kernel, error) {
	pattern, err := literalPattern(b.Args, 1, defaultPattern, compileLegacy)
	if err != nil {
		return nil, err
	}
	zone := newZoneClock(b.Env.Zone)
	var clock wallClock
	known, text := int64(math.MinInt64), []byte(nil)
	_, literal := literalText(b.Args, 1)
	literal = literal || len(b.Args) < 2
	return textKernel(func(dst []byte, r *row) ([]byte, bool) {
		sec := r.integer(0)
		if literal && sec == known {
			return append(dst, text...), true
		}
		p, err := pattern(r)
		if err != nil {
			r.fail(err)
			return dst, false
		}
		if sec > secondsLimit || sec < -secondsLimit {
			r.failWith(func() error {
				return fmt.Errorf("FROM_UNIXTIME: %d seconds are out of range", sec)
			})
			return dst, false
		}
		clock.setInstant(zone, sec*1000)
		from := len(dst)
		dst = p.append(dst, &clock)
		known, text = sec, append(text[:0], dst[from:]...)
		return dst, true
	}), nil
}

// centuryOf is the first year of the hundred in which legacy patterns place two digits of a year: from
// eighty years ago on.
func centuryOf(env *Env) int64 {
	if env == nil || env.Now == nil {
		return 1946
	}
	return int64(env.Now().Year()) - 80
}

func unixTimestamp(b Binding) (Kernel, error) {
	if len(b.Args) == 0 {
		return clockKernel(b.Env, func(now time.Time) int64 { return now.Unix() }), nil
	}
	pattern, err := literalPattern(b.Args, 1, defaultPattern, compileLegacyReader)
	if err != nil {
		return nil, err
	}
	zone, century := kernel.NewZone(b.Env.Zone), centuryOf(b.Env)
	return longKernel(func(r *row) (int64, bool) {
		p, err := pattern(r)
		if err != nil {
			r.fail(err)
			return 0, true
		}
		d, ok := p.read(r.text(0), century)
		if !ok {
			return math.MinInt64, true
		}
		sec, _ := d.instant(zone)
		return sec, true
	}), nil
}

// compileLegacyReader compiles a pattern for reading.
func compileLegacyReader(s string) (*legacyPattern, error) {
	p, err := compileLegacy(s)
	if err == nil {
		err = p.readable()
	}
	return p, err
}

// longKernel makes a kernel to BIGINT or a timestamp from f, which gives the value of a lane or says that it
// is NULL.
func longKernel(f func(r *row) (v int64, ok bool)) Kernel {
	r := &row{}
	return func(c *Call) {
		r.open(c)
		out := vector.Alloc[int64](c.Out)
		for i := range out {
			out[i] = 0
			if !c.Wanted(i) {
				continue
			}
			r.i = i
			v, ok := f(r)
			out[i] = v
			if !ok {
				c.Out.SetNull(i)
			}
		}
	}
}

func convertZone(b Binding) (Kernel, error) {
	pattern, err := compileLegacy(defaultPattern)
	if err != nil {
		return nil, err
	}
	from, err := literalPattern(b.Args, 1, "", zoneClockOf)
	if err != nil {
		return nil, err
	}
	to, err := literalPattern(b.Args, 2, "", zoneClockOf)
	if err != nil {
		return nil, err
	}
	var clock wallClock
	return textKernel(func(dst []byte, r *row) ([]byte, bool) {
		source, err := from(r)
		if err == nil {
			var target *zoneClock
			if target, err = to(r); err == nil {
				d, ok := pattern.read(r.text(0), 0)
				if !ok {
					return dst, false
				}
				sec, milli := d.instant(source.zone)
				clock.setInstant(target, sec*1000+milli)
				return pattern.append(dst, &clock), true
			}
		}
		r.fail(err)
		return dst, false
	}), nil
}

func zoneClockOf(name string) (*zoneClock, error) {
	loc, err := ZoneOf(name)
	if err != nil {
		return nil, err
	}
	return newZoneClock(loc), nil
}
