package types

// IsInteger tells the exact kinds without a scale: TINYINT to BIGINT.
func (k Kind) IsInteger() bool { return k >= TinyInt && k <= BigInt }

// IsExact tells the integers and DECIMAL.
func (k Kind) IsExact() bool { return k.IsInteger() || k == Decimal }

// IsApprox tells FLOAT and DOUBLE.
func (k Kind) IsApprox() bool { return k == Float || k == Double }

// IsNumeric tells every number.
func (k Kind) IsNumeric() bool { return k >= TinyInt && k <= Decimal }

// IsText tells CHAR and VARCHAR.
func (k Kind) IsText() bool { return k == Char || k == Varchar }

// IsBinary tells BINARY and VARBINARY.
func (k Kind) IsBinary() bool { return k == Binary || k == Varbinary }

// IsTimestamp tells TIMESTAMP and TIMESTAMP_LTZ.
func (k Kind) IsTimestamp() bool { return k == Timestamp || k == TimestampLTZ }

// IsTemporal tells dates, times and timestamps.
func (k Kind) IsTemporal() bool { return k >= Date && k <= TimestampLTZ }

// IsInterval tells both intervals.
func (k Kind) IsInterval() bool { return k == IntervalDay || k == IntervalMonth }

// IsComposite tells the kinds with children.
func (k Kind) IsComposite() bool { return k >= Row && k <= Multiset }

// HasVariant tells VARIANT, and what has one in it: such values are neither compared nor ordered.
func (t Type) HasVariant() bool {
	for _, f := range t.Fields {
		if f.Type.HasVariant() {
			return true
		}
	}
	return t.Kind == Variant
}

// Physical is the form that values of a type have in a column.
type Physical uint8

// The physical forms, with the bytes of a value.
const (
	PhysNone    Physical = iota // the type of NULL: no data at all
	PhysBool                    // one bit
	PhysInt8                    // 1: TINYINT
	PhysInt16                   // 2: SMALLINT
	PhysInt32                   // 4: INT, DATE (days), TIME (ms), INTERVAL MONTH (months)
	PhysInt64                   // 8: BIGINT, timestamps, INTERVAL DAY (ms), narrow DECIMAL (unscaled)
	PhysFloat32                 // 4
	PhysFloat64                 // 8
	PhysInt128                  // 16: wide DECIMAL (unscaled, two's complement)
	PhysView                    // 16: texts, binaries and VARIANT as kernel.View
	PhysRow                     // children
	PhysList                    // offsets and one child (ARRAY), or two (MAP, MULTISET with INT counts)
)

// Physical returns the form of t's values. DECIMAL answers PhysInt64, the narrow form; a column
// says itself when it holds the wide one.
func (t Type) Physical() Physical {
	switch t.Kind {
	case Boolean:
		return PhysBool
	case TinyInt:
		return PhysInt8
	case SmallInt:
		return PhysInt16
	case Int, Date, Time, IntervalMonth:
		return PhysInt32
	case BigInt, Timestamp, TimestampLTZ, IntervalDay, Decimal:
		return PhysInt64
	case Float:
		return PhysFloat32
	case Double:
		return PhysFloat64
	case Char, Varchar, Binary, Varbinary, Variant:
		return PhysView
	case Row:
		return PhysRow
	case Array, Map, Multiset:
		return PhysList
	}
	return PhysNone
}

// Wide tells of a DECIMAL with more digits than fit into the narrow form.
func (t Type) Wide() bool { return t.Kind == Decimal && t.Precision > narrowDigits }

// narrowDigits is how many decimal digits an int64 always has room for.
const narrowDigits = 18

// Width is the bytes of one value, 0 for bits and composites.
func (p Physical) Width() int {
	switch p {
	case PhysInt8:
		return 1
	case PhysInt16:
		return 2
	case PhysInt32, PhysFloat32:
		return 4
	case PhysInt64, PhysFloat64:
		return 8
	case PhysInt128, PhysView:
		return 16
	}
	return 0
}

// TickNanos is the nanoseconds of one unit of a timestamp's value: timestamps of at most 3 digits
// count milliseconds, of at most 6 microseconds, others nanoseconds.
func (t Type) TickNanos() int64 {
	switch {
	case t.Precision <= 3:
		return 1e6
	case t.Precision <= 6:
		return 1e3
	}
	return 1
}

// EventTime is a point on the event-time axis in milliseconds since 1970-01-01T00:00:00Z.
type EventTime int64

// MinTime is before every event; MaxTime is the end of input.
const (
	MinTime EventTime = -1 << 63
	MaxTime EventTime = 1<<63 - 1
)
