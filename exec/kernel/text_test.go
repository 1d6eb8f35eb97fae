package kernel_test

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"unicode/utf8"

	"streamsql/exec/kernel"
)

// randomText is one of up to 40 code points, some of them of several bytes.
func randomText(r *rand.Rand) string {
	var b []rune
	letters := []rune("abcdefgh")
	if r.IntN(2) == 0 {
		letters = []rune("abcdéß語😀")
	}
	for range r.IntN(40) {
		b = append(b, letters[r.IntN(len(letters))])
	}
	return string(b)
}

// TestTextCounts compares with runes: words and what is left behind them are told apart in every way.
func TestTextCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for range 20000 {
		s := randomText(r)
		runes := []rune(s)
		if got := kernel.CodePoints([]byte(s)); got != len(runes) {
			t.Fatalf("%q has %d code points, want %d", s, got, len(runes))
		}
		if got, want := kernel.IsASCII([]byte(s)), len(s) == utf8.RuneCountInString(s); got != want {
			t.Fatalf("%q is ASCII: %t", s, got)
		}
		pos, length := r.IntN(50), r.IntN(50)
		from, to := kernel.Substring([]byte(s), int64(pos), int64(length))
		start := min(max(pos-1, 0), len(runes))
		want := string(runes[start:min(start+length, len(runes))])
		if got := s[from:to]; got != want {
			t.Fatalf("%q from %d, %d long, is %q, want %q", s, pos, length, got, want)
		}
	}
}

// TestCutASCII: what is cut is that part, and what is not stands among the bits that are left.
func TestCutASCII(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	for range 500 {
		var buf []byte
		v, texts := make([]kernel.View, 64), make([]string, 64)
		for i := range v {
			texts[i] = randomText(r)
			off := len(buf)
			buf = append(buf, texts[i]...)
			v[i] = kernel.MakeView(buf, 0, off, len(buf)-off)
		}
		from, want, cut := r.IntN(20), r.Uint64(), 0
		to := from + r.IntN(40)
		out := make([]kernel.View, 64)
		left := kernel.CutASCII(out, v, [][]byte{buf}, 0, want, from, to)
		for i, s := range texts {
			if want&^left>>uint(i)&1 == 0 {
				continue
			}
			cut++
			if got := string(out[i].Bytes([][]byte{buf})); got != s[from:min(to, len(s))] || !kernel.IsASCII([]byte(got)) {
				t.Fatalf("bytes %d to %d of %q are %q", from, to, s, got)
			}
		}
		if left&^want != 0 {
			t.Fatalf("rows are left that were not wanted: %x of %x", left, want)
		}
	}
}

func TestDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 56))
	list := []int64{0, 9, 10, 99, 100, -1, -10, -99, -100, 99999999999, 999999999999, 1000000000000, -99999999999, -100000000000,
		1<<63 - 1, -1 << 63}
	for range 20000 {
		list = append(list, r.Int64()>>r.IntN(64), -r.Int64()>>r.IntN(64))
	}
	for _, n := range list {
		var d kernel.Digits
		b, want := d.Of(n), strconv.FormatInt(n, 10)
		if string(b) != want {
			t.Fatalf("%d is written %s", n, b)
		}
		if len(b) <= kernel.InlineLen && d.View(len(b)) != kernel.InlineView(b) {
			t.Fatalf("%d has the view %v", n, d.View(len(b)))
		}
	}
}

func TestWriteInline(t *testing.T) {
	for _, s := range []string{"", "a", "語", "twelve bytes"} {
		v, dst := kernel.MakeView([]byte(s), 0, 0, len(s)), []byte("what is behind stays")
		v.WriteInline(dst[:kernel.InlineLen])
		if want := s + string(make([]byte, kernel.InlineLen-len(s))) + "nd stays"; string(dst) != want {
			t.Errorf("%q, want %q", dst, want)
		}
	}
}
