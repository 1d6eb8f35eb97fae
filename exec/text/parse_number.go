package text

import (
	"math"
	"strconv"

	"streamsql/exec/kernel"
)

// ParseBool reads true, t, yes, y, 1, false, f, no, n and 0 in any case, untrimmed.
func ParseBool(t []byte) (bool, Fault) {
	var low [5]byte
	if len(t) == 0 || len(t) > len(low) {
		return false, NotBoolean
	}
	for i, b := range t {
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		low[i] = b
	}
	switch string(low[:len(t)]) {
	case "true", "t", "yes", "y", "1":
		return true, Ok
	case "false", "f", "no", "n", "0":
		return false, Ok
	}
	return false, NotBoolean
}

// ParseInt reads an integer of 8, 16, 32 or 64 bits: spaces around it are cut, and so is a fraction.
func ParseInt(t []byte, size int) (int64, Fault) {
	t = TrimSpaces(t)
	if len(t) == 0 {
		return 0, Empty
	}
	negative := t[0] == '-'
	if negative || t[0] == '+' {
		if t = t[1:]; len(t) == 0 {
			return 0, SignOnly
		}
	}
	limit := uint64(1)<<(size-1) - 1
	if negative {
		limit++
	}
	var v uint64
	i, digits := 0, 0
	for ; i < len(t) && t[i] != '.'; i++ {
		d := uint64(t[i] - '0')
		if d > 9 {
			return 0, Invalid
		}
		if v > (limit-d)/10 {
			return 0, overflowOrInvalid(t[i:])
		}
		v = v*10 + d
		digits++
	}
	for i++; i < len(t); i++ {
		if t[i] < '0' || t[i] > '9' {
			return 0, Invalid
		}
		digits++
	}
	if digits == 0 {
		return 0, Invalid
	}
	if negative {
		return int64(-v), Ok
	}
	return int64(v), Ok
}

func overflowOrInvalid(rest []byte) Fault {
	for _, b := range rest {
		if (b < '0' || b > '9') && b != '.' {
			return Invalid
		}
	}
	return Overflow
}

// ParseFloat reads a FLOAT (32) or DOUBLE (64) as Java's parseDouble: blanks around it are cut, an
// exponent, a final d or f, NaN, Infinity and hexadecimal floats are allowed. What is too large is
// Infinity.
func ParseFloat(t []byte, size int) (float64, Fault) {
	t = trimBlanks(t)
	if len(t) == 0 {
		return 0, Empty
	}
	u := t
	if u[0] == '+' || u[0] == '-' {
		u = u[1:]
	}
	switch string(u) {
	case "NaN":
		return math.NaN(), Ok
	case "Infinity":
		if t[0] == '-' {
			return math.Inf(-1), Ok
		}
		return math.Inf(1), Ok
	}
	hex := len(u) > 2 && u[0] == '0' && u[1]|' ' == 'x'
	if n := len(u) - 1; n > 0 && (!hex || hasExponent(u)) {
		switch u[n] {
		case 'd', 'D', 'f', 'F':
			t, u = t[:len(t)-1], u[:n]
		}
	}
	if !plainFloat(u, hex) {
		return 0, Invalid
	}
	v, err := strconv.ParseFloat(string(t), size)
	if err != nil && err.(*strconv.NumError).Err != strconv.ErrRange {
		return 0, Invalid
	}
	return v, Ok
}

func hasExponent(u []byte) bool {
	for _, b := range u {
		if b|' ' == 'p' {
			return true
		}
	}
	return false
}

// plainFloat refuses what strconv reads and Java does not: underscores, inf, nan.
func plainFloat(u []byte, hex bool) bool {
	if len(u) == 0 {
		return false
	}
	for i, b := range u {
		switch {
		case b >= '0' && b <= '9', b == '.', b == '-' && i > 0, b == '+' && i > 0, b|' ' == 'e':
		case hex && (b|' ' == 'x' || b|' ' == 'p' || (b|' ' >= 'a' && b|' ' <= 'f')):
		default:
			return false
		}
	}
	return true
}

