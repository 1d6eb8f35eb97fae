package text_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
)

// TestRoundTrip reads back what was written (X3).
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	buf := make([]byte, 0, 64)
	for range 20000 {
		i := r.Int64() >> r.IntN(64)
		if r.IntN(2) == 0 {
			i = -i
		}
		buf = text.AppendInt(buf[:0], i)
		if v, f := text.ParseInt(buf, 64); v != i || f != text.Ok {
			t.Fatalf("BIGINT %d: %s, %d %s", i, buf, v, f)
		}
		d := math.Float64frombits(r.Uint64())
		buf = text.AppendDouble(buf[:0], d)
		if v, f := text.ParseFloat(buf, 64); (v != d && d == d) || f != text.Ok {
			t.Fatalf("DOUBLE %g: %s, %g %s", d, buf, v, f)
		}
		s := math.Float32frombits(r.Uint32())
		buf = text.AppendFloat(buf[:0], s)
		if v, f := text.ParseFloat(buf, 32); (float32(v) != s && s == s) || f != text.Ok {
			t.Fatalf("FLOAT %g: %s, %g %s", s, buf, v, f)
		}
		p := 1 + r.IntN(38)
		scale := r.IntN(p + 1)
		_, w := kernel.Int128{Lo: r.Uint64(), Hi: r.Int64()}.QuoRem(kernel.Pow10Wide(p))
		buf = text.AppendDecimal(buf[:0], w, scale)
		if v, f := text.ParseDecimal(buf, p, scale); v != w || f != text.Ok {
			t.Fatalf("DECIMAL(%d, %d) %v: %s, %v %s", p, scale, w, buf, v, f)
		}
		day := kernel.DaysFromCivil(1, 1, 1) + r.Int64N(3652059)
		buf = text.AppendDate(buf[:0], day)
		if v, f := text.ParseDate(buf); int64(v) != day || f != text.Ok {
			t.Fatalf("DATE %d: %s, %d %s", day, buf, v, f)
		}
		typ := types.TimestampOf(r.IntN(10))
		tick := r.Int64N(1<<62) - 1<<61
		if typ.Precision <= 6 {
			tick %= 60_000_000_000_000 // the years 69 to 3871 in microseconds
		}
		tick = text.CutTicks(tick, typ)
		buf = text.AppendTimestamp(buf[:0], tick, typ)
		if v, f := text.ParseTimestamp(buf, typ); v != tick || f != text.Ok {
			t.Fatalf("%s %d: %s, %d %s", typ, tick, buf, v, f)
		}
		ms := text.CutTime(r.Int32N(86400000), 3)
		buf = text.AppendTimeShort(buf[:0], ms, 3)
		if v, f := text.ParseTime(buf, 3); v != ms || f != text.Ok {
			t.Fatalf("TIME %d: %s, %d %s", ms, buf, v, f)
		}
	}
}

// TestShortDoubles: what few digits say is written with them.
func TestShortDoubles(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 50000 {
		n, k := r.Int64N(1e17), r.IntN(16)
		v := float64(n>>r.IntN(57)) / math.Pow10(k)
		if r.IntN(2) == 0 {
			v = -v
		}
		if r.IntN(4) == 0 {
			v = math.Nextafter(v, math.Inf(1-2*r.IntN(2)))
		}
		if abs := math.Abs(v); abs < 1e-3 || abs >= 1e7 {
			continue
		}
		want := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(want, ".") {
			want += ".0"
		}
		if got := string(text.AppendDouble(nil, v)); got != want {
			t.Fatalf("%g is %s, want %s", v, got, want)
		}
		f := float32(v)
		if want = strconv.FormatFloat(float64(f), 'f', -1, 32); !strings.Contains(want, ".") {
			want += ".0"
		}
		if got := string(text.AppendFloat(nil, f)); got != want && f < 1e7 {
			t.Fatalf("FLOAT %g is %s, want %s", f, got, want)
		}
	}
}

// TestFloats: every FLOAT of some stretches is written as strconv does it.
func TestFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	low, high := math.Float32bits(1e-3), math.Float32bits(1e7)
	for range 300 {
		from := low + r.Uint32N(high-low-1000)
		if r.IntN(3) == 0 {
			from = from>>23<<23 - 500 // around a power of two
		}
		for word := max(from, low); word < min(from+1000, high); word++ {
			f := math.Float32frombits(word)
			want := strconv.FormatFloat(float64(f), 'f', -1, 32)
			if !strings.Contains(want, ".") {
				want += ".0"
			}
			if got := string(text.AppendFloat(nil, f)); got != want {
				t.Fatalf("%g is %s, want %s", f, got, want)
			}
		}
	}
}

// FuzzParse looks for panics, and for DECIMALs of more digits than allowed.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "-", "1e", "1e-5", "0x1p", "2024-02-30 1:2:3.", "12:",
		"9999999999999999999999999999999999999999",
		".", "+.5", "1e999999999999", "\xff", "2024-", "  "} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { parseAll(t, b) })
}

func parseAll(t *testing.T, b []byte) {
	_, _ = text.ParseBool(b)
	_, _ = text.ParseInt(b, 8)
	_, _ = text.ParseInt(b, 64)
	_, _ = text.ParseFloat(b, 32)
	_, _ = text.ParseDate(b)
	_, _ = text.ParseTime(b, 3)
	_, _ = text.ParseTimestamp(b, types.TimestampOf(9))
	_ = text.AppendUTF8(nil, b)
	for _, p := range []int{1, 10, 18, 19, 38} {
		for _, s := range []int{0, 1, p} {
			if v, f := text.ParseDecimal(b, p, s); f == text.Ok && v.Abs().Cmp(kernel.Pow10Wide(p)) >= 0 {
				t.Fatalf("%q is %s as DECIMAL(%d, %d)", b, text.AppendDecimal(nil, v, s), p, s)
			}
		}
	}
}

func TestParseAnything(t *testing.T) {
	const letters = "0123456789.-+ eExXdfpNaT:é\xff"
	r := rand.New(rand.NewPCG(9, 10))
	for range 20000 {
		var b strings.Builder
		for range r.IntN(50) {
			b.WriteByte(letters[r.IntN(len(letters))])
		}
		parseAll(t, []byte(b.String()))
	}
}
