package regexp

import (
	"regexp"
	"testing"
	"unicode/utf8"
)

// FuzzCompile: no pattern makes the compiler or the search panic, and what both this engine and RE2 read
// from the rewritten pattern matches or not alike, where the dialects don't differ.
func FuzzCompile(f *testing.F) {
	for _, p := range []string{`(&|^)channel_id=([^&]*)`, `[a-c&&[^b]]+\d{2,}?`, `(?i)a++b|\p{Alpha}*$`, `\Qa.b\E(?<n>x)*`,
		`((a*)*|b)?\bc`, `[^\s\w[x-z]-]`, `\x{1F600}\u00e9\07\cA`} {
		f.Add(p, "https://a.b/c?x=1&channel_id=42\n😀 abab")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 60 || len(text) > 100 || !utf8.ValidString(text) || !utf8.ValidString(pattern) {
			return
		}
		r, err := compileLinear(pattern)
		if err != nil {
			return
		}
		got := r.find([]byte(text), 0) != nil
		rewritten, _, _ := fromJava(pattern)
		std, err := regexp.Compile(rewritten)
		if err != nil || differs(rewritten) {
			return
		}
		if want := std.MatchString(text); got != want {
			t.Errorf("%s (%s) on %q: %t, want %t", pattern, rewritten, text, got, want)
		}
	})
}

// differs tells patterns whose meaning is not the same in both dialects: line ends, word boundaries and
// flags.
func differs(p string) bool {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '$', '.', '^':
			return true
		case '\\':
			if i++; i < len(p) && (p[i] == 'b' || p[i] == 'B') {
				return true
			}
		case '(':
			if i+1 < len(p) && p[i+1] == '?' {
				return true
			}
		}
	}
	return false
}
