package function

import (
	"math"
	"strconv"

	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "CONV", Forms: []string{"<INTEGER>, <INTEGER>, <INTEGER>", "<CHARACTER>, <INTEGER>, <INTEGER>"}, Extension: true,
	Type: func(args []Arg) (Signature, error) {
		form := "tii"
		if len(args) > 0 && args[0].Type.Kind.IsInteger() {
			form = "iii"
		}
		return textForm(form, always(types.String()))(args)
	},
	Bind: func(b Binding) (Kernel, error) {
		if b.Args[0].Type.Kind.IsInteger() {
			var digits []byte
			return textKernel(func(dst []byte, r *row) ([]byte, bool) {
				digits = strconv.AppendInt(digits[:0], r.integer(0), 10)
				return appendConverted(dst, digits, r.integer(1), r.integer(2))
			}), nil
		}
		return textKernel(func(dst []byte, r *row) ([]byte, bool) {
			return appendConverted(dst, r.text(0), r.integer(1), r.integer(2))
		}), nil
	},
	Doc: Doc{"math", "The number whose digits to one base are given, in the digits to another; bases are 2 to 36, NULL for others." +
		" A negative number is taken as 64 bits without a sign, unless the second base is negative. What is no digit ends the" +
		" number, and one of more than 64 bits is the largest.", "CONV('ff', 16, 10)", "255"},
})

// appendConverted writes the number that s starts with to the base from in digits to the base to.
func appendConverted(dst, s []byte, from, to int64) ([]byte, bool) {
	base := to
	if to < 0 {
		base = -to
	}
	if from < 2 || from > 36 || base < 2 || base > 36 {
		return dst, false
	}
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		s = s[1:]
	}
	v := leadingNumber(s, uint64(from))
	if negative {
		// A number below the least of 64 bits is that with a sign, and the largest without one.
		switch {
		case to < 0 && v > 1<<63:
			v = 1 << 63
		case to > 0 && v > 1<<63:
			v = math.MaxUint64
		default:
			v = -v
		}
	}
	start := len(dst)
	if to < 0 {
		dst = strconv.AppendInt(dst, int64(v), int(base))
	} else {
		dst = strconv.AppendUint(dst, v, int(base))
	}
	for i, c := range dst[start:] {
		if c >= 'a' {
			dst[start+i] = c - 'a' + 'A'
		}
	}
	return dst, true
}

// leadingNumber reads digits as long as there are some; the largest number stands for larger ones.
func leadingNumber(s []byte, base uint64) uint64 {
	v := uint64(0)
	for _, c := range s {
		d := uint64(36)
		switch {
		case c >= '0' && c <= '9':
			d = uint64(c - '0')
		case c|32 >= 'a' && c|32 <= 'z':
			d = uint64(c|32-'a') + 10
		}
		if d >= base {
			return v
		}
		if v > (math.MaxUint64-d)/base {
			return math.MaxUint64
		}
		v = v*base + d
	}
	return v
}
