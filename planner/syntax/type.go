package syntax

// Zone is the time zone clause of a TIME or TIMESTAMP type.
type Zone uint8

// The time zone clauses.
const (
	NoZone        Zone = iota // nothing, or WITHOUT TIME ZONE
	LocalTimeZone             // WITH LOCAL TIME ZONE, and TIMESTAMP_LTZ
	WithTimeZone              // WITH TIME ZONE
)

// Nullability is what a type or a column says about NULL.
type Nullability uint8

// The null clauses.
const (
	NullUnsaid Nullability = iota
	NullAllowed
	NotNull
)

// Type is a data type as written.
type Type struct {
	Span
	// Name is upper case and one of BOOLEAN TINYINT SMALLINT INT BIGINT FLOAT DOUBLE DECIMAL
	// CHAR VARCHAR STRING BINARY VARBINARY BYTES DATE TIME TIMESTAMP INTERVAL ROW ARRAY MAP
	// MULTISET RAW VARIANT BITMAP NULL STRUCTURED; spellings are folded (INTEGER is INT, DEC and NUMERIC
	// are DECIMAL, DOUBLE PRECISION is DOUBLE, CHARACTER VARYING is VARCHAR, TIMESTAMP_LTZ is TIMESTAMP
	// with LocalTimeZone). Empty for a user type, which has User.
	Name      string
	User      []Ident
	Precision int // length, precision or digits of fractions; Unset if not written
	Scale     int // Unset if not written
	Zone      Zone
	Nulls     Nullability
	Elems     []*Type        // ARRAY and MULTISET: element; MAP: key, value
	Fields    []TypeField    // ROW, STRUCTURED
	Interval  *IntervalUnits // INTERVAL
	Raw       []string       // RAW: class, serializer; STRUCTURED: class
}

// TypeField is one field of a ROW type.
type TypeField struct {
	Span
	Name    Ident
	Type    *Type
	Comment string
}
