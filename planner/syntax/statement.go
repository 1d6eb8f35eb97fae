package syntax

// Statement is one SQL statement. It is sealed; its types are
// *QueryStatement *Insert *Copy *StatementSet *BeginStatementSet *EndStatementSet *Explain
// *Describe *Show *Set *Reset *Use *LoadModule *UnloadModule
// *CreateTable *CreateView *CreateFunction *CreateCatalog *CreateDatabase
// *Drop *AlterTable *AlterView *AlterDatabase *AlterCatalog *AlterFunction
// *Update *Delete *Truncate *StopJob *CompilePlan *ExecutePlan *Shell *Unsupported.
type Statement interface {
	Node
	statement()
}

// QueryStatement is a query as a statement.
type QueryStatement struct {
	Span
	Query Query
}

// Unsupported is a statement that Flink parses and this engine will not run. The planner
// turns it into a NotSupported error.
type Unsupported struct {
	Span
	What string // the statement's name: CALL, CREATE MODEL
	Hint string
	// Refused is why Flink does not run it either, with catalogs and connectors as there are here; InBatch says that it
	// does in batch mode.
	Refused string
	InBatch bool
}

// ShellCommand is a command of the SQL client that is no SQL.
type ShellCommand uint8

// The shell's commands.
const (
	Quit ShellCommand = iota
	Clear
	Help
)

// Shell is QUIT, EXIT, CLEAR or HELP.
type Shell struct {
	Span
	Command ShellCommand
}

// Option is 'key' = 'value' in a WITH, SET or OPTIONS clause.
type Option struct {
	Span
	Key, Value         string
	KeySpan, ValueSpan Span
}

func (*QueryStatement) statement()    {}
func (*Insert) statement()            {}
func (*StatementSet) statement()      {}
func (*BeginStatementSet) statement() {}
func (*EndStatementSet) statement()   {}
func (*Explain) statement()           {}
func (*Describe) statement()          {}
func (*Show) statement()              {}
func (*Set) statement()               {}
func (*Reset) statement()             {}
func (*Use) statement()               {}
func (*LoadModule) statement()        {}
func (*UnloadModule) statement()      {}
func (*CreateTable) statement()       {}
func (*CreateView) statement()        {}
func (*CreateFunction) statement()    {}
func (*CreateCatalog) statement()     {}
func (*CreateDatabase) statement()    {}
func (*Drop) statement()              {}
func (*AlterTable) statement()        {}
func (*AlterView) statement()         {}
func (*AlterDatabase) statement()     {}
func (*AlterCatalog) statement()      {}
func (*AlterFunction) statement()     {}
func (*Update) statement()            {}
func (*Delete) statement()            {}
func (*Truncate) statement()          {}
func (*StopJob) statement()           {}
func (*CompilePlan) statement()       {}
func (*ExecutePlan) statement()       {}
func (*Shell) statement()             {}
func (*Unsupported) statement()       {}
