package kernel_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"streamsql/exec/kernel"
)

func sampleViews() ([]kernel.View, [][]byte, []uint64) {
	var buf []byte
	v := make([]kernel.View, 1024)
	for i := range v {
		off := len(buf)
		buf = fmt.Appendf(buf, "https://www.nexmark.com/ab%03d/fghij/klmno/item.htm?query=1&channel_id=%d", i, i*7919)
		v[i] = kernel.MakeView(buf, 0, off, len(buf)-off)
	}
	want := make([]uint64, kernel.Words(len(v)))
	kernel.Fill(want, len(v))
	return v, [][]byte{buf}, want
}

// BenchmarkText measures the text kernels per batch of 1024 urls beside plain loops over the same bytes.
func BenchmarkText(b *testing.B) {
	v, bufs, want := sampleViews()
	ints, longs, words, views := make([]int32, 1024), make([]int64, 1024), make([]uint64, 16), make([]kernel.View, 1024)
	like, _ := kernel.CompileLike("%channel%", -1)
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/row")
		})
	}
	run("CountByte", func() { kernel.CountByte(longs, v, bufs, want, 'c') })
	run("CountByte/plain", func() {
		for i := range v {
			longs[i] = int64(bytes.Count(v[i].Bytes(bufs), []byte("c")))
		}
	})
	run("CountPoints", func() { kernel.CountPoints(ints, v, bufs, want) })
	run("CountPoints/plain", func() {
		for i := range v {
			ints[i] = int32(utf8.RuneCount(v[i].Bytes(bufs)))
		}
	})
	run("SplitByte", func() { kernel.SplitByte(views, words, v, bufs, want, '/', 3) })
	run("SplitByte/plain", func() {
		for i := range v {
			t, from := v[i].Bytes(bufs), 0
			for range 3 {
				from += bytes.IndexByte(t[from:], '/') + 1
			}
			views[i] = kernel.MakeView(t, 0, from, bytes.IndexByte(t[from:], '/'))
		}
	})
	run("MatchLike", func() { kernel.MatchLike(words, v, bufs, want, like) })
	run("MatchLike/plain", func() {
		for i := range v {
			if bytes.Contains(v[i].Bytes(bufs), []byte("channel")) {
				words[i>>6] |= 1 << (i & 63)
			}
		}
	})
	var arena []byte
	run("AppendLower", func() {
		arena = arena[:0]
		for i := range v {
			arena, _ = kernel.AppendLower(arena, v[i].Bytes(bufs))
		}
	})
	run("AppendLower/plain", func() {
		arena = arena[:0]
		for i := range v {
			arena = append(arena, bytes.ToLower(v[i].Bytes(bufs))...)
		}
	})
}

// TestText compares the word-wise loops with the standard library on texts of all lengths.
func TestText(t *testing.T) {
	const all = "AbZz@[`{ 0/é日😀AZaz/Q"
	for n := range 300 {
		s := strings.Repeat(all, n/len(all)+1)[:n]
		if n%3 == 0 {
			s = strings.Map(func(r rune) rune { return r & 127 }, s)
		}
		b := []byte(s)
		if utf8.ValidString(s) && kernel.CodePoints(b) != utf8.RuneCountInString(s) {
			t.Errorf("CodePoints(%q) = %d", s, kernel.CodePoints(b))
		}
		for k, want := range strings.Split(s, "/") {
			from, to, ok := kernel.Token(b, []byte("/"), k)
			if !ok || s[from:to] != want {
				t.Errorf("Token(%q, %d) = %d, %d, %t", s, k, from, to, ok)
			}
		}
		lower, ok := kernel.AppendLower([]byte("x"), b)
		upper, _ := kernel.AppendUpper([]byte("x"), b)
		if ok != kernel.IsASCII(b) || ok && (string(lower[1:]) != strings.ToLower(s) || string(upper[1:]) != strings.ToUpper(s)) {
			t.Errorf("AppendLower(%q) = %q, %t; AppendUpper = %q", s, lower, ok, upper)
		}
	}
	v, bufs, want := sampleViews()
	out, lost := make([]kernel.View, 1024), make([]uint64, 16)
	for k := range 9 {
		kernel.SplitByte(out, lost, v, bufs, want, '/', k)
		for i := range v {
			from, to, ok := kernel.Token(v[i].Bytes(bufs), []byte("/"), k)
			if ok == kernel.Bit(lost, i) || ok && string(out[i].Bytes(bufs)) != string(v[i].Bytes(bufs)[from:to]) {
				t.Fatalf("SplitByte(%s, %d) = %q", v[i].Bytes(bufs), k, out[i].Bytes(bufs))
			}
		}
	}
}
