package filesystem

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEscape: every byte and every pair of bytes is written by the rule, and read back.
func TestEscape(t *testing.T) {
	one := func(c byte) string {
		if c < ' ' || c == 0x7F || strings.IndexByte(`"#%'*/:=?\{[]^`, c) >= 0 {
			return fmt.Sprintf("%%%02X", c)
		}
		return string([]byte{c})
	}
	for a := range 256 {
		for b := range 257 {
			s, want := string([]byte{byte(a)}), one(byte(a))
			if b < 256 {
				s, want = s+string([]byte{byte(b)}), want+one(byte(b))
			}
			if got := Escape(s); got != want || string(AppendEscaped(nil, []byte(s))) != want {
				t.Fatalf("%q: got %q, want %q", s, got, want)
			}
			if got := Unescape(want); got != s {
				t.Fatalf("%q: read back as %q", s, got)
			}
			long := "12345678901" + s + "12345678"
			if got := Unescape(Escape(long)); got != long {
				t.Fatalf("%q: read back as %q", long, got)
			}
		}
	}
	for in, want := range map[string]string{"%E9": "é", "%": "%", "%4": "%4", "%+5x": "%+5x", "%zz%41": "%zzA", "%2f": "/"} {
		if got := Unescape(in); got != want {
			t.Errorf("%q: read as %q, want %q", in, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a/b=c %")
	f.Add("00:15")
	f.Fuzz(func(t *testing.T, s string) {
		e := Escape(s)
		if Unescape(e) != s {
			t.Errorf("%q is written %q and read %q", s, e, Unescape(e))
		}
		if strings.ContainsAny(e, "/=\x00") || utf8.ValidString(s) != utf8.ValidString(e) {
			t.Errorf("%q is written %q", s, e)
		}
	})
}

// TestEscapeAllocates: nothing, but for the result of Escape where that is another text.
func TestEscapeAllocates(t *testing.T) {
	clean, dirty, dst := strings.Repeat("2024-01-02", 30), []byte("00:15"), make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { sinkText = Escape(clean) }); n != 0 {
		t.Errorf("a clean text: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { dst = AppendEscaped(dst[:0], dirty) }); n != 0 {
		t.Errorf("appending: %v allocations", n)
	}
}

var sinkText string

func BenchmarkEscape(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"clean10", "2024-01-02"}, {"clean64", strings.Repeat("abcdefgh", 8)}, {"clean300", strings.Repeat("2024-01-02", 30)},
		{"non-ascii", strings.Repeat("é", 32)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sinkText = Escape(c.text)
			}
		})
	}
	for _, c := range []struct{ name, text string }{
		{"colon", "00:15"}, {"last", strings.Repeat("a", 9) + "/"}, {"alternating", "a/b/c/d/e/"}, {"all", strings.Repeat("=", 10)},
	} {
		b.Run("append/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			dst := make([]byte, 0, 64)
			for b.Loop() {
				dst = AppendEscaped(dst[:0], []byte(c.text))
			}
		})
	}
}
