package syntax

// CreateTable is CREATE [OR REPLACE] [TEMPORARY] TABLE, plain, LIKE or AS.
type CreateTable struct {
	Span
	Replace     bool // OR REPLACE, or REPLACE TABLE
	Temporary   bool
	IfNotExists bool
	Name        Path
	Columns     []ColumnDef
	Watermarks  []WatermarkDef // as written; more than one is the binder's error
	Constraints []Constraint   // table constraints, and those of columns with their one column
	Comment     *string
	Distributed *Distribution
	PartitionBy []Ident
	Options     []Option // WITH (..)
	HasOptions  bool     // WITH was written, even if empty
	Like        *LikeClause
	As          Query
}

// ColumnKind tells columns apart by where their values come from.
type ColumnKind uint8

// The kinds of columns.
const (
	Physical  ColumnKind = iota // name type
	Computed                    // name AS expr
	Metadata                    // name type METADATA [FROM key] [VIRTUAL]
	Reference                   // a bare name, in CREATE TABLE (a, b) AS query
)

// ColumnDef is one column of a CREATE or ALTER TABLE.
type ColumnDef struct {
	Span
	Name        Ident
	Kind        ColumnKind
	Type        *Type // nil for Computed and Reference
	Expr        Expr  // Computed
	MetadataKey *string
	Virtual     bool
	Comment     *string
	Place       ColumnPlace
}

// ColumnPlace is FIRST or AFTER c behind a column of an ALTER TABLE.
type ColumnPlace struct {
	First bool
	After *Ident
}

// WatermarkDef is WATERMARK FOR column AS expr; the column may be a path.
type WatermarkDef struct {
	Span
	Column []Ident
	Expr   Expr
}

// ConstraintKind is what a constraint demands.
type ConstraintKind uint8

// The constraints that have a syntax. Only primary keys have a meaning.
const (
	PrimaryKey ConstraintKind = iota
	Unique
)

// Enforcement is what a constraint says about being checked.
type Enforcement uint8

// The enforcement clauses. Flink takes NOT ENFORCED alone.
const (
	EnforcedUnsaid Enforcement = iota
	Enforced
	NotEnforced
)

// Constraint is [CONSTRAINT name] PRIMARY KEY (columns) NOT ENFORCED.
type Constraint struct {
	Span
	Name     *Ident
	Kind     ConstraintKind
	Columns  []Ident
	Enforced Enforcement
}

// Distribution is DISTRIBUTED BY [HASH|RANGE] (columns) [INTO n BUCKETS].
type Distribution struct {
	Span
	Method  string // HASH, RANGE or empty
	Columns []Ident
	Buckets int // Unset if not written
}

// LikeClause is LIKE source [(INCLUDING ..)].
type LikeClause struct {
	Span
	Source  Path
	Options []LikeOption
}

// LikeOption is one merging rule: INCLUDING, EXCLUDING or OVERWRITING and what: ALL
// CONSTRAINTS DISTRIBUTION GENERATED METADATA OPTIONS PARTITIONS WATERMARKS.
type LikeOption struct {
	Span
	Strategy, Feature string
}

// CreateView is CREATE [OR REPLACE] [TEMPORARY] VIEW.
type CreateView struct {
	Span
	Replace     bool
	Temporary   bool
	IfNotExists bool
	Name        Path
	Columns     []Ident
	Comment     *string
	Query       Query // its span gives the view's text
}

// CreateFunction is CREATE [TEMPORARY [SYSTEM]] FUNCTION name AS 'class' [LANGUAGE ..].
type CreateFunction struct {
	Span
	Temporary   bool
	System      bool
	IfNotExists bool
	Name        Path
	Class       string
	ClassSpan   Span
	Language    string // upper case, empty if not written
	Using       []string
}

// CreateCatalog is CREATE CATALOG name [COMMENT ..] [WITH (..)].
type CreateCatalog struct {
	Span
	IfNotExists bool
	Name        Ident
	Comment     *string
	Options     []Option
}

// CreateDatabase is CREATE DATABASE name [COMMENT ..] [WITH (..)].
type CreateDatabase struct {
	Span
	IfNotExists bool
	Name        Path
	Comment     *string
	Options     []Option
}
