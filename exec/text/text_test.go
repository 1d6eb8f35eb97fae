package text_test

import (
	"math"
	"testing"
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

func TestJavaFloats(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.0", math.Copysign(0, -1): "-0.0", 1: "1.0", -1.5: "-1.5", 0.1: "0.1", 0.001: "0.001", 0.0001: "1.0E-4",
		1e7: "1.0E7", 9999999: "9999999.0", 1234567: "1234567.0", 12345678: "1.2345678E7", 1e300: "1.0E300",
		5e-324: "4.9E-324", 1e-323: "9.9E-324", 1.7976931348623157e308: "1.7976931348623157E308",
		123456789.125: "1.23456789125E8", 9007199254740993: "9.007199254740992E15", 100: "100.0", 1e22: "1.0E22",
		3.141592653589793: "3.141592653589793", 0.002: "0.002", 2147483648.5: "2.1474836485E9", 123456.703125: "123456.703125",
		math.Inf(1): "Infinity", math.Inf(-1): "-Infinity", 1e-300: "1.0E-300", 0.00123: "0.00123", 120: "120.0",
		12.5: "12.5",
	} {
		if got := string(text.AppendDouble(nil, v)); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float32]string{
		0.1: "0.1", 3.4028235e38: "3.4028235E38", 1e-45: "1.4E-45", 16777216: "1.6777216E7", 123456.79: "123456.79",
		0.33333334: "0.33333334", 1e10: "1.0E10", 1e-4: "1.0E-4",
	} {
		if got := string(text.AppendFloat(nil, v)); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
	if got := string(text.AppendDouble(nil, math.NaN())); got != "NaN" {
		t.Error(got)
	}
}

func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		v     kernel.Int128
		scale int
		want  string
	}{
		{kernel.Int128Of(0), 2, "0.00"}, {kernel.Int128Of(-5), 2, "-0.05"}, {kernel.Int128Of(150), 2, "1.50"},
		{kernel.Int128Of(math.MinInt64), 0, "-9223372036854775808"}, {kernel.Int128{Lo: 1 << 63}, 1,
			"922337203685477580.8"},
		{kernel.Int128{Lo: math.MaxUint64, Hi: math.MaxInt64}, 0, "170141183460469231731687303715884105727"},
		{kernel.Int128{Lo: 0, Hi: 1}, 38, "0.00000000000000000018446744073709551616"},
		{kernel.Int128{Lo: 0, Hi: -1}, 0, "-18446744073709551616"},
	} {
		if got := string(text.AppendDecimal(nil, c.v, c.scale)); got != c.want {
			t.Errorf("%v: %s, want %s", c.v, got, c.want)
		}
	}
}

func TestUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"ok é": "ok é", "\xff": "�", "a\xe2\x82z": "a�z", "\xe2\x28\xa1": "�(�", "\xf0\x9f\x98": "�",
		"\xed\xa0\x80": "�", "\xed\xa0z": "�z",
		"\xc0\xaf": "��", "\xf4\x90\x80\x80": "����", "\xe2\x82\xac\xe2": "€�",
	} {
		if got := string(text.AppendUTF8(nil, []byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// sample is one row of every kind, with its four forms: CAST, cell, golden, print.
func sample() []struct {
	c    *vector.Column
	want [4]string
} {
	i32 := func(t types.Type, v int32) *vector.Column { return vector.OfSlice(t, []int32{v}) }
	i64 := func(t types.Type, v int64) *vector.Column { return vector.OfSlice(t, []int64{v}) }
	arr := vector.OfSlice(types.ArrayOf(types.String()), []int32{})
	arr.Len, arr.Offsets = 1, []int32{0, 2}
	s := vector.ConstText(types.String(), `q"\`, 1)
	s.Enc = vector.Flat
	two := &vector.Column{}
	vector.Flatten(two, vector.ConstText(types.String(), `q"\`, 2))
	two.SetNull(1)
	arr.Children = []*vector.Column{two}
	m := vector.OfSlice(types.MapOf(types.String(), types.Of(types.Int)), []int32{})
	keys := &vector.Column{}
	keys.Reset(types.String(), 2)
	w := vector.NewText(keys)
	w.PutString(0, "b")
	w.PutString(1, "a")
	w.Finish()
	m.Len, m.Offsets, m.Children = 1, []int32{0, 2}, []*vector.Column{keys,
		vector.OfSlice(types.Of(types.Int), []int32{1, 2})}
	row := vector.OfSlice(types.RowOf(types.Field{Name: "a", Type: types.Of(types.Int)}, types.Field{Name: "b",
		Type: types.String()}), []int32{})
	row.Len, row.Children = 1, []*vector.Column{i32(types.Of(types.Int), 7), vector.ConstNull(types.String(), 1)}
	ms := int64(1709210096789)
	return []struct {
		c    *vector.Column
		want [4]string
	}{
		{vector.ConstBool(types.Of(types.Boolean), true, 1), [4]string{"TRUE", "true", "true", "true"}},
		{vector.ConstNull(types.String(), 1), [4]string{"NULL", `\N`, `\N`, "null"}},
		{vector.ConstText(types.String(), "", 1), [4]string{"", `\e`, "", ""}},
		{vector.ConstText(types.String(), "  ", 1), [4]string{"  ", `\s\s`, "  ", "  "}},
		{vector.ConstText(types.String(), " ", 1), [4]string{" ", `\s`, " ", " "}},
		{vector.ConstText(types.String(), "a\tb\\\x01\u2028", 1), [4]string{"a\tb\\\x01\u2028", `a\tb\\\x01\u2028`,
			"a\\tb\\\\\x01\u2028", "a\tb\\\x01\u2028"}},
		{vector.ConstText(types.Bytes(), "a\xff", 1), [4]string{"a�", "0x61ff", "0x61ff", "[97, -1]"}},
		{i32(types.TimeOf(3), 45296700), [4]string{"12:34:56.7", "12:34:56.700", "12:34:56.700", "12:34:56.700"}},
		{i32(types.TimeOf(3), 45240000), [4]string{"12:34:00.0", "12:34:00.000", "12:34:00.000", "12:34"}},
		{i32(types.TimeOf(0), 45240000), [4]string{"12:34:00", "12:34:00", "12:34:00", "12:34"}},
		{i32(types.Of(types.Date), -1), [4]string{"1969-12-31", "1969-12-31", "1969-12-31", "1969-12-31"}},
		{i64(types.TimestampOf(3), ms), [4]string{"2024-02-29 12:34:56.789", "2024-02-29 12:34:56.789",
			"1709210096789",
			"2024-02-29T12:34:56.789"}},
		{i64(types.TimestampOf(6), ms*1000), [4]string{"2024-02-29 12:34:56.789000", "2024-02-29 12:34:56.789000",
			"1709210096789", "2024-02-29T12:34:56.789"}},
		{i64(types.TimestampLTZOf(3), ms), [4]string{"2024-02-29 13:34:56.789", "2024-02-29 12:34:56.789Z",
			"1709210096789",
			"2024-02-29T12:34:56.789Z"}},
		{i64(types.Of(types.IntervalDay), -93784005), [4]string{"-1 02:03:04.005", "-93784005ms", "-93784005ms",
			"PT-26H-3M-4.005S"}},
		{i32(types.Of(types.IntervalMonth), 14), [4]string{"+1-02", "14mo", "14mo", "P1Y2M"}},
		{vector.OfSlice(types.DecimalOf(38, 3), []kernel.Int128{kernel.Int128Of(-1)}), [4]string{"-0.001",
			"-0.001", "-0.001",
			"-0.001"}},
		{arr, [4]string{`[q"\, NULL]`, `["q\"\\", NULL]`, `["q\"\\", NULL]`, `[q"\, null]`}},
		{m, [4]string{"{b=1, a=2}", `{"a"=2, "b"=1}`, `{"a"=2, "b"=1}`, "{b=1, a=2}"}},
		{row, [4]string{"(7, NULL)", "(7, NULL)", "(7, NULL)", "+I[7, null]"}},
	}
}

func TestForms(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sample() {
		b := &vector.Batch{Len: 1, Cols: []*vector.Column{s.c}, Kinds: []vector.RowKind{vector.UpdateBefore}}
		got := [4]string{string(text.Append(nil, s.c, 0, berlin)), string(text.AppendCell(nil, s.c, 0)),
			string(text.AppendGolden(nil, s.c, 0)), string(text.AppendRow(nil, b, 0))}
		s.want[3] = "-U[" + s.want[3] + "]"
		if got != s.want {
			t.Errorf("%s: %q, want %q", s.c.Type, got, s.want)
		}
		var dict vector.Column
		flat := &vector.Column{}
		vector.Flatten(flat, s.c)
		dict.SetDict(s.c.Type, []int32{0}, &vector.Dictionary{Values: flat})
		if again := string(text.AppendCell(nil, &dict, 0)); again != s.want[1] {
			t.Errorf("%s as a dictionary: %q, want %q", s.c.Type, again, s.want[1])
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	buf := make([]byte, 0, 64)
	typ := types.TimestampOf(3)
	b.Run("timestamp", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = text.AppendTimestamp(buf[:0], 1709210096789, typ)
		}
	})
	b.Run("double", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = text.AppendDouble(buf[:0], 1234.5678)
		}
	})
	b.Run("double of 13 digits", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = text.AppendDouble(buf[:0], 1234567.890123)
		}
	})
	b.Run("double of 17 digits", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = text.AppendDouble(buf[:0], 0.30000000000000004)
		}
	})
	b.Run("float", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = text.AppendFloat(buf[:0], 1234.5678)
		}
	})
	b.Run("decimal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = text.AppendDecimal64(buf[:0], 1234567890, 3)
		}
	})
}
