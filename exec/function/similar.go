package function

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/regexp"
)

var _ = scalar(Scalar{
	Name: "SIMILAR TO", Forms: []string{"<STRING> SIMILAR TO <STRING> [ESCAPE <STRING>]"}, Special: true, Fails: true,
	Type: likeType(func(pattern string, escape rune) error {
		_, err := compileSimilar(pattern, escape)
		return err
	}),
	Bind: func(b Binding) (Kernel, error) {
		compiled := cache[*regexp.Pattern]{}
		return testKernel(func(r *row) bool {
			escape, ok := escapeOf(r)
			if !ok {
				return false
			}
			x, err := compiled.get(r.text(1), escape, func(p string) (*regexp.Pattern, error) { return compileSimilar(p, escape) })
			if err != nil {
				r.failWith(func() error {
					return fmt.Errorf("invalid pattern '%s': %v", r.text(1), err)
				})
				return false
			}
			return find(r, x, r.text(0), 0) != nil
		}), nil
	},
	Doc: Doc{Group: "string", Text: "Whether the whole text matches an SQL regular expression, in which % stands for any text" +
		" and _ for one character.", Example: "'Flink' SIMILAR TO '(F|f)%'", Value: "TRUE"},
})

var errSimilar = errors.New("bad regular expression")

const (
	similarSpecials = "[]()|^-+*_%?{}"
	javaSpecials    = `[]()|^-+*?{}$\.`
)

// compileSimilar rewrites an SQL regular expression to Java's, as Calcite does: a dot keeps Java's meaning.
func compileSimilar(pattern string, escape rune) (*regexp.Pattern, error) {
	var b strings.Builder
	b.WriteString("^(?:")
	for at := 0; at < len(pattern); {
		c, size := utf8.DecodeRuneInString(pattern[at:])
		at += size
		switch {
		case c == escape:
			next, size := utf8.DecodeRuneInString(pattern[at:])
			at += size
			if size == 0 || next != escape && !strings.ContainsRune(similarSpecials, next) {
				return nil, kernel.ErrLike
			}
			if strings.ContainsRune(javaSpecials, next) {
				b.WriteByte('\\')
			}
			b.WriteRune(next)
		case c == '_':
			b.WriteByte('.')
		case c == '%':
			b.WriteString("(?:.*)")
		case c == '[':
			n, err := similarClass(&b, pattern[at:], escape)
			if err != nil {
				return nil, err
			}
			at += n
		case c == ']':
			return nil, errSimilar
		case c == '\\' || c == '$':
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteString(`)\z`)
	return regexp.Compile(b.String())
}

var similarNames = map[string]string{
	"ALPHA": `\p{Alpha}`, "UPPER": `\p{Upper}`, "LOWER": `\p{Lower}`, "DIGIT": `\d`, "SPACE": " ", "WHITESPACE": `\s`,
	"ALNUM": `\p{Alnum}`,
}

// similarClass rewrites an enumeration of characters behind its bracket and returns its length.
func similarClass(b *strings.Builder, s string, escape rune) (int, error) {
	b.WriteByte('[')
	for at := 0; at < len(s); {
		c, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case c == ']':
			b.WriteByte(']')
			return at + 1, nil
		case c == escape:
			next, n := utf8.DecodeRuneInString(s[at+size:])
			if n == 0 || next != escape && !strings.ContainsRune(similarSpecials, next) {
				return 0, kernel.ErrLike
			}
			b.WriteByte('\\')
			b.WriteRune(next)
			at += size + n
		case strings.HasPrefix(s[at:], "[:"):
			name, _, ok := strings.Cut(s[at+2:], ":]")
			class := similarNames[strings.ToUpper(name)]
			if !ok || class == "" {
				return 0, errSimilar
			}
			b.WriteString(class)
			at += len(name) + 4
		case c == '-' || c == '^' && at == 0:
			b.WriteRune(c)
			at += size
		case strings.ContainsRune(similarSpecials, c):
			return 0, errSimilar
		default:
			if c == '\\' || c == '&' {
				b.WriteByte('\\')
			}
			b.WriteRune(c)
			at += size
		}
	}
	return 0, errSimilar
}
