package text

import "unicode/utf8"

// AppendUTF8 writes bytes as text: what is no UTF-8 becomes U+FFFD, one for each longest start of a
// character, as Java decodes it.
func AppendUTF8(dst, b []byte) []byte {
	if utf8.Valid(b) {
		return append(dst, b...)
	}
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, "\uFFFD"...)
			b = b[badPrefix(b):]
			continue
		}
		dst = append(dst, b[:n]...)
		b = b[n:]
	}
	return dst
}

// badPrefix is the length of the longest start of a character at the head of b, which is no whole valid
// one; at least 1. A surrogate in three bytes is one bad character.
func badPrefix(b []byte) int {
	lo, hi, n := byte(0x80), byte(0xBF), 0
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		n = 2
	case c == 0xE0:
		n, lo = 3, 0xA0
	case c >= 0xE1 && c <= 0xEF:
		n = 3
	case c == 0xF0:
		n, lo = 4, 0x90
	case c == 0xF4:
		n, hi = 4, 0x8F
	case c >= 0xF1 && c <= 0xF3:
		n = 4
	}
	i := 1
	for i < n && i < len(b) && b[i] >= lo && b[i] <= hi {
		lo, hi = 0x80, 0xBF
		i++
	}
	return i
}
