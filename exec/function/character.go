package function

import (
	"unicode"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

func characterTest(name, text, example, value string, test func(s []byte) bool) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{"<CHARACTER>"}, Nulls: Custom,
		Type: textForm("t", always(types.Of(types.Boolean).WithNull(false))),
		Bind: bindTest(func(r *row) bool { return !r.null(0) && test(r.text(0)) }),
		Doc:  Doc{Group: "string", Text: text + " FALSE for NULL.", Example: example, Value: value},
	})
}

var (
	_ = characterTest("IS_ALPHA", "Whether the text has characters and all are letters;", "IS_ALPHA('abc')", "TRUE",
		func(s []byte) bool { return allPoints(s, unicode.IsLetter) })
	_ = characterTest("IS_DIGIT", "Whether the text has characters and all are digits;", "IS_DIGIT('12')", "TRUE",
		func(s []byte) bool { return allPoints(s, unicode.IsDigit) })
	_ = characterTest("IS_DECIMAL", "Whether the text is a number;", "IS_DECIMAL('1.5')", "TRUE", isDecimal)
)

func allPoints(s []byte, is func(rune) bool) bool {
	for i := 0; i < len(s); {
		p, size := utf8.DecodeRune(s[i:])
		if !is(p) {
			return false
		}
		i += size
	}
	return len(s) > 0
}

// isDecimal tells whether Java's Long.parseLong, which reads the digits of any script, or
// Double.parseDouble reads s.
func isDecimal(s []byte) bool {
	whole := s
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		whole = s[1:]
	}
	return kernel.CodePoints(whole) <= 18 && allPoints(whole, unicode.IsDigit) || isDouble(s)
}

func isDouble(s []byte) bool {
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	if string(s) == "NaN" || string(s) == "Infinity" {
		return true
	}
	if n := len(s); n > 1 {
		switch s[n-1] {
		case 'f', 'F', 'd', 'D':
			s = s[:n-1]
		}
	}
	digits, s := digitRun(s)
	if len(s) > 0 && s[0] == '.' {
		var more int
		more, s = digitRun(s[1:])
		digits += more
	}
	if digits == 0 {
		return false
	}
	if len(s) > 0 && s[0]|32 == 'e' {
		if s = s[1:]; len(s) > 0 && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		var exponent int
		if exponent, s = digitRun(s); exponent == 0 {
			return false
		}
	}
	return len(s) == 0
}

func digitRun(s []byte) (n int, rest []byte) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n, s[n:]
}
