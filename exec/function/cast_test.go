package function

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// casts checks rows of `value => result`, separated by bars, from one type to another, in every shape. A
// result of ! is a failure under CAST and NULL under TRY_CAST.
func casts(t *testing.T, from, to, table string) {
	t.Helper()
	plain, err := Cast(parseType(from), parseType(to), false)
	if err != nil {
		t.Errorf("%s to %s: %v", from, to, err)
		return
	}
	try, _ := Cast(parseType(from), parseType(to), true)
	for _, p := range strings.Split(table, " | ") {
		in, want, _ := strings.Cut(p, " => ")
		arg := from + ":" + in
		if want == "!" {
			checkDeclared(t, plain, "fails", arg)
			checkDeclared(t, try, to+`:\N`, arg)
			continue
		}
		checkDeclared(t, plain, to+":"+want, arg)
		checkDeclared(t, try, to+":"+want, arg)
	}
}

func refused(t *testing.T, from, to, gist string) {
	t.Helper()
	_, err := Cast(parseType(from), parseType(to), true)
	if err == nil || !strings.Contains(err.Error(), gist) {
		t.Errorf("%s to %s: %v, want a refusal with %q", from, to, err, gist)
	}
}

func TestCastNumbers(t *testing.T) {
	casts(t, "BOOLEAN", "TINYINT", "true => 1 | false => 0")
	casts(t, "BOOLEAN", "DOUBLE", "true => 1.0")
	casts(t, "BOOLEAN", "DECIMAL(3, 1)", "true => 1.0 | false => 0.0")
	casts(t, "SMALLINT", "BOOLEAN", "0 => false | -1 => true | 300 => true")
	casts(t, "DOUBLE", "BOOLEAN", "0.0 => false | -0.0 => false | NaN => true | 1e-300 => true")
	casts(t, "DECIMAL(10, 2)", "BOOLEAN", "0.00 => false | 0.01 => true")
	casts(t, "INT", "TINYINT", "127 => 127 | 128 => -128 | 255 => -1 | 256 => 0 | -129 => 127 | 12345 => 57")
	casts(t, "BIGINT", "INT", "2147483648 => -2147483648 | 4294967296 => 0 | 12345678901 => -539222987")
	casts(t, "TINYINT", "BIGINT", "-128 => -128")
	casts(t, "BIGINT", "FLOAT", "16777217 => 1.6777216E7")
	casts(t, "FLOAT", "DOUBLE", "0.1 => 0.10000000149011612")
	casts(t, "FLOAT", "SMALLINT", "123456.7 => -7616 | Infinity => -1 | NaN => 0 | -Infinity => 0 | 1e10 => -1")
	casts(t, "DOUBLE", "INT", "1.9 => 1 | -1.9 => -1 | 1e20 => 2147483647 | -1e20 => -2147483648 | NaN => 0")
	casts(t, "DOUBLE", "BIGINT", "9.3e18 => 9223372036854775807 | -9.3e18 => -9223372036854775808")
	casts(t, "DOUBLE", "FLOAT", "1e300 => Infinity | -0.0 => -0.0")
}

