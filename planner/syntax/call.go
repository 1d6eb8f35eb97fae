package syntax

// Call is a function call, scalar, aggregate or table-valued. Special forms come with
// their arguments in a fixed order:
//
//	EXTRACT(unit FROM x)              UnitArg, x
//	FLOOR(x TO unit), CEIL            x, UnitArg
//	TIMESTAMPADD/DIFF(unit, a, b)     UnitArg, a, b
//	TRIM(x)                           x
//	TRIM([LEADING] [c] FROM x)        Keyword, c, x; without c the literal ' '
//	SUBSTRING(x FROM a FOR n)         x, a, n
//	POSITION(a IN x [FROM n])         a, x, n
//	OVERLAY(x PLACING y FROM a FOR n) x, y, a, n
//	JSON_OBJECT(KEY k VALUE v, ..)    k, v, k, v, ..
//
// CURRENT_DATE and its like are calls without parentheses and without arguments.
type Call struct {
	Span
	Name     Path    // as written; builtin names are matched without case
	Args     []Expr  // empty for f() and f(*)
	ArgNames []Ident // names of f(x => 1), one per argument, or empty; those of a table function may be empty texts
	Star     bool    // f(*)
	Distinct bool    // f(DISTINCT x)
	NoParens bool    // CURRENT_TIMESTAMP

	OrderBy     []OrderItem // ARRAY_AGG(x ORDER BY y)
	WithinGroup []OrderItem // f(x) WITHIN GROUP (ORDER BY y)
	Nulls       NullTreatment
	Filter      Expr        // f(x) FILTER (WHERE c)
	Over        *WindowSpec // f(x) OVER (..)
	JSON        *JSONClauses
}

// NullTreatment is what an aggregate is told to do with NULLs.
type NullTreatment uint8

// The null treatments.
const (
	DefaultNulls NullTreatment = iota
	IgnoreNulls
	RespectNulls
)

// JSONClauses are what the JSON functions have behind their arguments.
type JSONClauses struct {
	Returning *Type
	OnEmpty   *JSONBehavior
	OnError   *JSONBehavior
	Wrapper   JSONWrapper // JSON_QUERY
	OnNull    JSONOnNull  // JSON_OBJECT, JSON_ARRAY and their aggregates
	Format    []bool      // per argument: FORMAT JSON stands behind it; may be nil
}

// JSONAnswer is what a JSON function gives when there is no value or an error.
type JSONAnswer uint8

// The answers of ON EMPTY and ON ERROR.
const (
	JSONNull JSONAnswer = iota
	JSONError
	JSONDefault
	JSONEmptyArray
	JSONEmptyObject
	JSONTrue
	JSONFalse
	JSONUnknown
)

// JSONBehavior is one ON EMPTY or ON ERROR clause; Default is set for JSONDefault.
type JSONBehavior struct {
	Span
	Answer  JSONAnswer
	Default Expr
}

// JSONWrapper says whether JSON_QUERY wraps its result in an array.
type JSONWrapper uint8

// The wrappers of JSON_QUERY.
const (
	DefaultWrapper JSONWrapper = iota
	WithoutWrapper
	WithWrapper            // unconditional
	WithConditionalWrapper // only if the result is no array or object
)

// JSONOnNull says what JSON constructors do with a NULL value.
type JSONOnNull uint8

// The NULL rules of JSON constructors.
const (
	DefaultOnNull JSONOnNull = iota
	NullOnNull
	AbsentOnNull
)

// WindowSpec is what stands behind OVER or in a WINDOW clause. OVER w has Base alone.
type WindowSpec struct {
	Span
	Base        *Ident // the named window it refers to or refines
	Named       bool   // OVER w, without parentheses
	PartitionBy []Expr
	OrderBy     []OrderItem
	Frame       *Frame // nil: the default frame
}

// Frame is ROWS or RANGE BETWEEN start AND end; with one bound the end is CURRENT ROW.
type Frame struct {
	Span
	Rows       bool // ROWS, otherwise RANGE
	Start, End FrameBound
}

// BoundKind tells the bounds of a frame apart.
type BoundKind uint8

// The bounds of a frame.
const (
	UnboundedPreceding BoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// FrameBound is one end of a frame; Offset is set for Preceding and Following.
type FrameBound struct {
	Span
	Kind   BoundKind
	Offset Expr
}

// NullsOrder is where an ORDER BY item puts NULLs.
type NullsOrder uint8

// The places of NULLs; the default is first when ascending, last when descending.
const (
	NullsDefault NullsOrder = iota
	NullsFirst
	NullsLast
)

// OrderItem is one item of an ORDER BY.
type OrderItem struct {
	Span
	Expr  Expr
	Desc  bool
	Nulls NullsOrder
}
