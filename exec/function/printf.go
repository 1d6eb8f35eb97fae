package function

import (
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "PRINTF", Forms: []string{"<CHARACTER>, <ANY>, ..."}, Nulls: Custom,
	Type: printfType,
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		if r.null(0) {
			return dst, false
		}
		f := format{row: r, in: r.text(0), next: 1}
		return f.append(dst)
	}),
	Doc: Doc{Group: "string", Text: "The arguments written by a format of java.util.Formatter; a NULL argument is written null," +
		" a bad format gives NULL.", Example: "PRINTF('%s-%03d', 'a', 7)", Value: "a-007"},
})

// printfType leaves numbers, texts and truth values as they are and asks for the text of all else.
func printfType(args []Arg) (Signature, error) {
	sig := Signature{Result: types.String()}
	if len(args) == 0 || !args[0].Type.Kind.IsText() && args[0].Type.Kind != types.Null {
		return sig, Mismatch()
	}
	for _, a := range args {
		t := a.Type
		switch k := t.Kind; {
		case k == types.Symbol:
			return sig, Mismatch()
		case k.IsInteger() || k.IsText() || k == types.Boolean || k == types.Double:
		case k == types.Float:
			t = types.Of(types.Double).WithNull(t.Nullable())
		default:
			t = types.String().WithNull(t.Nullable())
		}
		sig.Args = append(sig.Args, t)
	}
	return sig, nil
}

// format reads one format of java.util.Formatter.
type format struct {
	row  *row
	in   []byte
	at   int
	next int // the argument that the next directive takes
	last int // the argument that %< takes

	left, plus, space, zero, group, paren, alternate bool
	width, precision                                 int // -1 when not given
}

func (f *format) append(dst []byte) ([]byte, bool) {
	for f.at < len(f.in) {
		if f.in[f.at] != '%' {
			dst = append(dst, f.in[f.at])
			f.at++
			continue
		}
		f.at++
		var ok bool
		if dst, ok = f.directive(dst); !ok {
			return dst, false
		}
	}
	return dst, true
}

func (f *format) number() int {
	if f.at >= len(f.in) || f.in[f.at] < '1' || f.in[f.at] > '9' {
		return -1
	}
	n := 0
	for f.at < len(f.in) && f.in[f.at] >= '0' && f.in[f.at] <= '9' && n < 1e6 {
		n = n*10 + int(f.in[f.at]-'0')
		f.at++
	}
	return n
}

// directive appends what stands behind a percent sign.
func (f *format) directive(dst []byte) ([]byte, bool) {
	arg, start := 0, f.at
	if n := f.number(); n > 0 && f.at < len(f.in) && f.in[f.at] == '$' {
		arg = n
		f.at++
	} else {
		f.at = start
	}
	again := f.flags()
	f.width, f.precision = f.number(), -1
	if f.at < len(f.in) && f.in[f.at] == '.' {
		f.at++
		if f.at < len(f.in) && f.in[f.at] == '0' {
			f.precision = 0
			f.at++
		} else if f.precision = f.number(); f.precision < 0 {
			return dst, false
		}
	}
	if f.at >= len(f.in) || f.width > longestText {
		return dst, false
	}
	c := f.in[f.at]
	f.at++
	switch c {
	case '%':
		return f.pad(append(dst, '%'), len(dst)), true
	case 'n':
		return append(dst, '\n'), true
	}
	switch {
	case again:
		arg = f.last
	case arg == 0:
		arg = f.next
		f.next++
	}
	f.last = arg
	if arg == 0 || !f.row.has(arg) || (f.left || f.zero) && f.width < 0 {
		return dst, false
	}
	from := len(dst)
	upper := c >= 'A' && c <= 'Z'
	dst, ok := f.value(dst, c|32, arg)
	if upper {
		for i := from; i < len(dst); i++ {
			if dst[i] >= 'a' && dst[i] <= 'z' {
				dst[i] -= 32
			}
		}
	}
	return f.pad(dst, from), ok
}

func (f *format) flags() (again bool) {
	f.left, f.plus, f.space, f.zero, f.group, f.paren, f.alternate = false, false, false, false, false, false, false
	for ; f.at < len(f.in); f.at++ {
		switch f.in[f.at] {
		case '-':
			f.left = true
		case '+':
			f.plus = true
		case ' ':
			f.space = true
		case '0':
			f.zero = true
		case ',':
			f.group = true
		case '(':
			f.paren = true
		case '#':
			f.alternate = true
		case '<':
			again = true
		default:
			return again
		}
	}
	return again
}

// pad fills what was appended from `from` on up to the width with blanks.
func (f *format) pad(dst []byte, from int) []byte {
	missing := f.width - kernel.CodePoints(dst[from:])
	if missing <= 0 {
		return dst
	}
	n := len(dst)
	for range missing {
		dst = append(dst, ' ')
	}
	if !f.left {
		copy(dst[from+missing:], dst[from:n])
		for i := from; i < from+missing; i++ {
			dst[i] = ' '
		}
	}
	return dst
}

