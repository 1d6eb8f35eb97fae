package filesystem

import (
	"encoding/binary"
	"slices"
)

// The path of a partition is `key=value/key=value`. Where a name or a value has a character that a file system, a
// shell or hive might take for its own, `%XX` stands for it, with two upper-case hex digits: a control character, DEL
// or one of `"#%'*/:=?\{[]^`. All others, also those beyond ASCII, stand for themselves. So any UTF-8 can be part of a
// path, and reading undoes writing.

// escaped holds a bit for each ASCII character that is escaped.
var escaped = [2]uint64{0xA40084ACFFFFFFFF, 0x8800000078000000}

// special is 1 for each byte that is escaped.
var special = func() (t [256]uint8) {
	for c := range 128 {
		t[c] = uint8(escaped[c>>6] >> (c & 63) & 1)
	}
	return t
}()

const upperHex = "0123456789ABCDEF"

// clean is how many bytes of s come before the first that is escaped. Words of eight bytes are passed over that are all
// ordinary, four at a time; the others are looked up.
func clean(s []byte) int {
	n := len(s)
	if n < 8 {
		return cleanBytes(s, 0)
	}
	if n <= 16 {
		if ordinary(binary.LittleEndian.Uint64(s))&ordinary(binary.LittleEndian.Uint64(s[n-8:]))&top == top {
			return n
		}
		return cleanBytes(s, 0)
	}
	i := 0
	for {
		for ; i+32 <= n; i += 32 {
			w := s[i : i+32 : i+32]
			if ordinary(binary.LittleEndian.Uint64(w))&ordinary(binary.LittleEndian.Uint64(w[8:]))&
				ordinary(binary.LittleEndian.Uint64(w[16:]))&ordinary(binary.LittleEndian.Uint64(w[24:]))&top != top {
				break
			}
		}
		end := min(i+32, n)
		for ; i+8 <= end && ordinary(binary.LittleEndian.Uint64(s[i:]))&top == top; i += 8 {
		}
		if i == n {
			return n
		}
		// A word with something else, or the last bytes of all.
		end = min(i+8, n)
		if i = cleanBytes(s[:end], i); i < end || i == n {
			return i
		}
	}
}

// cleanBytes is clean from a byte on, byte by byte.
func cleanBytes(s []byte, i int) int {
	for ; i < len(s); i++ {
		if special[s[i]] != 0 {
			return i
		}
	}
	return i
}

const (
	ones = 0x0101010101010101
	top  = 0x80 * ones
)

// ordinary has the top bit of each byte of a word that is a letter, a digit, beyond ASCII or one of `+,-.`: of none that is
// escaped. A sum has it of each byte that is at least as large as 80 less the summand.
func ordinary(w uint64) uint64 {
	m := w &^ top
	f := m | 0x20*ones // capital letters are small
	letter := (f + 0x1F*ones) &^ (f + 0x05*ones)
	digit := (m + 0x55*ones) & ((m ^ 0x2F*ones) + 0x7F*ones) &^ (m + 0x46*ones) // from + to 9, and no /
	return letter | digit | w
}

// Escape is s as a part of a path; s itself, and no allocation, when nothing of it is to be escaped.
func Escape(s string) string {
	if clean([]byte(s)) == len(s) {
		return s
	}
	var room [128]byte
	return string(AppendEscaped(room[:0], []byte(s)))
}

// short is how long a text is whose bytes are looked at one by one: runs of clean bytes are not worth a call in it.
const short = 16

// AppendEscaped appends Escape(s) to dst.
func AppendEscaped(dst, s []byte) []byte {
	for len(s) > short {
		n := clean(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		c := s[n]
		dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		s = s[n+1:]
	}
	at := len(dst)
	dst = slices.Grow(dst, 3*len(s))
	out, n := dst[at:at+3*len(s)], 0
	for _, c := range s {
		if special[c] == 0 {
			out[n] = c
			n++
			continue
		}
		hex := out[n : n+3 : n+3]
		hex[0], hex[1], hex[2] = '%', upperHex[c>>4], upperHex[c&15]
		n += 3
	}
	return dst[:at+n]
}

// Unescape undoes Escape. A code above 7F, which Escape does not write, is the character of that number; what is no
// `%` and two hex digits stays as it is.
func Unescape(s string) string {
	i := 0
	for i < len(s) && s[i] != '%' {
		i++
	}
	if i == len(s) {
		return s
	}
	out := append(make([]byte, 0, len(s)+2), s[:i]...)
	for ; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := hexDigit(s[i+1]), hexDigit(s[i+2])
			if hi >= 0 && lo >= 0 {
				out = append(out, string(rune(hi<<4|lo))...)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// hexDigit is the number that a digit stands for, or -1.
func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