func TestCastDecimals(t *testing.T) {
	casts(t, "INT", "DECIMAL(3, 1)", `12 => 12.0 | 99 => 99.0 | 100 => \N | -100 => \N`)
	casts(t, "INT", "DECIMAL(2, 2)", `0 => 0.00 | 1 => \N`)
	casts(t, "BIGINT", "DECIMAL(19, 0)", "-9223372036854775808 => -9223372036854775808")
	casts(t, "BIGINT", "DECIMAL(38, 18)", "9223372036854775807 => 9223372036854775807.000000000000000000 | "+
		"7 => 7.000000000000000000")
	casts(t, "FLOAT", "DECIMAL(38, 18)", `0.1 => 0.100000001490116120 | 3.4e38 => \N | `+
		`123456.7 => 123456.703125000000000000`)
	casts(t, "DOUBLE", "DECIMAL(10, 2)", `1.005 => 1.01 | 2.675 => 2.68 | -1.5 => -1.50 | 0.125 => 0.13 | `+
		`1e10 => \N | NaN => ! | Infinity => !`)
	casts(t, "DECIMAL(10, 2)", "SMALLINT", "1.50 => 1 | -1.50 => -1 | 99999999.99 => -7937 | 0.99 => 0")
	casts(t, "DECIMAL(10, 2)", "DOUBLE", "99999999.99 => 9.999999999E7 | 0.10 => 0.1 | -128.99 => -128.99")
	casts(t, "DECIMAL(10, 2)", "FLOAT", "0.10 => 0.1")
	casts(t, "DECIMAL(10, 2)", "DECIMAL(5, 0)", `1.50 => 2 | -1.50 => -2 | 0.49 => 0 | 0.50 => 1 | `+
		`99999999.99 => \N | 99999.49 => 99999 | 99999.50 => \N`)
	casts(t, "DECIMAL(10, 2)", "DECIMAL(4, 1)", "1.25 => 1.3 | -1.25 => -1.3 | 1.24 => 1.2")
	casts(t, "DECIMAL(10, 2)", "DECIMAL(4, 2)", `1.00 => 1.00 | 12345.67 => \N`)
	casts(t, "DECIMAL(10, 2)", "DECIMAL(38, 18)", "99999999.99 => 99999999.990000000000000000")
	casts(t, "DECIMAL(24, 3)", "DECIMAL(23, 3)", "1019587.752 => 1019587.752")
	casts(t, "DECIMAL(38, 18)", "BIGINT", "12345678901234567890.123456789012345678 => -6101065172474983726 | "+
		"-0.000000000000000001 => 0")
	casts(t, "DECIMAL(38, 18)", "INT", "12345678901234567890.123456789012345678 => -350287150")
	casts(t, "DECIMAL(38, 18)", "DECIMAL(10, 2)", `12345678901234567890.123456789012345678 => \N | `+
		`1.500000000000000000 => 1.50`)
	casts(t, "DECIMAL(38, 18)", "DOUBLE", "12345678901234567890.123456789012345678 => 1.2345678901234567E19")
	casts(t, "DECIMAL(38, 30)", "DECIMAL(38, 2)", "12345678.123456789012345678901234567890 => 12345678.12")
}

func TestCastText(t *testing.T) {
	casts(t, "STRING", "INT", `1.5 => 1 | \s12 => 12 | abc => ! | 2147483648 => ! | \e => !`)
	casts(t, "STRING", "TINYINT", "127 => 127 | 128 => !")
	casts(t, "STRING", "DOUBLE", "1e10 => 1.0E10 | .5 => 0.5 | 1d => 1.0 | -inf => !")
	casts(t, "STRING", "DECIMAL(10, 2)", "1.005 => 1.01 | 1e3 => 1000.00 | 100000000 => ! | x => !")
	casts(t, "STRING", "DECIMAL(38, 0)", "12345678901234567890123456789 => 12345678901234567890123456789 | "+
		"1- => !")
	casts(t, "STRING", "BOOLEAN", "No => false | T => true | maybe => !")
	casts(t, "STRING", "DATE", "2024-1-2 => 2024-01-02 | 2024-02-30 => !")
	casts(t, "STRING", "TIME(0)", "3:4:5 => 03:04:05 | 25:00:00 => !")
	casts(t, "STRING", "TIMESTAMP(3)", "2024-02-30 1:2:3.4567 => 2024-02-29 01:02:03.456 | "+
		"2024-01-02T03:04:05 => !")
	casts(t, "STRING", "TIMESTAMP_LTZ(3)", "2024-01-02 03:04:05 => 2024-01-02 03:04:05.000Z | x => !")
	casts(t, "STRING", "TIMESTAMP(9)", "2024-01-02 => 2024-01-02 00:00:00.000000000 | 2300-01-01 => !")
	casts(t, "STRING", "CHAR(3)", `a => a \s | abcd => abc | \e => \s \s | 日本語字 => 日本語`)
	casts(t, "STRING", "VARCHAR(13)", "日本語日本語日本語日本語日本語 => 日本語日本語日本語日本語日 | a text of more => a text of mor | "+
		"x => x")
	casts(t, "CHAR(3)", "STRING", `a\s => a\s`)
	casts(t, "STRING", "BYTES", `é => 0xc3a9 | \e => 0x`)
	casts(t, "STRING", "BINARY(2)", "a => 0x6100 | abc => 0x6162")
	casts(t, "STRING", "VARBINARY(2)", "a => 0x61 | abc => 0x6162")
	casts(t, "BYTES", "BINARY(3)", "0xff => 0xff0000")
	casts(t, "BYTES", "STRING", "0x68656c6c6f => hello | 0xff => � | 0x => \\e")
	casts(t, "BYTES", "VARCHAR(3)", "0x68656c6c6f => hel")
	casts(t, "BOOLEAN", "STRING", "true => TRUE")
	casts(t, "BOOLEAN", "VARCHAR(3)", "false => FAL")
	casts(t, "INT", "CHAR(3)", `-1 => -1\s | 12345 => 123`)
	casts(t, "DOUBLE", "STRING", "1e7 => 1.0E7 | 0.001 => 0.001 | 5e-324 => 4.9E-324 | -0.0 => -0.0 | "+
		"123456789.125 => 1.23456789125E8")
	casts(t, "DECIMAL(10, 2)", "STRING", "-0.05 => -0.05 | 100.00 => 100.00")
	casts(t, "TIME(3)", "STRING", "12:34:56.789 => 12:34:56.789 | 00:00:00 => 00:00:00.0 | "+
		"13:00:00.5 => 13:00:00.5")
	casts(t, "TIMESTAMP(3)", "VARCHAR(10)", "2024-02-29 12:34:56.789 => 2024-02-29")
	casts(t, "INTERVAL SECOND(3)", "STRING", "86400000ms => +1 00:00:00.000 | -93784005ms => -1 02:03:04.005")
	casts(t, "INTERVAL MONTH", "STRING", "14mo => +1-02 | -5mo => -0-05")
}

