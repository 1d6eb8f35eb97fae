package text_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
)

// reads parses `in=out` pairs separated by blanks-bar-blanks; `!` stands for a refusal.
func reads(t *testing.T, name, table string, parse func(b []byte) string) {
	t.Helper()
	for _, p := range strings.Split(table, "|") {
		in, want, _ := strings.Cut(p, "=")
		if got := parse([]byte(in)); got != want {
			t.Errorf("%s %q: %q, want %q", name, in, got, want)
		}
	}
}

func shown(v any, f text.Fault) string {
	if f != text.Ok {
		return "!"
	}
	return fmt.Sprint(v)
}

func TestParseNumbers(t *testing.T) {
	reads(t, "BOOLEAN", "=!| =!|1=true|0=false| 1 =!|+1=!|TRUE=true|False=false|t=true|F=false|yes=true|No=false|"+
		"y=true|n=false|on=!|truer=!|falsey=!", func(b []byte) string { return shown(text.ParseBool(b)) })
	reads(t, "INT", "=!| =!|1=1| 1 =1|+1=1|-1=-1|1.5=1|-1.5=-1|1e2=!|0x10=!|abc=!|2147483647=2147483647|"+
		"2147483648=!|-2147483648=-2147483648|-2147483649=!|.5=0|5.=5|1_000=!|-=!|+=!|.=!|1.x=!|00012=12|é=!|1 2=!",
		func(b []byte) string { return shown(text.ParseInt(b, 32)) })
	reads(t, "TINYINT", "127=127|128=!|-128=-128|-129=!|300=!",
		func(b []byte) string { return shown(text.ParseInt(b, 8)) })
	reads(t, "BIGINT", "9223372036854775807=9223372036854775807|9223372036854775808=!|"+
		"-9223372036854775808=-9223372036854775808|-9223372036854775809=!|99999999999999999999999=!",
		func(b []byte) string { return shown(text.ParseInt(b, 64)) })
	reads(t, "DOUBLE", "=!| =!|1=1.0| 1 =1.0|1e2=100.0|0x10=!|NaN=NaN|Infinity=Infinity|-Infinity=-Infinity|"+
		"-inf=!|inf=!|"+
		"1d=1.0|1f=1.0|.5=0.5|5.=5.0|1_000=!|nan=!|d=!|.=!|1e=!|1e400=Infinity|0x1p3=8.0|-=!|é=!|1dd=!",
		func(b []byte) string {
			v, f := text.ParseFloat(b, 64)
			return shown(string(text.AppendDouble(nil, v)), f)
		})
	if _, f := text.ParseInt([]byte("128"), 8); f != text.Overflow {
		t.Errorf("128 as TINYINT: %q", f)
	}
	if _, f := text.ParseInt([]byte("12a"), 32); f != text.Invalid {
		t.Errorf("12a as INT: %q", f)
	}
}

func TestParseDecimal(t *testing.T) {
	read := func(p, s int) func(b []byte) string {
		return func(b []byte) string {
			v, f := text.ParseDecimal(b, p, s)
			return shown(string(text.AppendDecimal(nil, v, s)), f)
		}
	}
	reads(t, "DECIMAL(10,2)", "=!| =!|1=1.00|0=0.00| 1 =1.00|+1=1.00|-1=-1.00|1.5=1.50|-1.5=-1.50|2.25=2.25|"+
		"1e2=100.00|"+
		"1E-1=0.10|abc=!|t=!|1.0=1.00|.5=0.50|5.=5.00|-=!|1-=1.00|1d=1.00|99999999.994=99999999.99|99999999.995=!|"+
		"1 2=!|1,5=!|0x10=!|1_000=!|1.005=1.01|-1.005=-1.01|1.2.3=!|100000000=!|0.004999=0.00|1e-9=0.00|1e=1.00|"+
		"1ee=!", read(10, 2))
	reads(t, "DECIMAL(5,0)", "2.5=3|-1.5=-2|99999=99999|99999.4=99999|99999.5=!|0.5=1|0.4=0|12345678901=!",
		read(5, 0))
	reads(t, "DECIMAL(2,2)", "0.99=0.99|.005=0.01|1=!|0.995=!", read(2, 2))
	reads(t, "DECIMAL(38,18)", "12345678901234567890.123456789012345678=12345678901234567890.123456789012345678|"+
		"-0.000000000000000001=-0.000000000000000001|1-=!|1e19=10000000000000000000.000000000000000000|1e20=!|"+
		"0.0000000000000000005=0.000000000000000001|99999999999999999999.9999999999999999995=!|"+
		"0e99=0.000000000000000000", read(38, 18))
	reads(t, "DECIMAL(38,0)", strings.Repeat("9", 38)+"="+strings.Repeat("9", 38)+"|1"+strings.Repeat("0",
		38)+"=!", read(38, 0))
}

