package filesystem

import "encoding/binary"

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

// clean is how many bytes of s come before the first that is escaped. Eight at a time are passed over that are all
// ordinary; the others are looked up.
func clean(s []byte) int {
	i := 0
	for i+8 <= len(s) && ordinary(binary.LittleEndian.Uint64(s[i:])) {
		i += 8
	}
	if n := len(s); n >= 8 && n-i < 8 && ordinary(binary.LittleEndian.Uint64(s[n-8:])) {
		return n
	}
	for ; i < len(s); i++ {
		if special[s[i]] != 0 {
			return i
		}
		for i&7 == 7 && i+9 <= len(s) && ordinary(binary.LittleEndian.Uint64(s[i+1:])) {
			i += 8
		}
	}
	return i
}

// ordinary tells that all bytes of a word are digits, letters, beyond ASCII or one of `+,-.@` and the backquote. A sum
// has the top bit of each byte that is at least as large as 80 less the summand.
func ordinary(w uint64) bool {
	const (
		ones = 0x0101010101010101
		top  = 0x80 * ones
	)
	f := (w | 0x20*ones) &^ top // capital letters are small
	letter := (f + 0x20*ones) &^ (f + 0x05*ones)
	digit := (f + 0x50*ones) &^ (f + 0x46*ones)
	mark := (f + 0x55*ones) &^ (f + 0x51*ones)
	printed := w<<1 | w<<2 // not below the space
	return ((letter|digit|mark)&printed|w)&top == top
}

// Escape is s as a part of a path; s itself, and no allocation, when nothing of it is to be escaped.
func Escape(s string) string {
	if clean([]byte(s)) == len(s) {
		return s
	}
	return string(AppendEscaped(make([]byte, 0, len(s)+8), []byte(s)))
}

// AppendEscaped appends Escape(s) to dst.
func AppendEscaped(dst, s []byte) []byte {
	for {
		n := clean(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		c := s[n]
		dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		s = s[n+1:]
	}
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
