// Package types is the SQL type system: kinds, nullability, precision, names, and the physical form
// that each type has in a column.
//
// It does not know values, columns, functions or casts. The rules come from Flink's
// LogicalTypeSystem: TIMESTAMP has precision 6 by default, DECIMAL (10, 0), CHAR 1.
//
// Invariants:
//
//	T1 a Type is a value: it is never changed after it was made, and may be copied freely.
//	T2 equal types print the same text and the text parses back to the type.
//	T3 the physical form is a function of the type alone; only DECIMAL has two (vector.Column.Wide).
package types

// Kind is the root of a type.
type Kind uint8

// The kinds. Null is the type of a bare NULL, before a context gives it one.
const (
	Null Kind = iota
	Boolean
	TinyInt
	SmallInt
	Int
	BigInt
	Float
	Double
	Decimal
	Char
	Varchar
	Binary
	Varbinary
	Date
	Time
	Timestamp
	TimestampLTZ
	IntervalDay   // day to second, milliseconds
	IntervalMonth // year to month, months
	Row
	Array
	Map
	Multiset
	// Variant is JSON: a value of any form, as its canonical text (function.Variants).
	Variant
	// Symbol is the type of a word that is an argument, such as a time unit; no column has it.
	Symbol
)

// MaxLength is the length of STRING and BYTES.
const MaxLength = 2147483647

// MaxDecimal is the largest precision of DECIMAL.
const MaxDecimal = 38

// Type is one SQL type.
type Type struct {
	Kind    Kind
	NotNull bool
	// Precision is the length of CHAR, VARCHAR, BINARY and VARBINARY, the digits of DECIMAL, and the
	// fractional digits of TIME and the timestamps.
	Precision int
	Scale     int // of DECIMAL
	// Fields are the fields of ROW; the element of ARRAY and MULTISET; key and value of MAP.
	Fields []Field
}

// Field is one named part of a ROW; the parts of other composite types have no name.
type Field struct {
	Name string
	Type Type
}

// Of makes a nullable type of a kind without parameters, or with their defaults.
func Of(k Kind) Type {
	switch k {
	case Decimal:
		return Type{Kind: k, Precision: 10}
	case Char, Binary:
		return Type{Kind: k, Precision: 1}
	case Varchar, Varbinary:
		return Type{Kind: k, Precision: MaxLength}
	case Timestamp, TimestampLTZ:
		return Type{Kind: k, Precision: 6}
	}
	return Type{Kind: k}
}

// String is the type STRING.
func String() Type { return Type{Kind: Varchar, Precision: MaxLength} }

// Bytes is the type BYTES.
func Bytes() Type { return Type{Kind: Varbinary, Precision: MaxLength} }

// VarcharOf is VARCHAR(n).
func VarcharOf(n int) Type { return Type{Kind: Varchar, Precision: n} }

// CharOf is CHAR(n).
func CharOf(n int) Type { return Type{Kind: Char, Precision: n} }

// DecimalOf is DECIMAL(p, s).
func DecimalOf(p, s int) Type { return Type{Kind: Decimal, Precision: p, Scale: s} }

// TimestampOf is TIMESTAMP(p).
func TimestampOf(p int) Type { return Type{Kind: Timestamp, Precision: p} }

// TimestampLTZOf is TIMESTAMP_LTZ(p).
func TimestampLTZOf(p int) Type { return Type{Kind: TimestampLTZ, Precision: p} }

// TimeOf is TIME(p).
func TimeOf(p int) Type { return Type{Kind: Time, Precision: p} }

// ArrayOf is ARRAY<e>.
func ArrayOf(e Type) Type { return Type{Kind: Array, Fields: []Field{{Type: e}}} }

// MultisetOf is MULTISET<e>.
func MultisetOf(e Type) Type { return Type{Kind: Multiset, Fields: []Field{{Type: e}}} }

// MapOf is MAP<k, v>.
func MapOf(k, v Type) Type { return Type{Kind: Map, Fields: []Field{{Type: k}, {Type: v}}} }

// RowOf is ROW<fields>.
func RowOf(fields ...Field) Type { return Type{Kind: Row, Fields: fields} }

// Elem is the element type of an ARRAY or MULTISET, or the value type of a MAP.
func (t Type) Elem() Type { return t.Fields[len(t.Fields)-1].Type }

// Key is the key type of a MAP.
func (t Type) Key() Type { return t.Fields[0].Type }

// WithNull returns t with the given nullability.
func (t Type) WithNull(nullable bool) Type {
	t.NotNull = !nullable
	return t
}

// Nullable tells whether values of t may be NULL.
func (t Type) Nullable() bool { return !t.NotNull }

// Field returns the position of a ROW's field by its name, or -1. Names are case-sensitive.
func (t Type) Field(name string) int {
	if t.Kind != Row {
		return -1
	}
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// Equal compares types, nullability included at every depth.
func (t Type) Equal(u Type) bool { return t.NotNull == u.NotNull && equal(t, u, true) }

// Same compares types without regard to nullability, at any depth.
func (t Type) Same(u Type) bool { return equal(t, u, false) }

func equal(t, u Type, nulls bool) bool {
	if t.Kind != u.Kind || t.Precision != u.Precision || t.Scale != u.Scale || len(t.Fields) != len(u.Fields) {
		return false
	}
	for i := range t.Fields {
		a, b := t.Fields[i], u.Fields[i]
		if a.Name != b.Name || (nulls && a.Type.NotNull != b.Type.NotNull) || !equal(a.Type, b.Type, nulls) {
			return false
		}
	}
	return true
}
