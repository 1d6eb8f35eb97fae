package function

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "TO_BASE64", Forms: []string{"<CHARACTER>"},
	Type: textForm("x", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		return appendBase64(dst, r.text(0)), true
	}),
	Doc: Doc{Group: "string", Text: "The bytes of the text in Base64.", Example: "TO_BASE64('hello')", Value: "aGVsbG8="},
})

func appendBase64(dst, s []byte) []byte { return base64.StdEncoding.AppendEncode(dst, s) }

var _ = scalar(Scalar{
	Name: "FROM_BASE64", Forms: []string{"<CHARACTER>"}, Fails: true,
	Type: textForm("t", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		s := r.text(0)
		for n := 0; n < 2 && len(s) > 0 && s[len(s)-1] == '='; n++ {
			s = s[:len(s)-1]
		}
		for _, c := range s {
			if c == '\n' || c == '\r' {
				r.failWith(func() error {
					return fmt.Errorf("FROM_BASE64: illegal character %02x", c)
				})
				return dst, true
			}
		}
		out, err := base64.RawStdEncoding.AppendDecode(dst, s)
		if err != nil {
			r.failWith(func() error {
				return fmt.Errorf("FROM_BASE64: %v", err)
			})
			return dst, true
		}
		return out, true
	}),
	Doc: Doc{Group: "string", Text: "The text whose bytes are given in Base64.", Example: "FROM_BASE64('aGVsbG8=')", Value: "hello"},
})

// charset names the encodings that ENCODE and DECODE know.
type charset uint8

const (
	noCharset charset = iota
	utf8Set
	asciiSet
	latinSet
	utf16Set
	utf16BESet
	utf16LESet
)

var charsets = map[string]charset{
	"UTF-8": utf8Set, "UTF8": utf8Set, "US-ASCII": asciiSet, "ASCII": asciiSet, "ISO-8859-1": latinSet, "LATIN1": latinSet,
	"ISO8859-1": latinSet, "ISO8859_1": latinSet, "ISO_8859_1": latinSet,
	"UTF-16": utf16Set, "UTF16": utf16Set, "UTF-16BE": utf16BESet, "UTF-16LE": utf16LESet,
}

const longestCharset = len("ISO-8859-1")

func charsetOf(r *row, k int) charset {
	name := r.text(k)
	s := charsets[string(name)]
	if s == noCharset && len(name) <= longestCharset {
		var upper [longestCharset]byte
		s = charsets[string(upper[:copyUpper(upper[:], name)])]
	}
	if s == noCharset {
		r.failWith(func() error {
			return fmt.Errorf("unknown character set %s; use UTF-8, US-ASCII, ISO-8859-1, UTF-16, UTF-16BE or UTF-16LE", r.text(k))
		})
	}
	return s
}

// copyUpper copies s with the letters a to z in upper case.
func copyUpper(dst, s []byte) int {
	for i, c := range s {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		dst[i] = c
	}
	return len(s)
}

var _ = scalar(Scalar{
	Name: "ENCODE", Forms: []string{"<CHARACTER>, <CHARACTER>"}, Fails: true,
	Type: textForm("tt", strictly(types.Bytes())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		return appendEncoded(dst, r.text(0), charsetOf(r, 1)), true
	}),
	Doc: Doc{Group: "string", Text: "The text in a character set: UTF-8, US-ASCII, ISO-8859-1, UTF-16, UTF-16BE or UTF-16LE.",
		Example: "DECODE(ENCODE('hello', 'UTF-16'), 'UTF-16')", Value: "hello"},
})

func appendEncoded(dst, s []byte, set charset) []byte {
	switch set {
	case noCharset, utf8Set:
		return append(dst, s...)
	case utf16Set:
		if len(s) > 0 {
			dst = append(dst, 0xFE, 0xFF)
		}
	}
	for len(s) > 0 {
		p, size := utf8.DecodeRune(s)
		s = s[size:]
		switch {
		case set == asciiSet && p >= utf8.RuneSelf, set == latinSet && p > 0xFF:
			dst = append(dst, '?')
		case set == asciiSet || set == latinSet:
			dst = append(dst, byte(p))
		case p > 0xFFFF:
			hi, lo := utf16.EncodeRune(p)
			dst = appendUnit(appendUnit(dst, uint16(hi), set), uint16(lo), set)
		default:
			dst = appendUnit(dst, uint16(p), set)
		}
	}
	return dst
}

func appendUnit(dst []byte, u uint16, set charset) []byte {
	if set == utf16LESet {
		return binary.LittleEndian.AppendUint16(dst, u)
	}
	return binary.BigEndian.AppendUint16(dst, u)
}

var _ = scalar(Scalar{
	Name: "DECODE", Forms: []string{"<BINARY>, <CHARACTER>"}, Fails: true,
	Type: textForm("bt", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		return appendDecoded(dst, r.text(0), charsetOf(r, 1)), true
	}),
	Doc: Doc{Group: "string", Text: "The text that bytes stand for in a character set: UTF-8, US-ASCII, ISO-8859-1, UTF-16," +
		" UTF-16BE or UTF-16LE.", Example: "DECODE(X'68656c6c6f', 'UTF-8')", Value: "hello"},
})

func appendDecoded(dst, b []byte, set charset) []byte {
	switch set {
	case utf8Set:
		for len(b) > 0 {
			p, size := utf8.DecodeRune(b)
			dst = utf8.AppendRune(dst, p)
			b = b[size:]
		}
		return dst
	case asciiSet, latinSet:
		for _, c := range b {
			p := rune(c)
			if set == asciiSet && c >= utf8.RuneSelf {
				p = utf8.RuneError
			}
			dst = utf8.AppendRune(dst, p)
		}
		return dst
	case utf16Set, utf16BESet, utf16LESet:
		return appendUTF16(dst, b, set)
	}
	return dst
}

func appendUTF16(dst, b []byte, set charset) []byte {
	if set == utf16Set && len(b) >= 2 {
		switch {
		case b[0] == 0xFE && b[1] == 0xFF:
			b = b[2:]
		case b[0] == 0xFF && b[1] == 0xFE:
			b, set = b[2:], utf16LESet
		}
	}
	unit := func(b []byte) rune {
		if set == utf16LESet {
			return rune(binary.LittleEndian.Uint16(b))
		}
		return rune(binary.BigEndian.Uint16(b))
	}
	for len(b) >= 2 {
		p := unit(b)
		b = b[2:]
		if utf16.IsSurrogate(p) {
			low := rune(0)
			if len(b) >= 2 {
				low = unit(b)
			}
			if p = utf16.DecodeRune(p, low); p != utf8.RuneError {
				b = b[2:]
			}
		}
		dst = utf8.AppendRune(dst, p)
	}
	if len(b) == 1 {
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	return dst
}
