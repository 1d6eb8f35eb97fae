package filesystem

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"

	"streamsql/exec/function"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// field is a column, or a part of one, that a decoder fills.
type field struct {
	name string
	typ  types.Type
	out  *vector.Builder // nil when it is not read

	variants *function.Variants // once one is read
}

// forms are the ways in which a format writes times.
type forms struct {
	separator byte // between date and time
	// noSeconds says that HH:mm is a time.
	noSeconds bool
}

var (
	sqlForms = &forms{separator: ' ', noSeconds: true}
	sqlJSON  = &forms{separator: ' '}
	isoJSON  = &forms{separator: 'T', noSeconds: true}
)

func (f *field) refuse(t []byte) error {
	const longest = 60
	cut := ""
	if len(t) > longest {
		t, cut = t[:longest], "…"
	}
	return &refusal{fmt.Sprintf("column '%s': %q%s is no %s", f.name, t, cut, f.typ.WithNull(true))}
}

// refusal is the error of a value that a column cannot hold.
type refusal struct{ msg string }

func (r *refusal) Error() string { return r.msg }

// appendText appends the value that a text stands for; false when it stands for none.
func (f *field) appendText(t []byte, form *forms) bool {
	out := f.out
	switch k := f.typ.Kind; k {
	case types.Char, types.Varchar:
		out.AppendBytes(t)
	case types.Boolean:
		out.AppendBool(bytes.EqualFold(trim(t), []byte("true")))
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt, types.IntervalDay, types.IntervalMonth:
		v, ok := parseInteger(trim(t), 8*f.typ.Physical().Width())
		if !ok {
			return false
		}
		out.AppendInt(v)
	case types.Float, types.Double:
		v, fault := text.ParseFloat(t, 8*f.typ.Physical().Width())
		if fault != text.Ok {
			return false
		}
		out.AppendFloat(v)
	case types.Decimal:
		return f.appendDecimal(trim(t))
	case types.Binary, types.Varbinary:
		b, err := base64.StdEncoding.AppendDecode(out.Begin(), t)
		if err != nil {
			return false
		}
		out.End(b)
	case types.Variant:
		return f.appendVariant(t, false)
	default:
		return f.appendTime(t, form)
	}
	return true
}

// appendVariant appends the value of a JSON text, in which a key may stand repeatedly if so told.
func (f *field) appendVariant(json []byte, repeated bool) bool {
	if f.variants == nil {
		f.variants = function.NewVariants()
	}
	b, err := f.variants.Append(f.out.Begin(), json, repeated)
	if err == nil {
		f.out.End(b)
	}
	return err == nil
}

// parseInteger reads [+-]digits that fit some bits.
func parseInteger(t []byte, size int) (int64, bool) {
	const most = 18 // digits that always fit
	if len(t) > 0 && len(t) <= most && size == 64 {
		first := 0
		if t[0] == '-' {
			first = 1
		}
		if v, ok := number(t[first:]); ok {
			if first == 1 {
				v = -v
			}
			return v, true
		}
	}
	v, err := strconv.ParseInt(string(t), 10, size)
	return v, err == nil
}

// appendDecimal rounds to the scale; what does not fit the precision is NULL.
func (f *field) appendDecimal(t []byte) bool {
	if !isNumber(t) {
		return false
	}
	v, fault := text.ParseDecimal(t, f.typ.Precision, f.typ.Scale)
	switch fault {
	case text.Ok:
		f.out.AppendDecimal(v)
	case text.Overflow:
		f.out.AppendNull()
	default:
		return false
	}
	return true
}

// isNumber tells [+-]digits[.digits][e[+-]digits], where one side of the point may be empty.
func isNumber(t []byte) bool {
	if len(t) > 0 && (t[0] == '-' || t[0] == '+') {
		t = t[1:]
	}
	n := digits(t)
	t = t[n:]
	if len(t) > 0 && t[0] == '.' {
		m := digits(t[1:])
		n, t = n+m, t[1+m:]
	}
	if n == 0 || len(t) == 0 {
		return n > 0
	}
	if t[0]|' ' != 'e' {
		return false
	}
	t = t[1:]
	if len(t) > 0 && (t[0] == '-' || t[0] == '+') {
		t = t[1:]
	}
	return len(t) > 0 && digits(t) == len(t)
}

// digits counts the digits that t begins with.
func digits(t []byte) int {
	n := 0
	for n < len(t) && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	return n
}

// trim cuts what Java's String.trim does.
func trim(t []byte) []byte {
	for len(t) > 0 && t[0] <= ' ' {
		t = t[1:]
	}
	for len(t) > 0 && t[len(t)-1] <= ' ' {
		t = t[:len(t)-1]
	}
	return t
}