// narrowDigits is the longest text, and the largest precision, of the short way of reading a DECIMAL.
const narrowDigits = 18

// ParseDecimal reads a DECIMAL(precision, scale) and rounds it half up to the scale. Blanks around it are
// cut; an exponent is allowed.
func ParseDecimal(t []byte, precision, scale int) (kernel.Int128, Fault) {
	// Flink reads short texts by a loop that lets one stray character after the digits pass (`1-`).
	lenient := precision <= narrowDigits && len(t) <= narrowDigits
	for len(t) > 0 && isDecimalBlank(t[0]) {
		t = t[1:]
	}
	for len(t) > 0 && isDecimalBlank(t[len(t)-1]) {
		t = t[:len(t)-1]
	}
	if len(t) == 0 {
		return kernel.Int128{}, Empty
	}
	negative := t[0] == '-'
	if negative || t[0] == '+' {
		t = t[1:]
	}
	n, exp, fault := scanDecimal(t, lenient)
	if fault != Ok {
		return kernel.Int128{}, fault
	}
	return roundDecimal(t[:n], exp, negative, precision, scale)
}

func isDecimalBlank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' }

// scanDecimal checks digits, point and exponent: n bytes of t are digits and point.
func scanDecimal(t []byte, lenient bool) (n, exp int, fault Fault) {
	digits, point := 0, false
	for ; n < len(t); n++ {
		switch b := t[n]; {
		case b >= '0' && b <= '9':
			digits++
			continue
		case b == '.' && !point:
			point = true
			continue
		}
		break
	}
	if digits == 0 {
		return 0, 0, Invalid
	}
	rest := t[n:]
	if len(rest) == 0 || (lenient && len(rest) == 1) {
		return n, 0, Ok
	}
	if rest[0]|' ' != 'e' {
		return 0, 0, Invalid
	}
	rest = rest[1:]
	negative := len(rest) > 0 && rest[0] == '-'
	if negative || (len(rest) > 0 && rest[0] == '+') {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return 0, 0, Invalid
	}
	for _, b := range rest {
		if b < '0' || b > '9' {
			return 0, 0, Invalid
		}
		exp = min(exp*10+int(b-'0'), 1_000_000)
	}
	if negative {
		exp = -exp
	}
	return n, exp, Ok
}

// roundDecimal makes the unscaled value of the digits of t, which may hold a point, times 10^exp.
func roundDecimal(t []byte, exp int, negative bool, precision, scale int) (v kernel.Int128, fault Fault) {
	before := len(t) // digits before the point
	for i, b := range t {
		if b == '.' {
			before = i
		}
	}
	keep := before + exp + scale // digits of t that count
	digits := 0
	for i, b := range t {
		if b == '.' {
			continue
		}
		at := i
		if i > before {
			at--
		}
		if at >= keep {
			if at == keep && b >= '5' {
				v = v.Add(kernel.Int128{Lo: 1})
			}
			break
		}
		if digits > 0 || b != '0' {
			if digits++; digits > precision {
				return v, Overflow
			}
		}
		v = timesTen(v).Add(kernel.Int128{Lo: uint64(b - '0')})
	}
	all := len(t)
	if before < all {
		all--
	}
	for ; all < keep && digits > 0; all++ {
		if digits++; digits > precision {
			return v, Overflow
		}
		v = timesTen(v)
	}
	if digits == precision && v.Cmp(powerOfTen(precision)) >= 0 {
		return v, Overflow
	}
	if negative {
		v = v.Neg()
	}
	return v, Ok
}

func timesTen(v kernel.Int128) kernel.Int128 {
	two := v.Add(v)
	four := two.Add(two)
	return four.Add(four).Add(two)
}

func powerOfTen(n int) kernel.Int128 {
	p := kernel.Int128{Lo: 1}
	for range n {
		p = timesTen(p)
	}
	return p
}
