package function

import (
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "LOWER", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", textLike),
	Bind: func(Binding) (Kernel, error) {
		full := cases.Lower(language.Und)
		return textKernel(func(dst []byte, r *row) ([]byte, bool) {
			s := r.text(0)
			out, ok := kernel.AppendLower(dst, s)
			if !ok {
				out = appendCase(dst, s, &full)
			}
			return out, true
		}), nil
	},
	Doc: Doc{Group: "string", Text: "The text in lower case.", Example: "LOWER('Flink SQL')", Value: "flink sql"},
})

var _ = scalar(Scalar{
	Name: "UPPER", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", textLike),
	Bind: func(Binding) (Kernel, error) {
		full := cases.Upper(language.Und)
		return textKernel(func(dst []byte, r *row) ([]byte, bool) {
			s := r.text(0)
			out, ok := kernel.AppendUpper(dst, s)
			if !ok {
				out = appendCase(dst, s, &full)
			}
			return out, true
		}), nil
	},
	Doc: Doc{Group: "string", Text: "The text in upper case.", Example: "UPPER('Flink SQL')", Value: "FLINK SQL"},
})

// appendCase converts by the full Unicode rules, under which a code point may become several.
func appendCase(dst, s []byte, full *cases.Caser) []byte {
	n := len(dst)
	for len(dst) < n+3*len(s) {
		dst = append(dst, 0)
	}
	full.Reset()
	written, _, _ := full.Transform(dst[n:], s, true)
	return dst[:n+written]
}

var _ = scalar(Scalar{
	Name: "INITCAP", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", textLike),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		start := true
		for _, c := range r.text(0) {
			letter := c|32 >= 'a' && c|32 <= 'z'
			switch {
			case letter && start:
				c &^= 32
			case letter:
				c |= 32
			}
			start = !letter && (c < '0' || c > '9')
			dst = append(dst, c)
		}
		return dst, true
	}),
	Doc: Doc{Group: "string", Text: "The text with each word's first letter in upper case and the others in lower" +
		" case. A word is a run of the letters A to Z and digits.", Example: "INITCAP('hello wORLD')", Value: "Hello World"},
})

var _ = scalar(Scalar{
	Name: "REVERSE", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		return appendReverse(dst, r.text(0)), true
	}),
	Doc: Doc{Group: "string", Text: "The code points of the text in reverse order.", Example: "REVERSE('abc')", Value: "cba"},
})

func appendReverse(dst, s []byte) []byte {
	for len(s) > 0 {
		_, size := utf8.DecodeLastRune(s)
		dst = append(dst, s[len(s)-size:]...)
		s = s[:len(s)-size]
	}
	return dst
}
