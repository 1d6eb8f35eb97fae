package text

import (
	"strconv"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// AppendDate writes yyyy-MM-dd.
func AppendDate(dst []byte, days int64) []byte {
	y, m, d := kernel.CivilFromDays(days)
	return append2(append(append2(append(appendYear(dst, y), '-'), m), '-'), d)
}

func appendYear(dst []byte, y int64) []byte {
	switch {
	case y < 0:
		return appendPadded(append(dst, '-'), uint64(-y), 4)
	case y > 9999:
		return strconv.AppendInt(dst, y, 10)
	}
	return append2(append2(dst, y/100), y%100)
}

func append2(dst []byte, v int64) []byte { return append(dst, byte('0'+v/10), byte('0'+v%10)) }

// appendClock writes HH:mm:ss.
func appendClock(dst []byte, sec int64) []byte {
	dst = append(append2(dst, sec/3600), ':')
	dst = append(append2(dst, sec/60%60), ':')
	return append2(dst, sec%60)
}

// appendFraction writes a point and the first digits of a fraction of a second in nanoseconds.
func appendFraction(dst []byte, nanos int64, digits int) []byte {
	if digits == 0 {
		return dst
	}
	for i := digits; i < 9; i++ {
		nanos /= 10
	}
	return appendPadded(append(dst, '.'), uint64(nanos), digits)
}

// AppendTime writes a TIME, in milliseconds of the day, with all digits of its precision.
func AppendTime(dst []byte, ms int32, precision int) []byte {
	return appendFraction(appendClock(dst, int64(ms)/1000), int64(ms)%1000*1e6, precision)
}

// AppendTimeShort writes a TIME as CAST does: with as many digits as needed and at least one, but none
// for TIME(0).
func AppendTimeShort(dst []byte, ms int32, precision int) []byte {
	nanos, digits := int64(ms)%1000*1e6, min(precision, 3)
	dst = appendFraction(appendClock(dst, int64(ms)/1000), nanos, digits)
	for ; digits > 1 && dst[len(dst)-1] == '0'; digits-- {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// AppendTimestamp writes yyyy-MM-dd HH:mm:ss and the digits of t's precision; ticks are t's.
func AppendTimestamp(dst []byte, ticks int64, t types.Type) []byte {
	days, sec, nanos := SplitTimestamp(ticks, t)
	dst = append(AppendDate(dst, days), ' ')
	return appendFraction(appendClock(dst, sec), nanos, t.Precision)
}

// SplitTimestamp divides a timestamp of type t into its day, the second of the day and the nanoseconds.
func SplitTimestamp(ticks int64, t types.Type) (days, sec, nanos int64) {
	tick := t.TickNanos()
	perSecond := 1_000_000_000 / tick
	s := kernel.FloorDiv(ticks, perSecond)
	days = kernel.FloorDiv(s, 86400)
	return days, s - days*86400, (ticks - s*perSecond) * tick
}

// AppendIntervalDay writes a day-time interval of milliseconds as `+1 02:03:04.005`.
func AppendIntervalDay(dst []byte, ms int64) []byte {
	dst, u := appendSign(dst, ms)
	dst = append(strconv.AppendUint(dst, u/kernel.MilliDay, 10), ' ')
	rest := int64(u % kernel.MilliDay)
	return appendFraction(appendClock(dst, rest/1000), rest%1000*1e6, 3)
}

// AppendIntervalMonth writes a year-month interval as `+1-02`.
func AppendIntervalMonth(dst []byte, months int32) []byte {
	dst, u := appendSign(dst, int64(months))
	return append2(append(strconv.AppendUint(dst, u/12, 10), '-'), int64(u%12))
}

func appendSign(dst []byte, v int64) ([]byte, uint64) {
	if v < 0 {
		return append(dst, '-'), -uint64(v)
	}
	return append(dst, '+'), uint64(v)
}
