package syntax

// Insert is INSERT INTO or INSERT OVERWRITE.
type Insert struct {
	Span
	Overwrite bool
	Upsert    bool // UPSERT INTO
	Target    Path
	Hints     []Hint
	Partition []PartitionValue
	Columns   []TargetColumn // empty: by position
	ByName    Span           // BY NAME, where it stands: columns go by their names
	Query     Query
}

// TargetColumn is a column, or a field of a ROW column, of an INSERT's column list.
type TargetColumn struct {
	Span
	Parts []Ident
}

// PartitionValue is k = v in a PARTITION clause; the value is a literal, or nil for a
// bare key.
type PartitionValue struct {
	Span
	Name  Ident
	Value Expr
}

// StatementSet is [EXECUTE] STATEMENT SET BEGIN insert; .. END: one job.
type StatementSet struct {
	Span
	Inserts []*Insert
}

// BeginStatementSet is BEGIN STATEMENT SET; the inserts up to END are one job.
type BeginStatementSet struct{ Span }

// EndStatementSet is the END of a BEGIN STATEMENT SET.
type EndStatementSet struct{ Span }

// Update is UPDATE t SET c = x, .. [WHERE ..].
type Update struct {
	Span
	Table TableName
	Set   []Assignment
	Where Expr
}

// Assignment is column = expression in an UPDATE.
type Assignment struct {
	Span
	Column []Ident
	Value  Expr
}

// Delete is DELETE FROM t [WHERE ..].
type Delete struct {
	Span
	Table TableName
	Where Expr
}

// Truncate is TRUNCATE TABLE t.
type Truncate struct {
	Span
	Table Path
}
