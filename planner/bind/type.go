package bind

import (
	"strings"

	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// plainTypes are the types whose names take no parameters.
var plainTypes = map[string]types.Kind{
	"BOOLEAN": types.Boolean, "TINYINT": types.TinyInt, "SMALLINT": types.SmallInt, "INT": types.Int,
	"BIGINT": types.BigInt, "FLOAT": types.Float, "DOUBLE": types.Double, "DATE": types.Date, "NULL": types.Null,
	"VARIANT": types.Variant,
}

// typeNames are what an unknown type could have meant.
var typeNames = []string{
	"ARRAY", "BIGINT", "BINARY", "BOOLEAN", "BYTES", "CHAR", "DATE", "DECIMAL", "DOUBLE", "FLOAT", "INT",
	"INTERVAL", "MAP", "MULTISET", "ROW", "SMALLINT", "STRING", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "TINYINT",
	"VARBINARY", "VARCHAR", "VARIANT",
}

// resolveType is the type that a name in SQL text means.
func resolveType(t *syntax.Type) (types.Type, error) {
	out, err := nullableType(t)
	if err == nil && t.Nulls == syntax.NotNull {
		out.NotNull = true
	}
	return out, err
}

func nullableType(t *syntax.Type) (types.Type, error) {
	if t.Name == "" {
		name := (&syntax.Name{Parts: t.User}).String()
		return types.Type{}, failf(t, CodeTypeName, "type '%s' not found", name).
			WithHint("%s", suggest(strings.ToUpper(name), "types", typeNames))
	}
	if k, ok := plainTypes[t.Name]; ok {
		return types.Of(k), nil
	}
	switch t.Name {
	case "STRING":
		return types.String(), nil
	case "BYTES":
		return types.Bytes(), nil
	case "CHAR", "BINARY":
		k := map[string]types.Kind{"CHAR": types.Char, "BINARY": types.Binary}[t.Name]
		return lengthType(t, k, 1)
	case "VARCHAR", "VARBINARY":
		k := map[string]types.Kind{"VARCHAR": types.Varchar, "VARBINARY": types.Varbinary}[t.Name]
		return lengthType(t, k, types.MaxLength)
	case "DECIMAL":
		return decimalType(t)
	case "TIME":
		if t.Zone != syntax.NoZone {
			return types.Type{}, syntax.NotSupported(t.Span, "TIME with a time zone", "")
		}
		return digitsType(t, types.Time, 0)
	case "TIMESTAMP":
		switch t.Zone {
		case syntax.LocalTimeZone:
			return digitsType(t, types.TimestampLTZ, 6)
		case syntax.WithTimeZone:
			return types.Type{}, syntax.NotSupported(t.Span, "TIMESTAMP WITH TIME ZONE", "TIMESTAMP_LTZ keeps an instant")
		}
		return digitsType(t, types.Timestamp, 6)
	case "INTERVAL":
		if _, ok := months[t.Interval.From]; ok {
			return types.Of(types.IntervalMonth), nil
		}
		return types.Of(types.IntervalDay), nil
	case "ROW":
		return rowType(t)
	case "ARRAY", "MULTISET", "MAP":
		return elementType(t)
	}
	return types.Type{}, syntax.NotSupported(t.Span, "the type "+t.Name, "")
}

func lengthType(t *syntax.Type, k types.Kind, missing int) (types.Type, error) {
	n := t.Precision
	if n == syntax.Unset {
		n = missing
	}
	if n < 1 || n > types.MaxLength {
		return types.Type{}, failf(t, CodeTypeName, "%s takes a length from 1 to %d, not %d", t.Name, types.MaxLength, n).
			WithHint("such as %s(20); STRING and BYTES are of any length", t.Name)
	}
	return types.Type{Kind: k, Precision: n}, nil
}

func decimalType(t *syntax.Type) (types.Type, error) {
	p, s := t.Precision, t.Scale
	if p == syntax.Unset {
		p = 10
	}
	if s == syntax.Unset {
		s = 0
	}
	if p < 1 || p > types.MaxDecimal {
		return types.Type{}, failf(t, CodeTypeName, "DECIMAL takes 1 to %d digits, not %d", types.MaxDecimal, p).
			WithHint("such as DECIMAL(%d, %d); DOUBLE goes beyond, with 15 exact digits", types.MaxDecimal, min(max(s, 0), types.MaxDecimal))
	}
	if s < 0 || s > p {
		whole := min(p+max(s, 0), types.MaxDecimal)
		return types.Type{}, failf(t, CodeTypeName, "the scale of DECIMAL(%d, %d) must be between 0 and %d", p, s, p).
			WithHint("the first number counts all digits, those behind the point too: DECIMAL(%d, %d)", whole, min(max(s, 0), whole))
	}
	return types.DecimalOf(p, s), nil
}

func digitsType(t *syntax.Type, k types.Kind, missing int) (types.Type, error) {
	p := t.Precision
	if p == syntax.Unset {
		p = missing
	}
	if p < 0 || p > 9 {
		return types.Type{}, failf(t, CodeTypeName, "%s takes 0 to 9 digits of a second, not %d", t.Name, p).
			WithHint("%s(3) has milliseconds, %[1]s(9) nanoseconds", t.Name)
	}
	return types.Type{Kind: k, Precision: p}, nil
}

func rowType(t *syntax.Type) (types.Type, error) {
	out := types.Type{Kind: types.Row, Fields: make([]types.Field, len(t.Fields))}
	for i, f := range t.Fields {
		ft, err := resolveType(f.Type)
		if err != nil {
			return out, err
		}
		if out.Field(f.Name.Name) >= 0 {
			return out, failf(f.Name, CodeDuplicate, "field '%s' stands twice in a ROW", f.Name.Name).
				WithHint("give one of them another name, such as %s2", f.Name.Name)
		}
		out.Fields[i] = types.Field{Name: f.Name.Name, Type: ft}
	}
	return out, nil
}

func elementType(t *syntax.Type) (types.Type, error) {
	list := make([]types.Type, len(t.Elems))
	for i, e := range t.Elems {
		var err error
		if list[i], err = resolveType(e); err != nil {
			return types.Type{}, err
		}
	}
	switch t.Name {
	case "ARRAY":
		return types.ArrayOf(list[0]), nil
	case "MULTISET":
		return types.MultisetOf(list[0]), nil
	}
	return types.MapOf(list[0], list[1]), nil
}
