package types

// CanStore tells whether INSERT may put values of one type into a column of another by an implicit cast:
// where nothing but length, precision, scale or fractional digits can be lost. Nullability is not its
// business: a NULL that reaches a NOT NULL column fails when it does.
func CanStore(from, to Type) bool {
	f, t := from.Kind, to.Kind
	switch {
	case f == Null:
		return true
	case f.IsComposite() || t.IsComposite():
		return f == t && canStoreFields(from, to)
	case f == t, t == Decimal && f.IsNumeric(), t == Double && f.IsNumeric(), t == Float && f.IsExact():
		return true
	case t.IsInteger():
		return f.IsInteger() && f < t
	case t == Varchar:
		return f.IsText()
	case t == Varbinary:
		return f.IsBinary()
	case t == Date || t == Time:
		return f == Timestamp
	case t.IsTimestamp():
		return f.IsTimestamp()
	}
	return false
}

func canStoreFields(from, to Type) bool {
	if len(from.Fields) != len(to.Fields) {
		return false
	}
	for i, f := range from.Fields {
		if !CanStore(f.Type, to.Fields[i].Type) {
			return false
		}
	}
	return true
}
