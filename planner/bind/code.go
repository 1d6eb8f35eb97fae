package bind

import "streamsql/planner/syntax"

// The codes of the errors of names, types and definitions.
const (
	CodeTable      syntax.Code = "SQ0201" // no such table, view, database or catalog
	CodeFunction   syntax.Code = "SQ0202" // no such function
	CodeColumn     syntax.Code = "SQ0203" // no such column or field
	CodeAmbiguous  syntax.Code = "SQ0204" // a name that means two things
	CodeType       syntax.Code = "SQ0205" // an operator or function over types it does not take
	CodeCondition  syntax.Code = "SQ0206" // a condition that is no BOOLEAN
	CodeCast       syntax.Code = "SQ0207" // a cast that does not exist
	CodeLiteral    syntax.Code = "SQ0208" // a literal that is no value of its type
	CodeAggregate  syntax.Code = "SQ0209" // an aggregate, window or grouping where none may stand
	CodeShape      syntax.Code = "SQ0210" // parts of a clause that do not fit each other, as lists of different length
	CodeInsert     syntax.Code = "SQ0211" // a query that does not fit its target
	CodeDuplicate  syntax.Code = "SQ0212" // a name defined twice
	CodeExists     syntax.Code = "SQ0213" // an object that exists already
	CodeDefinition syntax.Code = "SQ0214" // a definition that contradicts itself
	CodeTypeName   syntax.Code = "SQ0215" // no such type, or parameters that it does not take
	CodeConnector  syntax.Code = "SQ0216" // no such connector, or one that cannot do what is asked
	CodeOption     syntax.Code = "SQ0217" // a table option that the connector refuses
	CodeSetting    syntax.Code = "SQ0218" // a setting or a value that SET refuses
	CodeWatermark  syntax.Code = "SQ0219" // a time column that is none
	CodeInUse      syntax.Code = "SQ0220" // an object that cannot go while it is used
	CodeDialect    syntax.Code = "SQ0221" // beyond Flink, refused by 'streamsql.dialect' = 'flink'
	CodeStatement  syntax.Code = "SQ0222" // a statement that the mode, the catalog or the connector does not have
)

// Code is one kind of error with its meaning, as `streamsql help CODE` shows it.
type Code struct {
	Code    syntax.Code
	Meaning string
}

// Codes lists the errors of this package.
func Codes() []Code {
	return []Code{
		{CodeTable, "no table, view, database or catalog has this name"},
		{CodeFunction, "no function has this name"},
		{CodeColumn, "no column or field has this name here"},
		{CodeAmbiguous, "the name could mean more than one column"},
		{CodeType, "an operator or function does not take values of these types"},
		{CodeCondition, "a condition must be a BOOLEAN"},
		{CodeCast, "there is no cast between these types"},
		{CodeLiteral, "the text of a literal is no value of its type"},
		{CodeAggregate, "an aggregate, a window or a column outside GROUP BY stands where it cannot"},
		{CodeShape, "parts of a clause do not fit each other, as lists that differ in length, or one lacks what it needs"},
		{CodeInsert, "the columns of a query do not fit the table they are written to"},
		{CodeDuplicate, "a name is defined twice in one place"},
		{CodeExists, "an object of this name exists already"},
		{CodeDefinition, "the clauses of a definition contradict each other"},
		{CodeTypeName, "no type has this name, or not with these parameters"},
		{CodeConnector, "no connector has this name, or it cannot do what is asked of it"},
		{CodeOption, "a connector refuses an option of its table"},
		{CodeSetting, "SET refuses the key or the value"},
		{CodeWatermark, "a watermark or a time window needs a column that carries time"},
		{CodeInUse, "the object is in use and cannot be dropped"},
		{CodeDialect, "an extension of Flink's SQL, refused by the flink dialect"},
		{CodeStatement, "the statement does not run in this mode, or with what the catalog and the connector can do; nor does it in Flink"},
	}
}
