package function

import (
	"bytes"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "REPLACE", Forms: []string{"<CHARACTER>, <CHARACTER>, <CHARACTER>"},
	Type: textForm("ttt", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		return appendReplaced(dst, r.text(0), r.text(1), r.text(2)), true
	}),
	Doc: Doc{Group: "string", Text: "The text with every occurrence of the second text replaced by the third.",
		Example: "REPLACE('hello', 'l', 'L')", Value: "heLLo"},
})

func appendReplaced(dst, s, old, with []byte) []byte {
	if len(old) == 0 {
		dst = append(dst, with...)
		for len(s) > 0 {
			_, size := utf8.DecodeRune(s)
			dst = append(append(dst, s[:size]...), with...)
			s = s[size:]
		}
		return dst
	}
	for {
		k := bytes.Index(s, old)
		if k < 0 {
			return append(dst, s...)
		}
		dst = append(append(dst, s[:k]...), with...)
		s = s[k+len(old):]
	}
}

var _ = scalar(Scalar{
	Name: "TRANSLATE", Aliases: []string{"TRANSLATE3"}, Forms: []string{"<CHARACTER>, <CHARACTER>, <CHARACTER>"},
	Type: textForm("ttt", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		return appendTranslated(dst, r.text(0), r.text(1), r.text(2)), true
	}),
	Doc: Doc{Group: "string", Text: "The text with each character that stands in the second text replaced by the one at" +
		" its place in the third, or dropped when that is shorter.", Example: "TRANSLATE('hello', 'lo', 'L')", Value: "heLL"},
})

func appendTranslated(dst, s, from, to []byte) []byte {
	for len(s) > 0 {
		_, size := utf8.DecodeRune(s)
		c := s[:size]
		s = s[size:]
		k := bytes.Index(from, c)
		if k < 0 {
			dst = append(dst, c...)
			continue
		}
		rest := to
		for n := kernel.CodePoints(from[:k]); n > 0 && len(rest) > 0; n-- {
			_, size := utf8.DecodeRune(rest)
			rest = rest[size:]
		}
		if len(rest) > 0 {
			_, size := utf8.DecodeRune(rest)
			dst = append(dst, rest[:size]...)
		}
	}
	return dst
}