func TestCastTemporal(t *testing.T) {
	casts(t, "DATE", "TIMESTAMP(3)", "2024-02-29 => 2024-02-29 00:00:00.000 | "+
		"1969-12-31 => 1969-12-31 00:00:00.000")
	casts(t, "DATE", "TIMESTAMP(9)", "1970-01-02 => 1970-01-02 00:00:00.000000000 | 2300-01-01 => !")
	casts(t, "TIME(3)", "TIME(0)", "12:34:56.789 => 12:34:56")
	casts(t, "TIME(3)", "TIMESTAMP(6)", "12:34:56.789 => 1970-01-01 12:34:56.789000")
	casts(t, "TIMESTAMP(3)", "DATE", "1969-12-31 23:59:59.999 => 1969-12-31 | "+
		"2024-02-29 12:34:56.789 => 2024-02-29")
	casts(t, "TIMESTAMP(6)", "TIME(3)", "1969-12-31 23:59:59.999999 => 23:59:59.999")
	casts(t, "TIMESTAMP(9)", "TIMESTAMP(0)", "1969-12-31 23:59:59.999999999 => 1969-12-31 23:59:59 | "+
		"2024-02-29 12:34:56.789123456 => 2024-02-29 12:34:56")
	casts(t, "TIMESTAMP(9)", "TIMESTAMP(5)", "2024-02-29 12:34:56.789123456 => 2024-02-29 12:34:56.78912")
	casts(t, "TIMESTAMP(3)", "TIMESTAMP(9)", "2024-02-29 12:34:56.789 => 2024-02-29 12:34:56.789000000 | "+
		"9999-12-31 00:00:00 => !")
	casts(t, "TIMESTAMP_LTZ(3)", "TIMESTAMP_LTZ(1)", "2024-02-29 12:34:56.789Z => 2024-02-29 12:34:56.7Z")
}

func TestCastNested(t *testing.T) {
	casts(t, "ARRAY<STRING>", "ARRAY<INT>", `["1", "2"] => [1, 2] | [] => [] | [NULL, "3"] => [NULL, 3] | `+
		`["1", "x"] => !`)
	casts(t, "ARRAY<INT>", "STRING", "[3, NULL, 1] => [3, NULL, 1] | [] => []")
	casts(t, "ARRAY<BOOLEAN>", "STRING", "[true, false] => [TRUE, FALSE]")
	casts(t, "MAP<STRING, ARRAY<INT>>", "STRING", `{"a"=[1, 2]} => {a=[1, 2]}`)
	casts(t, "MAP<STRING, INT>", "MAP<STRING, DOUBLE>", `{"a"=1, "b"=NULL} => {"a"=1.0, "b"=NULL}`)
	casts(t, "MAP<STRING, STRING>", "MAP<INT, STRING>", `{"1"="x"} => {1="x"} | {"y"="x"} => !`)
	casts(t, "ROW<a INT, b STRING>", "ROW<x STRING, y INT>", `(7, "1") => ("7", 1) | (7, NULL) => ("7", NULL) | `+
		`(7, "z") => !`)
	casts(t, "ROW<a INT, r ROW<b INT>>", "STRING", "(7, (NULL)) => (7, (NULL))")
	casts(t, "ROW<a INT, b STRING>", "CHAR(9)", `(7, "q") => (7, q)  \s`)
	casts(t, "ARRAY<ROW<a INT>>", "ARRAY<ROW<a DECIMAL(2, 0)>>", "[(7), (100)] => [(7), (NULL)]")
	casts(t, "MULTISET<INT>", "MULTISET<STRING>", `{1=2} => {"1"=2}`)
}