func TestParseDates(t *testing.T) {
	reads(t, "DATE", "2024-01-02=2024-01-02|2024-1-2=2024-01-02|2024-01-02 10:00:00=2024-01-02|2024=2024-01-01|"+
		"2024-01=2024-01-01|2024-02-30=!|2024-13-01=!|2024-01-02T03:04:05=!|  2024-01-02 03:04:05  =!|20240102=!|"+
		"12:34:56=!|"+
		"-0001-01-01=!|0000-01-01=0000-01-01|10000-01-01=!|24-01-02=0024-01-02|2023-02-29=!|2024-02-29=2024-02-29|"+
		"2024/01/02=!|=!|x=!|1582-10-10=1582-10-10|2024-01-02-03=!",
		func(b []byte) string {
			v, f := text.ParseDate(b)
			return shown(string(text.AppendDate(nil, int64(v))), f)
		})
	reads(t, "TIME(3)", "03:04:05=03:04:05.000|3:4:5=03:04:05.000|03:04=03:04:00.000|1=01:00:00.000| "+
		"1 =01:00:00.000|"+
		"25:00:00=!|24:00:00=!|23:59:60=!|12:34:56.789=12:34:56.789|12:34:56.7891=12:34:56.789|1.5=!|+1=!|x=!|=!|"+
		"128=!|"+
		"1:2:3:4=!|2024-01-02 03:04:05=!", func(b []byte) string {
		v, f := text.ParseTime(b, 3)
		return shown(string(text.AppendTime(nil, v, 3)), f)
	})
	reads(t, "TIME(0)", "12:34:56.789=12:34:56", func(b []byte) string {
		v, f := text.ParseTime(b, 0)
		return shown(string(text.AppendTime(nil, v, 0)), f)
	})
}

const timestamps = "2024-01-02 03:04:05=2024-01-02 03:04:05.000000|" +
	"2024-01-02 03:04:05.1=2024-01-02 03:04:05.100000|" +
	"2024-01-02 03:04:05.123456789=2024-01-02 03:04:05.123456|2024-01-02 03:04:05.1234567891=!|" +
	"2024-01-02=2024-01-02 00:00:00.000000|2024-1-2=2024-01-02 00:00:00.000000|" +
	"2024-1-2 3:4:5=2024-01-02 03:04:05.000000|" +
	"2024-01-02T03:04:05=!|2024-01-02 03:04=!|2024-01-02 03=!|2024-02-30=2024-02-29 00:00:00.000000|" +
	"2024-02-30 00:00:00=2024-02-29 00:00:00.000000|2024-13-01=!|2024-01-02 24:00:00=2024-01-03 00:00:00.000000|" +
	"2024-01-02 24:00:01=!|2024-01-02 23:59:60=!|=!|abc=!|  2024-01-02 03:04:05  =!|2024=!|2024-01=!|" +
	"20240102=!|12:34:56=!|" +
	"-0001-01-01=!|0000-01-01=!|10000-01-01=!|2024-01-02 03:04:05Z=!|2024-01-02 03:04:05+01:00=!|" +
	"2024-01-02 03:04:05.=2024-01-02 03:04:05.000000|2023-02-29=2023-02-28 00:00:00.000000|" +
	"1582-10-10=1582-10-10 00:00:00.000000|24-01-02=!|2024/01/02=!|2024-01-32=!|" +
	"1969-12-31 23:59:59.999999=1969-12-31 23:59:59.999999"

func TestParseTimestamps(t *testing.T) {
	six := types.TimestampOf(6)
	reads(t, "TIMESTAMP(6)", timestamps, func(b []byte) string {
		v, f := text.ParseTimestamp(b, six)
		return shown(string(text.AppendTimestamp(nil, v, six)), f)
	})
	for p, want := range map[int]string{0: "1969-12-31 23:59:59", 1: "1969-12-31 23:59:59.9",
		3: "1969-12-31 23:59:59.987",
		5: "1969-12-31 23:59:59.98765", 7: "1969-12-31 23:59:59.9876543", 9: "1969-12-31 23:59:59.987654321"} {
		typ := types.TimestampOf(p)
		v, f := text.ParseTimestamp([]byte("1969-12-31 23:59:59.987654321"), typ)
		if got := string(text.AppendTimestamp(nil, v, typ)); got != want || f != text.Ok {
			t.Errorf("TIMESTAMP(%d): %s %s, want %s", p, got, f, want)
		}
	}
	if _, f := text.ParseTimestamp([]byte("2300-01-01"), types.TimestampOf(9)); f != text.OutOfRange {
		t.Errorf("2300 in nanoseconds: %q", f)
	}
	if _, f := text.ParseTimestamp([]byte("9999-12-31 23:59:59"), six); f != text.Ok {
		t.Errorf("9999 in microseconds: %q", f)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	ltz, zone := types.TimestampLTZOf(3), kernel.NewZone(berlin)
	reads(t, "TIMESTAMP_LTZ(3)", "2024-03-31 02:30:00=2024-03-31 01:30:00.000|"+
		"2024-10-27 02:30:00=2024-10-27 00:30:00.000|"+
		"2024-07-01 00:00:00=2024-06-30 22:00:00.000|2024-07-01 00:00:00Z=!", func(b []byte) string {
		v, f := text.ParseTimestampLTZ(b, ltz, zone)
		return shown(string(text.AppendTimestamp(nil, v, ltz)), f)
	})
}

func TestParseAllocatesNothing(t *testing.T) {
	b, typ := []byte("2024-01-02 03:04:05.678"), types.TimestampOf(3)
	num, buf := []byte("-12345.678"), make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		v, _ := text.ParseTimestamp(b, typ)
		buf = text.AppendTimestamp(buf[:0], v, typ)
		d, _ := text.ParseDecimal(num, 10, 2)
		buf = text.AppendDecimal(buf, d, 2)
		f, _ := text.ParseFloat(num, 64)
		buf = text.AppendDouble(buf, f)
		_, _ = text.ParseInt(num, 32)
		buf = text.AppendDouble(buf, math.SmallestNonzeroFloat64)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