// value appends argument arg under a conversion.
func (f *format) value(dst []byte, conversion byte, arg int) ([]byte, bool) {
	r := f.row
	if r.null(arg) {
		if conversion == 'b' {
			return append(dst, "false"...), true
		}
		return f.cut(append(dst, "null"...), len(dst)), true
	}
	c := r.c.Args[arg]
	kind := c.Type.Kind
	switch conversion {
	case 's', 'b':
		from := len(dst)
		switch {
		case kind == types.Boolean:
			dst = strconv.AppendBool(dst, vector.Bool(c, r.i))
		case conversion == 'b':
			dst = append(dst, "true"...)
		case kind.IsInteger():
			dst = strconv.AppendInt(dst, integerAt(c, r.i), 10)
		case kind == types.Double:
			dst = text.AppendDouble(dst, vector.Value[float64](c, r.i))
		default:
			dst = append(dst, r.text(arg)...)
		}
		return f.cut(dst, from), true
	case 'd', 'x', 'o', 'c':
		if kind.IsInteger() {
			return f.integer(dst, conversion, integerAt(c, r.i), kind)
		}
	case 'f', 'e', 'g':
		switch {
		case kind == types.Double:
			return f.float(dst, conversion, vector.Value[float64](c, r.i))
		case !kind.IsInteger() && kind != types.Boolean:
			return f.decimal(dst, conversion, string(r.text(arg)))
		}
	}
	return dst, false
}

// cut shortens what was appended to the precision.
func (f *format) cut(dst []byte, from int) []byte {
	if f.precision < 0 {
		return dst
	}
	end := from
	for n := 0; n < f.precision && end < len(dst); n++ {
		_, size := utf8.DecodeRune(dst[end:])
		end += size
	}
	return dst[:end]
}

func (f *format) integer(dst []byte, conversion byte, v int64, kind types.Kind) ([]byte, bool) {
	if f.precision >= 0 {
		return dst, false
	}
	switch conversion {
	case 'c':
		if v < 0 || v > utf8.MaxRune {
			return dst, false
		}
		return utf8.AppendRune(dst, rune(v)), true
	case 'd':
		var digits [20]byte
		return f.signed(dst, strconv.AppendUint(digits[:0], magnitude(v), 10), v < 0), true
	}
	bits := map[types.Kind]uint{types.TinyInt: 8, types.SmallInt: 16, types.Int: 32, types.BigInt: 64}[kind]
	base, prefix := 16, "0x"
	if conversion == 'o' {
		base, prefix = 8, "0"
	}
	if f.alternate {
		dst = append(dst, prefix...)
	} else {
		prefix = ""
	}
	var room [22]byte
	digits := strconv.AppendUint(room[:0], uint64(v)&(math.MaxUint64>>(64-bits)), base)
	for n := len(prefix) + len(digits); f.zero && n < f.width; n++ {
		dst = append(dst, '0')
	}
	return append(dst, digits...), true
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// signed appends digits with their sign, grouped and filled with zeros as the flags say.
func (f *format) signed(dst, digits []byte, negative bool) []byte {
	var room [32]byte
	if f.group {
		digits = grouped(room[:0], digits)
	}
	sign, end := "", ""
	switch {
	case negative && f.paren:
		sign, end = "(", ")"
	case negative:
		sign = "-"
	case f.plus:
		sign = "+"
	case f.space:
		sign = " "
	}
	dst = append(dst, sign...)
	for n := len(sign) + len(digits) + len(end); f.zero && n < f.width; n++ {
		dst = append(dst, '0')
	}
	return append(append(dst, digits...), end...)
}

// grouped appends digits with a comma between groups of three before the point.
func grouped(out, digits []byte) []byte {
	whole := 0
	for whole < len(digits) && digits[whole] >= '0' && digits[whole] <= '9' {
		whole++
	}
	for i, c := range digits {
		if i > 0 && i < whole && (whole-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, c)
	}
	return out
}

func (f *format) float(dst []byte, conversion byte, v float64) ([]byte, bool) {
	switch {
	case math.IsNaN(v):
		return append(dst, "NaN"...), true
	case math.IsInf(v, 0):
		f.zero = false
		return f.signed(dst, []byte("Infinity"), v < 0), true
	}
	return f.decimal(dst, conversion, strconv.FormatFloat(v, 'g', -1, 64))
}

// decimal rounds a number given by its digits half up, as Java does.
func (f *format) decimal(dst []byte, conversion byte, text string) ([]byte, bool) {
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		return dst, false
	}
	precision := f.precision
	if precision < 0 {
		precision = 6
	}
	negative := x.Sign() < 0
	x.Abs(x)
	if conversion == 'g' {
		precision = max(precision, 1)
		v, _ := x.Float64()
		if v != 0 && (v < 1e-4 || v >= math.Pow10(precision)) {
			conversion, precision = 'e', precision-1
		} else if v != 0 {
			precision -= int(math.Floor(math.Log10(v))) + 1
		}
	}
	if conversion == 'e' {
		v, _ := x.Float64()
		return f.signed(dst, strconv.AppendFloat(nil, v, 'e', precision, 64), negative), true
	}
	return f.signed(dst, []byte(x.FloatString(max(precision, 0))), negative), true
}