func TestCastRefusals(t *testing.T) {
	refused(t, "BOOLEAN", "BYTES", "Cast function cannot convert value of type BOOLEAN to type BYTES")
	refused(t, "BOOLEAN", "TIMESTAMP(3)", "Cast function cannot convert")
	refused(t, "INT", "TIMESTAMP(3)", "The cast from NUMERIC type to TIMESTAMP"[1:])
	refused(t, "BIGINT", "TIMESTAMP_LTZ(3)", "TO_TIMESTAMP_LTZ(x, precision)")
	refused(t, "TIMESTAMP(3)", "BIGINT", "UNIX_TIMESTAMP")
	refused(t, "TIMESTAMP_LTZ(3)", "BIGINT", "TIMESTAMP_LTZ type to NUMERIC")
	for _, p := range []string{"INT DATE", "INT TIME(0)", "INT BINARY(2)", "DATE TIME(0)", "TIME(3) DATE",
		"DATE INT", "TIME(3) INT", "BYTES INT",
		"TIMESTAMP_LTZ(3) BOOLEAN", "DATE BYTES", "ARRAY<INT> INT", "INTERVAL SECOND(3) BIGINT",
		"INTERVAL SECOND(3) INTERVAL MONTH"} {
		from, to, _ := strings.Cut(p, " ")
		if strings.HasPrefix(p, "INTERVAL") {
			from, to = "INTERVAL SECOND(3)", strings.TrimPrefix(p, "INTERVAL SECOND(3) ")
		}
		refused(t, from, to, "Cast function cannot convert value of type "+from+" to type "+to)
	}
	refused(t, "STRING", "ARRAY<INT>", "unsupported cast from 'STRING' to 'ARRAY<INT>'")
	refused(t, "CHAR(1) NOT NULL", "INTERVAL SECOND(3)", "unsupported cast from 'CHAR(1) NOT NULL'")
	refused(t, "BYTES", "TIMESTAMP(3)", "unsupported cast")
	refused(t, "MULTISET<INT>", "STRING", "unsupported cast")
	refused(t, "INT", "INTERVAL SECOND(3)", "not supported")
	refused(t, "ROW<a INT, b INT>", "ROW<a BIGINT>", "Cast function cannot convert")
	refused(t, "ARRAY<DATE>", "ARRAY<INT>", "Cast function cannot convert value of type DATE to type INT")
}

