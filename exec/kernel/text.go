package kernel

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	highBits = 0x8080808080808080
	lowBits  = 0x0101010101010101
)

// IsASCII tells whether all bytes of b are below 0x80. What is left of the last word is read with bytes before it.
func IsASCII(b []byte) bool {
	n := len(b)
	if n < 8 {
		for _, c := range b {
			if c >= utf8.RuneSelf {
				return false
			}
		}
		return true
	}
	x := binary.LittleEndian.Uint64(b[n-8:])
	for ; len(b) >= 8; b = b[8:] {
		x |= binary.LittleEndian.Uint64(b)
	}
	return x&highBits == 0
}

// CodePoints counts the code points of UTF-8 text: the bytes that continue none.
func CodePoints(b []byte) int {
	n, whole := len(b), b
	if IsASCII(b) {
		return n
	}
	for len(b) >= 8 {
		// Each byte of sum counts its own column; 31 words keep their total below 256.
		var sum uint64
		for k := 0; k < 31 && len(b) >= 8; k++ {
			sum += continuing(binary.LittleEndian.Uint64(b))
			b = b[8:]
		}
		n -= int(sum * lowBits >> 56)
	}
	if len(whole) >= 8 {
		// The last word without the bytes that were counted: a shift by 64 leaves none.
		last := binary.LittleEndian.Uint64(whole[len(whole)-8:]) >> (64 - 8*uint(len(b)))
		return n - int(continuing(last)*lowBits>>56)
	}
	for _, c := range b {
		if c&0xC0 == 0x80 {
			n--
		}
	}
	return n
}

// continuing is 1 in each byte of x that continues a code point.
func continuing(x uint64) uint64 { return x >> 7 &^ (x >> 6) & lowBits }

// Units counts the UTF-16 units of UTF-8 text: a code point above U+FFFF, which is four bytes long,
// counts twice.
func Units(b []byte) int {
	n := CodePoints(b)
	for _, c := range b {
		if c >= 0xF0 {
			n++
		}
	}
	return n
}

// Offset returns where in b its code point number n starts, or len(b) when there are fewer.
func Offset(b []byte, n int) int {
	i := 0
	for n >= 8 && i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:])&highBits == 0 {
		i, n = i+8, n-8
	}
	for ; n > 0 && i < len(b); n-- {
		i++
		for i < len(b) && b[i]&0xC0 == 0x80 {
			i++
		}
	}
	return i
}

// Substring finds the bytes of length code points from position pos on, counted from 1 or, when negative,
// from the end; 0 is 1. Beyond either end it is empty. length must not be negative.
func Substring(b []byte, pos, length int64) (from, to int) {
	n := int64(len(b))
	if start := max(pos-1, 0); pos >= 0 && start < n {
		if end := start + min(length, n-start); IsASCII(b[:end]) {
			return int(start), int(end)
		}
	}
	switch {
	case pos > n:
		return 0, 0
	case pos > 0:
		from = Offset(b, int(pos-1))
	case pos < 0:
		pos += int64(CodePoints(b))
		if pos < 0 {
			return 0, 0
		}
		from = Offset(b, int(pos))
	}
	if length >= int64(len(b)-from) {
		return from, len(b)
	}
	return from, from + Offset(b[from:], int(length))
}

// CutASCII writes bytes from..to, as far as there are, of the texts among v whose bit is set in want, as views of the same
// buffers from number base on. It leaves, as set bits, texts up to to that are not ASCII, and those that are short before or
// after.
func CutASCII(out, v []View, bufs [][]byte, base uint32, want uint64, from, to int) (left uint64) {
	for ; want != 0; want &= want - 1 {
		x := &v[bits.TrailingZeros64(want)]
		end := min(to, int(x.Len))
		if end-from <= InlineLen {
			left |= want & -want
			continue
		}
		b := bufs[x.Buf][x.Off:][:end]
		if !IsASCII(b) {
			left |= want & -want
			continue
		}
		out[bits.TrailingZeros64(want)] = View{uint32(end - from), binary.LittleEndian.Uint32(b[from:]), x.Buf + base, x.Off + uint32(from)}
	}
	return left
}

