package syntax

// TableRef is anything that stands in FROM. It is sealed; its types are
// *TableName *FileTable *Derived *TableFunction *Unnest *Join *Match.
type TableRef interface {
	Node
	table()
}

// Alias is [AS] name [(columns)] behind a table reference.
type Alias struct {
	Span
	Name    Ident
	Columns []Ident
}

// TableName is a table or view by name, with what Flink allows behind it.
type TableName struct {
	Span
	Path   Path
	Hints  []Hint
	AsOf   Expr // FOR SYSTEM_TIME AS OF
	Sample *Sample
	Alias  *Alias
}

// FileTable is 'path' in FROM: the rows of the files there.
type FileTable struct {
	Span
	Path  string
	Alias *Alias
}

// Sample is TABLESAMPLE method (percentage).
type Sample struct {
	Span
	Method string // BERNOULLI or SYSTEM
	Size   Expr
}

// Derived is (query) in FROM, LATERAL or not. The alias may be absent.
type Derived struct {
	Span
	Lateral bool
	Query   Query
	Alias   *Alias
}

// TableFunction is TABLE(f(..)), LATERAL TABLE(f(..)) or a bare f(..) in FROM.
type TableFunction struct {
	Span
	Lateral bool
	Call    *Call
	Alias   *Alias
}

// Unnest is UNNEST(x, ..) [WITH ORDINALITY] in FROM.
type Unnest struct {
	Span
	Lateral    bool
	Exprs      []Expr
	Ordinality bool
	Alias      *Alias
}

// JoinKind is the kind of a join.
type JoinKind uint8

// The kinds of joins. Comma is a cross join written with a comma.
const (
	Inner JoinKind = iota
	Left
	Right
	Full
	Cross
	Comma
)

// Join joins two table references. At most one of On, Using and Natural is set.
type Join struct {
	Span
	Kind        JoinKind
	Natural     bool
	Left, Right TableRef
	On          Expr
	Using       []Ident
}

func (*TableName) table()     {}
func (*FileTable) table()     {}
func (*Derived) table()       {}
func (*TableFunction) table() {}
func (*Unnest) table()        {}
func (*Join) table()          {}
func (*Match) table()         {}