// TestCastZones converts in a session away from UTC.
func TestCastZones(t *testing.T) {
	for _, c := range []struct{ zone, from, to, in, want string }{
		{"Europe/Berlin", "TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", "2024-03-31 02:30:00", "2024-03-31 01:30:00.000Z"},
		{"Europe/Berlin", "TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", "2024-10-27 02:30:00", "2024-10-27 00:30:00.000Z"},
		{"Europe/Berlin", "TIMESTAMP_LTZ(3)", "TIMESTAMP(6)", "2024-10-27 01:30:00Z", "2024-10-27 02:30:00.000000"},
		{"Europe/Berlin", "TIMESTAMP_LTZ(3)", "STRING", "1945-05-24 00:30:00Z", "1945-05-24 03:30:00.000"},
		{"America/New_York", "TIMESTAMP_LTZ(3)", "DATE", "2024-10-27 00:30:00Z", "2024-10-26"},
		{"America/New_York", "TIMESTAMP_LTZ(3)", "TIME(0)", "2024-03-10 06:59:59Z", "01:59:59"},
		{"Asia/Kolkata", "DATE", "TIMESTAMP_LTZ(0)", "2024-01-01", "2023-12-31 18:30:00Z"},
		{"Asia/Kolkata", "STRING", "TIMESTAMP_LTZ(3)", "2024-01-01", "2023-12-31 18:30:00.000Z"},
		{"Asia/Kolkata", "ARRAY<TIMESTAMP_LTZ(3)>", "STRING", "[2023-12-31 18:30:00Z]", "[2024-01-01 00:00:00.000]"},
		{"Asia/Kolkata", "TIME(0)", "TIMESTAMP_LTZ(0)", "05:30:00", "1970-01-01 00:00:00Z"},
	} {
		loc, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := castOne(t, c.from, c.to, c.in, &Env{Zone: loc}); got != c.want {
			t.Errorf("%s: %s %s to %s: %s, want %s", c.zone, c.from, c.in, c.to, got, c.want)
		}
	}
	if got := castOne(t, "STRING", "INT", "abc", &Env{LegacyCast: true}); got != `\N` {
		t.Errorf("a legacy cast: %s", got)
	}
}