// AppendUnits appends the UTF-16 units from..to of b. Half of a surrogate pair becomes a question mark,
// as in Java.
func AppendUnits(dst, b []byte, from, to int) []byte {
	if IsASCII(b) {
		return append(dst, b[min(from, len(b)):min(to, len(b))]...)
	}
	at := 0
	for i := 0; i < len(b) && at < to; {
		_, size := utf8.DecodeRune(b[i:])
		wide := 1
		if size == 4 {
			wide = 2
		}
		switch end := at + wide; {
		case at >= from && end <= to:
			dst = append(dst, b[i:i+size]...)
		case end > from:
			dst = append(dst, '?')
		}
		at += wide
		i += size
	}
	return dst
}

// CountPoints writes the number of code points of the texts whose bit is set in want.
func CountPoints(out []int32, v []View, bufs [][]byte, want []uint64) {
	v = v[:len(out)]
	for w, m := range want {
		for ; m != 0; m &= m - 1 {
			i := w<<6 | bits.TrailingZeros64(m)
			out[i] = int32(CodePoints(v[i].Bytes(bufs)))
		}
	}
}

// CountByte writes how often c stands in the texts whose bit is set in want.
func CountByte(out []int64, v []View, bufs [][]byte, want []uint64, c byte) {
	v = v[:len(out)]
	sep := [1]byte{c}
	for w, m := range want {
		for ; m != 0; m &= m - 1 {
			i := w<<6 | bits.TrailingZeros64(m)
			out[i] = int64(bytes.Count(v[i].Bytes(bufs), sep[:]))
		}
	}
}

// AppendLower appends b in lower case when it is ASCII; ok is false, and nothing appended, when not.
func AppendLower(dst, b []byte) (out []byte, ok bool) {
	n := len(dst)
	dst = append(dst, b...)
	if flipCase(dst[n:], 'A') {
		return dst, true
	}
	return dst[:n], false
}

// AppendUpper appends b in upper case when it is ASCII; ok is false, and nothing appended, when not.
func AppendUpper(dst, b []byte) (out []byte, ok bool) {
	n := len(dst)
	dst = append(dst, b...)
	if flipCase(dst[n:], 'a') {
		return dst, true
	}
	return dst[:n], false
}

// flipCase changes the case of the 26 letters from first on, in place; it stops with false at a byte that
// is not ASCII.
func flipCase(b []byte, first byte) bool {
	from, behind := (0x80-uint64(first))*lowBits, (0x80-uint64(first)-26)*lowBits
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		if x&highBits != 0 {
			return false
		}
		// The high bit of a byte of x+from is set from the first letter on, of x+behind past the last.
		binary.LittleEndian.PutUint64(b, x^((x+from)&^(x+behind)&highBits)>>2)
		b = b[8:]
	}
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
		if c-first < 26 {
			b[i] = c ^ 32
		}
	}
	return true
}

// Token finds piece number n, from 0, of b cut at delim, which must not be empty.
func Token(b, delim []byte, n int) (from, to int, ok bool) {
	if len(delim) == 1 {
		return tokenByte(b, delim[0], n)
	}
	for ; n > 0; n-- {
		k := bytes.Index(b[from:], delim)
		if k < 0 {
			return 0, 0, false
		}
		from += k + len(delim)
	}
	if k := bytes.Index(b[from:], delim); k >= 0 {
		return from, from + k, true
	}
	return from, len(b), true
}

func tokenByte(b []byte, c byte, n int) (from, to int, ok bool) {
	for ; n > 0; n-- {
		k := bytes.IndexByte(b[from:], c)
		if k < 0 {
			return 0, 0, false
		}
		from += k + 1
	}
	if k := bytes.IndexByte(b[from:], c); k >= 0 {
		return from, from + k, true
	}
	return from, len(b), true
}
