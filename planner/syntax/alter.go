package syntax

// ObjectKind is a kind of catalog object.
type ObjectKind string

// The kinds of objects that statements name.
const (
	TableObject             ObjectKind = "TABLE"
	ViewObject              ObjectKind = "VIEW"
	FunctionObject          ObjectKind = "FUNCTION"
	DatabaseObject          ObjectKind = "DATABASE"
	CatalogObject           ObjectKind = "CATALOG"
	ModelObject             ObjectKind = "MODEL"
	MaterializedTableObject ObjectKind = "MATERIALIZED TABLE"
)

// Drop is DROP [TEMPORARY [SYSTEM]] kind [IF EXISTS] name [CASCADE].
type Drop struct {
	Span
	Kind      ObjectKind
	Temporary bool
	System    bool
	IfExists  bool
	Name      Path
	Cascade   bool // DROP DATABASE .. CASCADE
}

// AlterTable is ALTER TABLE [IF EXISTS] name and one action.
type AlterTable struct {
	Span
	IfExists bool
	Name     Path
	Action   AlterAction
}

// AlterAction is what an ALTER TABLE does. It is sealed; its types are
// *AlterAdd *AlterModify *AlterDropColumns *AlterDropConstraint *AlterDropWatermark
// *AlterDropDistribution *AlterRenameColumn *AlterRename *AlterSetOptions
// *AlterResetOptions *AlterAddPartitions *AlterDropPartitions.
type AlterAction interface {
	Node
	alter()
}

// AlterAdd is ADD with columns, constraints, a watermark or a distribution.
type AlterAdd struct {
	Span
	Columns     []ColumnDef
	Constraints []Constraint
	Watermarks  []WatermarkDef
	Distributed *Distribution
}

// AlterModify is MODIFY with columns, constraints, a watermark or a distribution.
type AlterModify struct {
	Span
	Columns     []ColumnDef
	Constraints []Constraint
	Watermarks  []WatermarkDef
	Distributed *Distribution
}

// AlterDropColumns is DROP c or DROP (a, b).
type AlterDropColumns struct {
	Span
	Columns [][]Ident
}

// AlterDropConstraint is DROP PRIMARY KEY or DROP CONSTRAINT name (Name is then set).
type AlterDropConstraint struct {
	Span
	Name *Ident
}

// AlterDropWatermark is DROP WATERMARK.
type AlterDropWatermark struct{ Span }

// AlterDropDistribution is DROP DISTRIBUTION.
type AlterDropDistribution struct{ Span }

// AlterRenameColumn is RENAME a TO b.
type AlterRenameColumn struct {
	Span
	From []Ident
	To   Ident
}

// AlterRename is RENAME TO name.
type AlterRename struct {
	Span
	To Path
}

// AlterSetOptions is SET ('k' = 'v', ..).
type AlterSetOptions struct {
	Span
	Options []Option
}

// AlterResetOptions is RESET ('k', ..).
type AlterResetOptions struct {
	Span
	Keys []string
}

// AlterAddPartitions is ADD [IF NOT EXISTS] PARTITION (..) [WITH (..)] ...
type AlterAddPartitions struct {
	Span
	IfNotExists bool
	Partitions  []PartitionSpec
}

// AlterDropPartitions is DROP [IF EXISTS] PARTITION (..), ...
type AlterDropPartitions struct {
	Span
	IfExists   bool
	Partitions []PartitionSpec
}

// PartitionSpec is PARTITION (k = v, ..) with options where a partition is added.
type PartitionSpec struct {
	Span
	Values  []PartitionValue
	Options []Option
}

// AlterView is ALTER VIEW name RENAME TO name, or AS query; one of To and Query is set.
type AlterView struct {
	Span
	Name  Path
	To    *Path
	Query Query
}

// AlterDatabase is ALTER DATABASE name SET (..).
type AlterDatabase struct {
	Span
	Name    Path
	Options []Option
}

// AlterCatalog is ALTER CATALOG name SET (..), RESET (..) or COMMENT '..'.
type AlterCatalog struct {
	Span
	Name    Ident
	Options []Option
	Reset   []string
	Comment *string
}

// AlterFunction is ALTER [TEMPORARY [SYSTEM]] FUNCTION name AS 'class'.
type AlterFunction struct {
	Span
	Temporary bool
	System    bool
	IfExists  bool
	Name      Path
	Class     string
	Language  string
}

func (*AlterAdd) alter()              {}
func (*AlterModify) alter()           {}
func (*AlterDropColumns) alter()      {}
func (*AlterDropConstraint) alter()   {}
func (*AlterDropWatermark) alter()    {}
func (*AlterDropDistribution) alter() {}
func (*AlterRenameColumn) alter()     {}
func (*AlterRename) alter()           {}
func (*AlterSetOptions) alter()       {}
func (*AlterResetOptions) alter()     {}
func (*AlterAddPartitions) alter()    {}
func (*AlterDropPartitions) alter()   {}
