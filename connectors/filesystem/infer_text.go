package filesystem

import (
	"bytes"
	"strconv"

	"streamsql/exec/text"
	"streamsql/exec/types"
)

// textType is the narrowest type that inference has for a text: BIGINT, DECIMAL(38, 0) for longer ones, DOUBLE, BOOLEAN,
// DATE, TIME, TIMESTAMP or STRING. Digits behind a zero are no number, since they would not come back.
func textType(t []byte, form *forms) types.Type {
	t = trim(t)
	switch {
	case len(t) == 0:
		return types.String()
	case isNumber(t):
		return numberType(t)
	case bytes.EqualFold(t, []byte("true")) || bytes.EqualFold(t, []byte("false")):
		return types.Of(types.Boolean)
	}
	if _, rest, ok := scanDate(t); ok {
		if len(rest) == 0 {
			return types.Of(types.Date)
		}
		return timestampType(rest, form)
	}
	if _, _, ok := scanClock(t, false); ok {
		return types.TimeOf(0)
	}
	return types.String()
}

func numberType(t []byte) types.Type {
	whole := t
	if whole[0] == '-' {
		whole = whole[1:]
	}
	n := digits(whole)
	const most = 38
	switch {
	case n > 1 && whole[0] == '0' || whole[0] == '+':
		return types.String()
	case n < len(whole) || n > most:
		if _, fault := text.ParseFloat(t, 64); fault != text.Ok {
			return types.String()
		}
		return types.Of(types.Double)
	}
	if _, err := strconv.ParseInt(string(t), 10, 64); err != nil {
		return types.DecimalOf(most, 0)
	}
	return types.Of(types.BigInt)
}

// timestampType is the type of what stands behind a date.
func timestampType(rest []byte, form *forms) types.Type {
	if rest[0] != form.separator {
		return types.String()
	}
	rest = rest[1:]
	of := types.TimestampOf
	if n := len(rest); n > 0 && rest[n-1] == 'Z' {
		rest, of = rest[:n-1], types.TimestampLTZOf
	}
	if _, _, ok := scanClock(rest, form.noSeconds && form.separator == 'T'); !ok {
		return types.String()
	}
	switch fraction := len(rest) - len("00:00:00."); {
	case fraction > 6:
		return of(9)
	case fraction > 3:
		return of(6)
	}
	return of(3)
}

// joinTypes is the type of values of both types. The zero type is that of no value.
func joinTypes(a, b types.Type) types.Type {
	none := types.Type{}
	switch {
	case a.Same(none):
		return b
	case b.Same(none) || a.Same(b):
		return a
	case a.Kind == types.Row && b.Kind == types.Row:
		return joinRows(a, b)
	case a.Kind == types.Array && b.Kind == types.Array:
		return types.ArrayOf(joinTypes(a.Elem(), b.Elem()))
	case a.Kind == b.Kind && a.Kind.IsTimestamp():
		a.Precision = max(a.Precision, b.Precision)
		return a
	case a.Kind.IsNumeric() && b.Kind.IsNumeric():
		if a.Kind == types.Double || b.Kind == types.Double {
			return types.Of(types.Double)
		}
		return types.DecimalOf(38, 0)
	}
	return types.String()
}

func joinRows(a, b types.Type) types.Type {
	fields := append([]types.Field(nil), a.Fields...)
	for _, f := range b.Fields {
		if i := a.Field(f.Name); i >= 0 {
			fields[i].Type = joinTypes(fields[i].Type, f.Type)
		} else {
			fields = append(fields, f)
		}
	}
	return types.RowOf(fields...)
}

// known makes STRING of what had no value, in rows and arrays too.
func known(t types.Type) types.Type {
	if t.Same(types.Type{}) {
		return types.String()
	}
	if t.Kind != types.Row && t.Kind != types.Array {
		return t
	}
	fields := append([]types.Field(nil), t.Fields...)
	for i := range fields {
		fields[i].Type = known(fields[i].Type)
	}
	t.Fields = fields
	return t
}
