package bind

import (
	"strconv"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// millis are the lengths of the units of a day-time interval; months those of a year-month interval.
var (
	millis = map[syntax.Unit]int64{
		syntax.Week: 7 * 86400e3, syntax.Day: 86400e3, syntax.Hour: 3600e3, syntax.Minute: 60e3, syntax.Second: 1e3,
	}
	months = map[syntax.Unit]int64{syntax.Year: 12, syntax.Quarter: 3, syntax.Month: 1}
	// dayFields and yearFields are the units that an interval of several may have, in order.
	dayFields  = []field{{syntax.Day, 0}, {syntax.Hour, 24}, {syntax.Minute, 60}, {syntax.Second, 60}}
	yearFields = []field{{syntax.Year, 0}, {syntax.Month, 12}}
)

// field is a unit inside an interval; below is how many of it make one of the unit before.
type field struct {
	unit  syntax.Unit
	below int64
}

// interval is the constant of an INTERVAL literal.
func interval(e *syntax.Interval) (expr.Expr, error) {
	text := strings.TrimSpace(e.Text)
	sign := int64(1)
	if e.Negative {
		sign = -sign
	}
	switch {
	case strings.HasPrefix(text, "-"):
		sign, text = -sign, text[1:]
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	value, err := intervalValue(e, text)
	if err != nil {
		return nil, err
	}
	name := "INTERVAL '" + e.Text + "' " + unitsText(e.Units)
	if e.Negative {
		name = "INTERVAL -'" + e.Text + "' " + unitsText(e.Units)
	}
	if _, ok := months[e.Units.From]; ok {
		return constant(types.Of(types.IntervalMonth), int32(sign*value), name), nil
	}
	return constant(types.Of(types.IntervalDay), sign*value, name), nil
}

func unitsText(u syntax.IntervalUnits) string {
	s := string(u.From)
	if u.Precision != syntax.Unset && u.Precision != 0 {
		s += "(" + strconv.Itoa(u.Precision) + ")"
	}
	if u.To != syntax.NoUnit {
		s += " TO " + string(u.To)
	}
	return s
}

// intervalValue reads the text of an interval without its sign, in milliseconds or months.
func intervalValue(e *syntax.Interval, text string) (int64, error) {
	scale, list := millis, dayFields
	if _, ok := months[e.Units.From]; ok {
		scale, list = months, yearFields
	}
	if e.Units.To == syntax.NoUnit {
		list = []field{{e.Units.From, 0}}
	}
	for len(list) > 0 && list[0].unit != e.Units.From {
		list = list[1:]
	}
	parts, ok := splitInterval(text, list, e.Units.To)
	if !ok {
		return 0, badInterval(e)
	}
	total := int64(0)
	for i, p := range parts {
		unit := list[i].unit
		whole, fraction, hasFraction := strings.Cut(p, ".")
		n, ok := digits(whole)
		if whole == "" || !ok || (hasFraction && unit != syntax.Second) {
			return 0, badInterval(e)
		}
		if i > 0 && n >= list[i].below {
			return 0, badInterval(e)
		}
		if most := leadingDigits(e.Units); i == 0 && len(strings.TrimLeft(whole, "0")) > most {
			return 0, failf(e, CodeLiteral, "interval value %d has more than the %d digits of %s(%d)", n, most, unit, most).
				WithHint("write %s(%d)", unit, len(whole))
		}
		total += n * scale[unit]
		if hasFraction {
			f, ok := digits((fraction + "000")[:3])
			if _, all := digits(fraction); !ok || !all {
				return 0, badInterval(e)
			}
			total += f
		}
	}
	return total, nil
}

// leadingDigits is how many digits the first unit may have: two unless the literal says otherwise.
func leadingDigits(u syntax.IntervalUnits) int {
	if u.Precision == syntax.Unset || u.Precision == 0 {
		return 2
	}
	return u.Precision
}

// splitInterval takes a text such as 1 02:03:04.005 apart, one part a unit.
func splitInterval(text string, list []field, to syntax.Unit) ([]string, bool) {
	if to == syntax.NoUnit {
		return []string{text}, true
	}
	var parts []string
	for _, f := range list {
		if f.unit == to {
			parts = append(parts, text)
			return parts, true
		}
		sep := ":"
		switch f.unit {
		case syntax.Day:
			sep = " "
		case syntax.Year:
			sep = "-"
		}
		head, rest, ok := strings.Cut(text, sep)
		if !ok {
			return nil, false
		}
		parts, text = append(parts, head), strings.TrimSpace(rest)
	}
	return nil, false
}

func badInterval(e *syntax.Interval) error {
	return failf(e, CodeLiteral, "'%s' is no INTERVAL %s", e.Text, unitsText(e.Units)).
		WithHint("such as INTERVAL '10' SECOND, INTERVAL '1:30' MINUTE TO SECOND, INTERVAL '1-2' YEAR TO MONTH")
}
