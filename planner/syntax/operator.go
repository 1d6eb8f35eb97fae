package syntax

// UnaryOp is a prefix operator.
type UnaryOp uint8

// The prefix operators. Running and Final stand before FIRST and LAST in MATCH_RECOGNIZE.
const (
	Not UnaryOp = iota
	Neg
	Plus
	Running
	Final
)

var unaryText = [...]string{Not: "NOT", Neg: "-", Plus: "+", Running: "RUNNING", Final: "FINAL"}

// String returns the operator as SQL writes it.
func (o UnaryOp) String() string { return unaryText[o] }

// BinaryOp is an operator between two expressions.
type BinaryOp uint8

// The binary operators, from loosest to tightest.
const (
	Or BinaryOp = iota
	And
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	IsDistinctFrom
	IsNotDistinctFrom
	Overlaps
	Add
	Sub
	Concat
	Mul
	Div
	Mod
)

var binaryText = [...]string{
	Or: "OR", And: "AND", Eq: "=", Ne: "<>", Lt: "<", Le: "<=", Gt: ">", Ge: ">=",
	IsDistinctFrom: "IS DISTINCT FROM", IsNotDistinctFrom: "IS NOT DISTINCT FROM", Overlaps: "OVERLAPS",
	Add: "+", Sub: "-", Concat: "||", Mul: "*", Div: "/", Mod: "%",
}

// String returns the operator as SQL writes it.
func (o BinaryOp) String() string { return binaryText[o] }

// IsTest is what a postfix IS asks.
type IsTest uint8

// The tests behind IS [NOT]. JSON tests ask about the text of the operand.
const (
	IsNull IsTest = iota
	IsTrue
	IsFalse
	IsUnknown
	IsJSON
	IsJSONObject
	IsJSONArray
	IsJSONScalar
)

var isText = [...]string{
	IsNull: "NULL", IsTrue: "TRUE", IsFalse: "FALSE", IsUnknown: "UNKNOWN", IsJSON: "JSON",
	IsJSONObject: "JSON OBJECT", IsJSONArray: "JSON ARRAY", IsJSONScalar: "JSON SCALAR",
}

// String returns the words behind IS [NOT].
func (t IsTest) String() string { return isText[t] }
