package option

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads Flink's durations: a number and a unit, milliseconds when there is none, or the
// ISO form `PT1H30M`.
func ParseDuration(s string) (time.Duration, error) {
	if up := strings.ToUpper(s); strings.HasPrefix(up, "PT") {
		// Go's own form of hours, minutes and seconds is ISO's in lower case.
		return time.ParseDuration(strings.ToLower(up[2:]))
	}
	n, unit, err := split(s)
	if err != nil {
		return 0, err
	}
	u, ok := durations[unit]
	if !ok {
		return 0, fmt.Errorf("unknown unit %q", unit)
	}
	x, err := scale(n, int64(u))
	return time.Duration(x), err
}

var durations = map[string]time.Duration{
	"":  time.Millisecond,
	"d": 24 * time.Hour, "day": 24 * time.Hour, "days": 24 * time.Hour,
	"h": time.Hour, "hour": time.Hour, "hours": time.Hour,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"ms": time.Millisecond, "milli": time.Millisecond, "millis": time.Millisecond,
	"millisecond": time.Millisecond, "milliseconds": time.Millisecond,
	"µs": time.Microsecond, "micro": time.Microsecond, "micros": time.Microsecond,
	"microsecond": time.Microsecond, "microseconds": time.Microsecond,
	"ns": 1, "nano": 1, "nanos": 1, "nanosecond": 1, "nanoseconds": 1,
}

// ParseSize reads Flink's memory sizes: a number and a unit of 1024s, bytes when there is none.
func ParseSize(s string) (Size, error) {
	n, unit, err := split(s)
	if err != nil {
		return 0, err
	}
	for i, names := range sizes {
		for _, name := range names {
			if name == unit {
				x, err := scale(n, 1<<(10*i))
				return Size(x), err
			}
		}
	}
	return 0, fmt.Errorf("unknown unit %q", unit)
}

var sizes = [][]string{
	{"", "b", "bytes"},
	{"k", "kb", "kibibytes"},
	{"m", "mb", "mebibytes"},
	{"g", "gb", "gibibytes"},
	{"t", "tb", "tebibytes"},
}

// String is the size in the largest unit that divides it.
func (s Size) String() string {
	i := 0
	for s != 0 && s%1024 == 0 && i < len(sizes)-1 {
		s /= 1024
		i++
	}
	return strconv.FormatInt(int64(s), 10) + " " + sizes[i][1]
}

func split(s string) (n int64, unit string, err error) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err = strconv.ParseInt(s[:end], 10, 64)
	return n, strings.ToLower(strings.TrimSpace(s[end:])), err
}

// scale multiplies numbers that are not negative.
func scale(n, unit int64) (int64, error) {
	hi, lo := bits.Mul64(uint64(n), uint64(unit))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, fmt.Errorf("out of range")
	}
	return int64(lo), nil
}
