package types

// Common is the least restrictive type that holds the values of both a and b: the type of CASE branches,
// of set operations and of both sides of a comparison. ok is false where Flink has none, as for a number
// and a text. The result is nullable when one of them is; field names of ROW are a's.
func Common(a, b Type) (t Type, ok bool) {
	switch {
	case a.Kind == Null:
		return b.WithNull(true), true
	case b.Kind == Null:
		return a.WithNull(true), true
	}
	switch {
	case a.Kind.IsNumeric() && b.Kind.IsNumeric():
		t, ok = commonNumber(a, b), true
	case a.Kind.IsText() && b.Kind.IsText():
		t, ok = commonLength(a, b, Varchar), true
	case a.Kind.IsBinary() && b.Kind.IsBinary():
		t, ok = commonLength(a, b, Varbinary), true
	case a.Kind.IsTimestamp() && b.Kind.IsTimestamp():
		t, ok = commonTimestamp(a, b), true
	case a.Kind != b.Kind:
		return t, false
	case a.Kind == Time:
		t, ok = TimeOf(max(a.Precision, b.Precision)), true
	case a.Kind.IsComposite():
		t, ok = commonFields(a, b)
	default:
		t, ok = a, true
	}
	return t.WithNull(a.Nullable() || b.Nullable()), ok
}

// AsDecimal is the DECIMAL that holds every value of an exact type: BIGINT is DECIMAL(19, 0).
func (t Type) AsDecimal() Type {
	switch t.Kind {
	case TinyInt:
		return Type{Kind: Decimal, NotNull: t.NotNull, Precision: 3}
	case SmallInt:
		return Type{Kind: Decimal, NotNull: t.NotNull, Precision: 5}
	case Int:
		return Type{Kind: Decimal, NotNull: t.NotNull, Precision: 10}
	case BigInt:
		return Type{Kind: Decimal, NotNull: t.NotNull, Precision: 19}
	}
	return t
}

// commonNumber: the wider integer; DECIMAL with room for the integer digits of both, cut at the scale;
// DOUBLE as soon as FLOAT meets DECIMAL.
func commonNumber(a, b Type) Type {
	switch {
	case a.Kind == Double || b.Kind == Double:
		return Of(Double)
	case a.Kind == Float && b.Kind == Decimal, a.Kind == Decimal && b.Kind == Float:
		return Of(Double)
	case a.Kind == Float || b.Kind == Float:
		return Of(Float)
	case a.Kind == Decimal || b.Kind == Decimal:
		x, y := a.AsDecimal(), b.AsDecimal()
		digits := min(max(x.Precision-x.Scale, y.Precision-y.Scale), MaxDecimal)
		scale := min(max(x.Scale, y.Scale), MaxDecimal-digits)
		return DecimalOf(digits+scale, scale)
	}
	return Of(max(a.Kind, b.Kind))
}

func commonLength(a, b Type, varying Kind) Type {
	if a.Kind == b.Kind && a.Precision == b.Precision {
		return a
	}
	return Type{Kind: varying, Precision: max(a.Precision, b.Precision)}
}

func commonTimestamp(a, b Type) Type {
	p := max(a.Precision, b.Precision)
	if a.Kind == b.Kind {
		return Type{Kind: a.Kind, Precision: p}
	}
	return TimestampOf(p)
}

func commonFields(a, b Type) (Type, bool) {
	if len(a.Fields) != len(b.Fields) {
		return Type{}, false
	}
	fields := make([]Field, len(a.Fields))
	for i, f := range a.Fields {
		t, ok := Common(f.Type, b.Fields[i].Type)
		if !ok {
			return Type{}, false
		}
		fields[i] = Field{Name: f.Name, Type: t}
	}
	return Type{Kind: a.Kind, Fields: fields}, true
}
