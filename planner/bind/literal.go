package bind

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"streamsql/exec/expr"
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/syntax"
)

// literal is the constant that a literal spells, with Flink's type for it. A number may carry a sign.
func literal(e *syntax.Literal) (expr.Expr, error) {
	switch e.Kind {
	case syntax.NullLiteral:
		return expr.Null(types.Of(types.Null)), nil
	case syntax.BoolLiteral:
		if strings.EqualFold(e.Text, "UNKNOWN") {
			return expr.Null(types.Of(types.Boolean)), nil
		}
		return expr.Bool(strings.EqualFold(e.Text, "TRUE")), nil
	case syntax.IntegerLiteral:
		return integerLiteral(e)
	case syntax.DecimalLiteral:
		return decimalLiteral(e)
	case syntax.DoubleLiteral:
		f, err := strconv.ParseFloat(e.Text, 64)
		if err != nil || math.IsInf(f, 0) {
			return nil, outOfRange(e)
		}
		return constant(types.Of(types.Double), f, e.Text), nil
	case syntax.StringLiteral:
		t := types.CharOf(utf8.RuneCountInString(e.Text)).WithNull(false)
		text := "'" + strings.ReplaceAll(e.Text, "'", "''") + "'"
		return &expr.Const{Value: vector.ConstText(t, e.Text, 1), T: t, Text: text}, nil
	case syntax.BinaryLiteral:
		b, err := hex.DecodeString(e.Text)
		if err != nil {
			return nil, failf(e, CodeLiteral, "a binary literal has an even number of hex digits").
				WithHint("two digits are a byte: X'%s'", "0"+e.Text)
		}
		t := types.Type{Kind: types.Binary, Precision: len(b), NotNull: true}
		return &expr.Const{Value: vector.ConstText(t, string(b), 1), T: t, Text: "X'" + e.Text + "'"}, nil
	}
	return timeLiteral(e)
}

// constant wraps a value of a fixed width.
func constant[T any](t types.Type, v T, text string) expr.Expr {
	t.NotNull = true
	return &expr.Const{Value: vector.ConstOf(t, v, 1), T: t, Text: text}
}

func outOfRange(e *syntax.Literal) error {
	text := e.Text
	if len(text) > 50 {
		text = text[:50] + "…"
	}
	return failf(e, CodeLiteral, "number %s is out of range", text).WithHint("%s", numberHint(e))
}

// numberHint says how a number that is out of range could be written.
func numberHint(e *syntax.Literal) string {
	digits := strings.TrimLeft(strings.ReplaceAll(e.Text, ".", ""), "-")
	switch {
	case e.Kind == syntax.DoubleLiteral:
		return "the numbers of a DOUBLE go to 1.7976931348623157E308"
	case len(e.Text) > 50:
		return "with E0 behind it a number is a DOUBLE"
	case e.Kind == syntax.IntegerLiteral && len(digits) < types.MaxDecimal:
		return fmt.Sprintf("a whole number is a BIGINT at most; write %s.0 for a DECIMAL, or %[1]sE0 for a DOUBLE", e.Text)
	}
	if e.Kind == syntax.IntegerLiteral && len(digits) == types.MaxDecimal {
		return fmt.Sprintf("a whole number is a BIGINT at most; write CAST('%s' AS DECIMAL(%d, 0))", e.Text, types.MaxDecimal)
	}
	return fmt.Sprintf("a DECIMAL has %d digits at most; write %sE0 for a DOUBLE", types.MaxDecimal, e.Text)
}

func integerLiteral(e *syntax.Literal) (expr.Expr, error) {
	n, err := strconv.ParseInt(e.Text, 10, 64)
	if err != nil {
		return nil, outOfRange(e)
	}
	if n >= math.MinInt32 && n <= math.MaxInt32 {
		return constant(types.Of(types.Int), int32(n), strconv.FormatInt(n, 10)), nil
	}
	return constant(types.Of(types.BigInt), n, strconv.FormatInt(n, 10)), nil
}

