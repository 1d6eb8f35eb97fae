package syntax

// LiteralKind says what sort of value a Literal spells.
type LiteralKind uint8

// The kinds of literals.
const (
	NullLiteral         LiteralKind = iota // NULL, without a text
	BoolLiteral                            // text TRUE, FALSE or UNKNOWN
	IntegerLiteral                         // text: digits, no sign
	DecimalLiteral                         // text: digits with a point, zeros kept: 0.908 has precision 4
	DoubleLiteral                          // text: with an exponent: 1.5E3
	StringLiteral                          // text: the value, unescaped
	BinaryLiteral                          // text: the hex digits of X'..'
	DateLiteral                            // text: inside of DATE '..'
	TimeLiteral                            // text: inside of TIME '..'
	TimestampLiteral                       // text: inside of TIMESTAMP '..'
	TimestampLTZLiteral                    // text: inside of TIMESTAMP WITH LOCAL TIME ZONE '..'
)

// Literal is a constant other than an interval. The parser checks that the text is
// well formed as a token; whether it is a value (DATE '2024-02-30') the binder tells.
type Literal struct {
	Span
	Kind LiteralKind
	Text string
}

// Unit is a unit of time, singular and upper case. It stands in intervals and as the
// argument of EXTRACT, FLOOR(.. TO ..), TIMESTAMPADD and their like.
type Unit string

// The units that SQL text may name.
const (
	NoUnit      Unit = ""
	Year        Unit = "YEAR"
	Quarter     Unit = "QUARTER"
	Month       Unit = "MONTH"
	Week        Unit = "WEEK"
	Day         Unit = "DAY"
	Hour        Unit = "HOUR"
	Minute      Unit = "MINUTE"
	Second      Unit = "SECOND"
	Millisecond Unit = "MILLISECOND"
	Microsecond Unit = "MICROSECOND"
	Nanosecond  Unit = "NANOSECOND"
	Epoch       Unit = "EPOCH"
	DayOfWeek   Unit = "DOW"
	ISODay      Unit = "ISODOW"
	DayOfYear   Unit = "DOY"
	ISOYear     Unit = "ISOYEAR"
	Decade      Unit = "DECADE"
	Century     Unit = "CENTURY"
	Millennium  Unit = "MILLENNIUM"
)

// IntervalUnits is the qualifier of an interval: DAY, DAY(3), MINUTE TO SECOND(6).
type IntervalUnits struct {
	Span
	From      Unit
	To        Unit // NoUnit for a single unit
	Precision int  // digits of the leading unit, Unset if not written
	Fraction  int  // digits of fractions of a second, Unset if not written
}

// Unset is the value of a number that the text does not state.
const Unset = -1

// Interval is an interval literal: INTERVAL '10' SECOND, INTERVAL -'1:30' MINUTE TO SECOND.
type Interval struct {
	Span
	Negative bool // the sign between INTERVAL and the quoted text
	Text     string
	TextSpan Span // where the quoted text stands
	Units    IntervalUnits
}

// UnitArg is a unit of time as a function's argument: EXTRACT(HOUR FROM ts).
type UnitArg struct {
	Span
	Unit Unit
}

// Keyword is a word that a function takes as an argument: BOTH, LEADING and TRAILING
// of TRIM. The word is upper case.
type Keyword struct {
	Span
	Word string
}
