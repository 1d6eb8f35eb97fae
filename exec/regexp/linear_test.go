package regexp

import (
	"bytes"
	"math/rand"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestJava checks what differs between Java's dialect and RE2's.
func TestJava(t *testing.T) {
	for _, c := range []struct{ pattern, text, want string }{
		{`(&|^)channel_id=([^&]*)`, "channel_id=42&x=1", "channel_id=42||42"},
		{`(&|^)channel_id=([^&]*)`, "https://a.b/c?x=y&channel_id=7", "&channel_id=7|&|7"},
		{`(&|^)channel_id=([^&]*)`, "https://a.b/c?channel_id=7", "none"},
		{`foo(.*?)(bar)`, "foothebar", "foothebar|the|bar"},
		{`(a)|(z)`, "xz", "z|-|z"},
		{`^a.*b$`, "aab\n", "aab"},
		{`^a.*b\z`, "aab\n", "none"},
		{`a.b`, "a\rb a\u2028b a-b", "a-b"},
		{`(?s)a.b`, "a\rb", "a\rb"},
		{`(?m)^b$`, "a\r\nb\r\nc", "b"},
		{`[a-c&&[^b]]+`, "bac", "ac"},
		{`[a-c[x-z]]+`, "1axb2", "axb"},
		{`[]a]+`, "b]a", "]a"},
		{`\s+`, "a \x0b\tb", " \x0b\t"},
		{`\p{Alpha}+`, "1ab2", "ab"},
		{`\p{L}+`, "1é日2", "é日"},
		{`\u0041\x42\0103`, "ABC", "ABC"},
		{`\Qa.b\E+`, "a.bbb", "a.bbb"},
		{`(?i)abc`, "xABc", "ABc"},
		{`\bé`, "aé é", "é"},
		{`日.`, "x日本", "日本"},
		{`.*foo`, "a foo b foo c", "a foo b foo"},
		{`[^&]*b`, "aab&b", "aab"},
		{`x{2,3}`, "xxxx", "xxx"},
	} {
		r, err := compileLinear(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		if got := found([]byte(c.text), r.find([]byte(c.text), 0)); got != c.want {
			t.Errorf("%s on %q: got %q, want %q", c.pattern, c.text, got, c.want)
		}
	}
	for _, p := range []string{`(`, `a**`, `[a`, `*a`, `a{`, `\y`, `(?<a`, `a)`, `[z-a]`} {
		if _, err := compileLinear(p); err == nil || err == errBeyond {
			t.Errorf("%s: error %v", p, err)
		}
	}
	for _, p := range []string{`(?<=a)b`, `(ab)\1`, `a++b`, `(?>a)b`, `a{2000}`} {
		if _, err := compileLinear(p); err != errBeyond {
			t.Errorf("%s: error %v", p, err)
		}
	}
}

func found(b []byte, loc []int) string {
	if loc == nil {
		return "none"
	}
	var s []string
	for i := 0; i < len(loc); i += 2 {
		if loc[i] < 0 {
			s = append(s, "-")
			continue
		}
		s = append(s, string(b[loc[i]:loc[i+1]]))
	}
	return strings.Join(s, "|")
}

// TestLikeRE2 compares random patterns with the standard library on random texts.
func TestLikeRE2(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	var node func(depth int) string
	node = func(depth int) string {
		if depth == 0 {
			return []string{"a", "b", "ab", "[ab]", "[^a]", ".", "é", "^", "abc", `\b`, "c"}[rnd.Intn(11)]
		}
		switch rnd.Intn(6) {
		case 0:
			return "(" + node(depth-1) + ")"
		case 1:
			return "(?:" + node(depth-1) + "|" + node(depth-1) + ")"
		case 2:
			s := node(depth - 1)
			if s == "^" || s == `\b` {
				return s
			}
			return "(?:" + s + ")" + []string{"*", "+", "?", "*?", "+?", "??", "{1,2}", "{2}"}[rnd.Intn(8)]
		case 3:
			return "(" + node(depth-1) + "|" + node(depth-1) + ")"
		}
		return node(depth-1) + node(depth-1)
	}
	for range 20000 {
		p := node(1 + rnd.Intn(4))
		r, err := compileLinear(p)
		if err == errBeyond {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		std := regexp.MustCompile(p)
		text := make([]byte, 0, 16)
		for range rnd.Intn(10) {
			text = append(text, []string{"a", "b", "c", "é", "ab", " "}[rnd.Intn(6)]...)
		}
		if strings.Contains(p, `\b`) && !isASCII(text) {
			continue
		}
		want := found(text, std.FindSubmatchIndex(text))
		if got := found(text, r.find(text, 0)); got != want {
			if strings.ContainsAny(p, "*+") {
				// Loops over empty matches may leave other groups behind.
				if strings.Split(got, "|")[0] == strings.Split(want, "|")[0] {
					continue
				}
			}
			t.Fatalf("%s on %q: got %q, want %q", p, text, got, want)
		}
	}
}

func isASCII(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

const sampleURL = "https://www.nexmark.com/abcde/fghij/klmno/item.htm?query=1&channel_id=77001"

// BenchmarkFind measures a search with groups on a url.
func BenchmarkFind(b *testing.B) {
	text := []byte(sampleURL)
	for _, p := range []string{`(&|^)channel_id=([^&]*)`, `([a-z]+)\.htm`, `[0-9]+$`, `absent[0-9]`} {
		r, _ := compileLinear(p)
		b.Run(p, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.find(text, 0)
			}
		})
		std := regexp.MustCompile(p)
		b.Run("std/"+p, func(b *testing.B) {
			for b.Loop() {
				std.FindSubmatchIndex(text)
			}
		})
	}
	b.Run("hand", func(b *testing.B) {
		for b.Loop() {
			k := bytes.Index(text, []byte("&channel_id="))
			bytes.IndexByte(text[k+12:], '&')
		}
	})
}