// decimalLiteral counts every digit written, zeros in front too: 0.908 is DECIMAL(4, 3). Without a
// fraction (1.) it is an integer.
func decimalLiteral(e *syntax.Literal) (expr.Expr, error) {
	whole, fraction, _ := strings.Cut(e.Text, ".")
	if fraction == "" {
		return integerLiteral(&syntax.Literal{Span: e.Span, Kind: syntax.IntegerLiteral, Text: whole})
	}
	digits := strings.TrimLeft(whole, "-") + fraction
	v, ok := new(big.Int).SetString(digits, 10)
	if !ok || len(digits) > types.MaxDecimal {
		return nil, outOfRange(e)
	}
	if strings.HasPrefix(whole, "-") {
		v.Neg(v)
	}
	t := types.DecimalOf(len(digits), len(fraction))
	if v.IsInt64() {
		return constant(t, v.Int64(), e.Text), nil
	}
	wide, ok := kernel.Int128OfBig(v)
	if !ok {
		return nil, outOfRange(e)
	}
	return constant(t, wide, e.Text), nil
}

// timeLiteral reads DATE, TIME and TIMESTAMP literals, which are stricter than casts.
func timeLiteral(e *syntax.Literal) (expr.Expr, error) {
	switch e.Kind {
	case syntax.DateLiteral:
		if day, ok := parseDay(e.Text); ok {
			return constant(types.Of(types.Date), int32(day), "DATE '"+e.Text+"'"), nil
		}
		return nil, failf(e, CodeLiteral, "'%s' is no date", e.Text).WithHint("DATE 'yyyy-MM-dd'")
	case syntax.TimeLiteral:
		if nanos, digits, ok := parseClock(e.Text); ok {
			return constant(types.TimeOf(digits), int32(nanos/1e6), "TIME '"+e.Text+"'"), nil
		}
		return nil, failf(e, CodeLiteral, "'%s' is no time", e.Text).WithHint("TIME 'HH:mm:ss[.fraction]'")
	}
	day, clock, _ := strings.Cut(e.Text, " ")
	d, ok := parseDay(day)
	nanos, digits, clockOK := parseClock(clock)
	if !ok || !clockOK {
		return nil, failf(e, CodeLiteral, "'%s' is no timestamp", e.Text).
			WithHint("TIMESTAMP 'yyyy-MM-dd HH:mm:ss[.fraction]'")
	}
	t, word := types.TimestampOf(digits), "TIMESTAMP '"
	if e.Kind == syntax.TimestampLTZLiteral {
		return nil, syntax.NotSupported(e.Span, "literals of TIMESTAMP WITH LOCAL TIME ZONE",
			"write CAST(TIMESTAMP '…' AS TIMESTAMP_LTZ(3))")
	}
	tick := t.TickNanos()
	perDay := 86400 * (1_000_000_000 / tick)
	if digits > 6 && (d < -106751 || d > 106750) {
		return nil, failf(e, CodeLiteral, "'%s' is out of range: a TIMESTAMP(%d) lies between 1677 and 2262", e.Text, digits).
			WithHint("write 6 digits of the fraction at most")
	}
	return constant(t, d*perDay+nanos/tick, word+e.Text+"'"), nil
}

// parseDay reads yyyy-MM-dd as days since 1970.
func parseDay(s string) (int64, bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	y, ok1 := digits(s[:4])
	m, ok2 := digits(s[5:7])
	d, ok3 := digits(s[8:])
	if !ok1 || !ok2 || !ok3 || m < 1 || m > 12 || d < 1 || d > kernel.DaysInMonth(y, m) {
		return 0, false
	}
	return kernel.DaysFromCivil(y, m, d), true
}

// parseClock reads HH:mm:ss[.fraction] as nanoseconds, and the digits of the fraction.
func parseClock(s string) (nanos int64, precision int, ok bool) {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' {
		return 0, 0, false
	}
	h, ok1 := digits(s[:2])
	m, ok2 := digits(s[3:5])
	sec, ok3 := digits(s[6:8])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || sec > 59 {
		return 0, 0, false
	}
	nanos = ((h*60+m)*60 + sec) * 1e9
	if len(s) == 8 {
		return nanos, 0, true
	}
	fraction := s[9:]
	if s[8] != '.' || len(fraction) > 9 {
		return 0, 0, false
	}
	f, ok := digits((fraction + "000000000")[:9])
	return nanos + f, len(fraction), ok
}

// digits reads a number of digits alone.
func digits(s string) (int64, bool) {
	n, err := strconv.ParseUint(s, 10, 63)
	return int64(n), err == nil && s[0] != '+'
}