func castOne(t *testing.T, from, to, in string, env *Env) string {
	t.Helper()
	s, err := Cast(parseType(from), parseType(to), false)
	if err != nil {
		t.Fatal(err)
	}
	sig, _ := s.Type([]Arg{{Type: parseType(from)}})
	kern, err := s.Bind(Binding{Args: []Arg{{Type: parseType(from)}}, Result: sig.Result, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	out := &vector.Column{}
	out.Reset(sig.Result, 1)
	var c Call
	c.Reset(out, []*vector.Column{constant(parseType(from), in, false)}, nil)
	kern(&c)
	if _, err := c.Err(); err != nil {
		t.Fatal(err)
	}
	return string(text.AppendCell(nil, out, 0))
}

func TestCastTypes(t *testing.T) {
	for _, c := range []struct {
		from, to string
		try      bool
		want     string
	}{
		{"INT NOT NULL", "BIGINT", false, "BIGINT NOT NULL"}, {"INT NOT NULL", "BIGINT", true, "BIGINT"}, {"INT",
			"BIGINT NOT NULL", false, "BIGINT"},
		{"INT NOT NULL", "DECIMAL(10, 0)", false, "DECIMAL(10, 0) NOT NULL"}, {"INT NOT NULL", "DECIMAL(9, 0)",
			false, "DECIMAL(9, 0)"},
		{"DECIMAL(4, 2) NOT NULL", "DECIMAL(3, 1)", false, "DECIMAL(3, 1)"}, {"STRING NOT NULL", "DECIMAL(3, 1)",
			false, "DECIMAL(3, 1) NOT NULL"},
	} {
		s, err := Cast(parseType(c.from), parseType(c.to), c.try)
		if err != nil {
			t.Fatal(err)
		}
		if sig, _ := s.Type([]Arg{{Type: parseType(c.from)}}); sig.Result.String() != c.want {
			t.Errorf("%s to %s: %s, want %s", c.from, c.to, sig.Result, c.want)
		}
	}
	if s, _ := Cast(types.Of(types.Int), types.Of(types.BigInt), false); s.Fails {
		t.Error("INT to BIGINT fails")
	}
	if s, _ := Cast(types.String(), types.Of(types.BigInt), false); !s.Fails {
		t.Error("STRING to BIGINT does not fail")
	}
}

// TestCastMessages reads what a user sees, of the row that fails first among those that count.
func TestCastMessages(t *testing.T) {
	for _, c := range []struct{ from, to, in, want string }{
		{"STRING", "INT", "12a", "cannot parse '12a' as INT: Invalid character found."},
		{"STRING", "TINYINT", "128", "cannot parse '128' as TINYINT: Overflow."},
		{"STRING", "BOOLEAN", "maybe", "cannot parse 'maybe' as BOOLEAN"},
		{"ARRAY<STRING>", "ARRAY<INT>", `["1", "x"]`, "cannot parse 'x' as INT"},
		{"ROW<a INT, b ARRAY<STRING>>", "ROW<a INT, b ARRAY<DATE>>", `(1, ["2024-01-01", "y"])`,
			"cannot parse 'y' as DATE: Expected"},
		{"DOUBLE", "DECIMAL(10, 2)", "NaN", "cannot cast NaN to DECIMAL(10, 2)"},
	} {
		s, err := Cast(parseType(c.from), parseType(c.to), false)
		if err != nil {
			t.Fatal(err)
		}
		checkDeclared(t, s, "fails: "+c.want, c.from+":"+c.in)
	}
}

func TestCastAllocations(t *testing.T) {
	for _, p := range []struct{ from, to, in string }{
		{"BIGINT", "INT", "7"}, {"DECIMAL(24, 3)", "DECIMAL(23, 3)", "7.123"}, {"STRING", "DOUBLE", "1234.5"},
		{"STRING", "INT", "x"},
		{"DOUBLE", "STRING", "1234.5"}, {"STRING", "VARCHAR(5)", "abcdefg"}, {"TIMESTAMP(3)", "TIMESTAMP_LTZ(3)",
			"2024-01-01 00:00:00"},
		{"TIMESTAMP_LTZ(3)", "STRING", "2024-01-01 00:00:00"}, {"ARRAY<INT>", "ARRAY<BIGINT>", "[1, 2]"},
		{"DOUBLE", "DECIMAL(10, 2)", "1.5"},
	} {
		from, to := parseType(p.from), parseType(p.to)
		s, err := Cast(from, to, true)
		if err != nil {
			t.Fatal(err)
		}
		loc, _ := time.LoadLocation("Europe/Berlin")
		sig, _ := s.Type([]Arg{{Type: from}})
		kern, _ := s.Bind(Binding{Args: []Arg{{Type: from}}, Result: sig.Result, Env: &Env{Zone: loc}})
		one := constant(from, p.in, false)
		one.Len = 1024
		in, out := &vector.Column{}, &vector.Column{}
		vector.Flatten(in, one)
		args := []*vector.Column{in}
		var c Call
		run := func() {
			out.Reset(sig.Result, 1024)
			c.Reset(out, args, nil)
			kern(&c)
		}
		run()
		if n := testing.AllocsPerRun(5, run); n > 3 {
			t.Errorf("%s to %s: %v allocations in a batch", p.from, p.to, n)
		}
	}
}

func BenchmarkCast(b *testing.B) {
	for _, p := range []struct{ from, to, in string }{
		{"BIGINT", "INT", "7"}, {"DOUBLE", "INT", "7.5"}, {"DECIMAL(24, 3)", "DECIMAL(23, 3)", "7.123"},
		{"DECIMAL(10, 3)", "DECIMAL(10, 1)", "7.123"}, {"BIGINT", "DECIMAL(20, 2)", "7"}, {"STRING", "INT", "12345"},
		{"STRING", "TIMESTAMP(3)", "2024-01-02 03:04:05.678"}, {"TIMESTAMP(3)", "STRING", "2024-01-02 03:04:05.678"},
		{"BIGINT", "STRING", "1234567"}, {"DOUBLE", "STRING", "1234.5"}, {"STRING", "VARCHAR(5)", "abcdefg"},
		{"TIMESTAMP(3)", "DATE", "2024-01-02 03:04:05.678"}, {"STRING", "DOUBLE", "1234.5"}, {"STRING", "BIGINT", "1234567890123"},
		{"STRING", "DECIMAL(10, 2)", "1234.56"}, {"DECIMAL(10, 2)", "STRING", "1234.56"}, {"FLOAT", "STRING", "1234.5"},
		{"DOUBLE", "STRING", "0.1234567890123"},
	} {
		b.Run(p.from+" to "+p.to, func(b *testing.B) {
			from := parseType(p.from)
			s, err := Cast(from, parseType(p.to), false)
			if err != nil {
				b.Fatal(err)
			}
			sig, _ := s.Type([]Arg{{Type: from}})
			kern, _ := s.Bind(Binding{Args: []Arg{{Type: from}}, Result: sig.Result, Env: testEnv})
			one := constant(from, p.in, false)
			one.Len = 1024
			in, out := &vector.Column{}, &vector.Column{}
			vector.Flatten(in, one)
			args := []*vector.Column{in}
			var c Call
			b.ReportAllocs()
			for b.Loop() {
				out.Reset(sig.Result, 1024)
				c.Reset(out, args, nil)
				kern(&c)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/row")
		})
	}
}
