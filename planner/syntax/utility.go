package syntax

// Explain is EXPLAIN [details | PLAN FOR] statement.
type Explain struct {
	Span
	Details   []ExplainDetail
	Analyze   bool // EXPLAIN ANALYZE, which Flink does not have
	Statement Statement
}

// ExplainDetail is one of ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN, PLAN_ADVICE.
type ExplainDetail struct {
	Span
	Name string
}

// Describe is DESCRIBE [EXTENDED] t, DESCRIBE query, or DESCRIBE FUNCTION, CATALOG,
// DATABASE, JOB .. name. Kind is TableObject for a table; for a query Query is set.
type Describe struct {
	Span
	Kind     ObjectKind
	Extended bool
	Name     Path
	Query    Query
	File     *FileTable // DESCRIBE 'path'
	Job      *string    // DESCRIBE JOB 'id'
}

// ShowKind is what a SHOW lists.
type ShowKind string

// The things SHOW lists.
const (
	ShowTables             ShowKind = "TABLES"
	ShowMaterializedTables ShowKind = "MATERIALIZED TABLES"
	ShowViews              ShowKind = "VIEWS"
	ShowColumns            ShowKind = "COLUMNS"
	ShowFunctions          ShowKind = "FUNCTIONS"
	ShowProcedures         ShowKind = "PROCEDURES"
	ShowDatabases          ShowKind = "DATABASES"
	ShowCatalogs           ShowKind = "CATALOGS"
	ShowModels             ShowKind = "MODELS"
	ShowModules            ShowKind = "MODULES"
	ShowPartitions         ShowKind = "PARTITIONS"
	ShowJobs               ShowKind = "JOBS"
	ShowJars               ShowKind = "JARS"
	ShowCurrentCatalog     ShowKind = "CURRENT CATALOG"
	ShowCurrentDatabase    ShowKind = "CURRENT DATABASE"
	ShowCreateTable        ShowKind = "CREATE TABLE"
	ShowCreateView         ShowKind = "CREATE VIEW"
	ShowCreateCatalog      ShowKind = "CREATE CATALOG"
	ShowCreateModel        ShowKind = "CREATE MODEL"
)

// Show is a SHOW statement.
type Show struct {
	Span
	Kind      ShowKind
	User      bool  // SHOW USER FUNCTIONS
	Full      bool  // SHOW FULL MODULES
	From      *Path // FROM or IN: database, or the table of COLUMNS
	Name      *Path // CREATE TABLE t, PARTITIONS t
	Like      *string
	NotLike   bool
	ILike     bool
	Partition []PartitionValue
}

// Set is SET 'key' = 'value', or SET alone (Option is nil), which lists the settings.
type Set struct {
	Span
	Option *Option
}

// Reset is RESET 'key', or RESET alone (Key is nil).
type Reset struct {
	Span
	Key *string
}

// Use is USE CATALOG c, USE [catalog.]database or USE MODULES a, b; one of Modules and
// Name is set.
type Use struct {
	Span
	Kind    ObjectKind // CatalogObject or DatabaseObject; empty for modules
	Name    Path
	Modules []Ident
}

// LoadModule is LOAD MODULE m [WITH (..)].
type LoadModule struct {
	Span
	Name    Ident
	Options []Option
}

// UnloadModule is UNLOAD MODULE m.
type UnloadModule struct {
	Span
	Name Ident
}

// StopJob is STOP JOB 'id' [WITH SAVEPOINT] [WITH DRAIN].
type StopJob struct {
	Span
	Job              string
	Savepoint, Drain bool
}

// CompilePlan is COMPILE [AND EXECUTE] PLAN 'file' [IF NOT EXISTS] FOR statement.
type CompilePlan struct {
	Span
	File        string
	IfNotExists bool
	Execute     bool
	Statement   Statement
}

// ExecutePlan is EXECUTE PLAN 'file'.
type ExecutePlan struct {
	Span
	File string
}
