package syntax

// Query is anything that yields a table. It is sealed; its types are
// *Select *SetOp *Values *TableQuery *Ordered *With.
type Query interface {
	Node
	query()
}

// Select is one SELECT block.
type Select struct {
	Span
	Hints    []Hint
	Distinct bool
	Items    []SelectItem
	From     TableRef // nil: one row without columns
	Where    Expr
	GroupBy  *GroupBy
	Having   Expr
	Windows  []NamedWindow
	Qualify  Expr
}

// SelectItem is one item of a select list (Expr may be a Star), or a measure.
type SelectItem struct {
	Span
	Expr  Expr
	Alias *Ident
}

// NamedWindow is one definition of a WINDOW clause.
type NamedWindow struct {
	Span
	Name   Ident
	Window *WindowSpec
}

// GroupBy is a GROUP BY clause. GROUP BY () has one item, an empty GroupTuple.
type GroupBy struct {
	Span
	Distinct bool
	Items    []GroupItem
	// All is the ALL of GROUP BY ALL, which groups by what the select list has beside aggregates; there are no items then.
	All Span
}

// GroupKind tells the items of a GROUP BY apart.
type GroupKind uint8

// The kinds of grouping items.
const (
	GroupExpr    GroupKind = iota // one expression: Exprs[0]
	GroupTuple                    // (a, b) or (): Exprs
	GroupingSets                  // GROUPING SETS (..): Items
	Rollup                        // ROLLUP (..): Items
	Cube                          // CUBE (..): Items
)

// GroupItem is one item of a GROUP BY or of a set inside it.
type GroupItem struct {
	Span
	Kind  GroupKind
	Exprs []Expr
	Items []GroupItem
}

// SetOperator is UNION, INTERSECT or EXCEPT.
type SetOperator uint8

// The set operators. INTERSECT binds tighter than the others.
const (
	Union SetOperator = iota
	Intersect
	Except
)

// SetOp joins two queries by a set operator.
type SetOp struct {
	Span
	Op          SetOperator
	All         bool
	Left, Right Query
}

// Values is VALUES (..), (..); a row written without parentheses has one item.
type Values struct {
	Span
	Rows []*Row
}

// TableQuery is TABLE t, short for SELECT * FROM t.
type TableQuery struct {
	Span
	Table *TableName
}

// Ordered is a query with ORDER BY, LIMIT (or FETCH) or OFFSET; each may be absent.
type Ordered struct {
	Span
	Body          Query
	OrderBy       []OrderItem
	Limit, Offset Expr
}

// With is a query behind common table expressions.
type With struct {
	Span
	Recursive bool
	Tables    []CommonTable
	Body      Query
}

// CommonTable is name [(columns)] AS (query).
type CommonTable struct {
	Span
	Name    Ident
	Columns []Ident
	Query   Query
}

// Hint is one item of /*+ .. */: NAME, NAME(a, b), NAME('k' = 'v', ..).
type Hint struct {
	Span
	Name   string // upper case
	Args   []HintArg
	Parens bool
}

// HintArg is a word, a literal, or key = value (Key is then set).
type HintArg struct {
	Span
	Key   string
	Value string
}

func (*Select) query()     {}
func (*SetOp) query()      {}
func (*Values) query()     {}
func (*TableQuery) query() {}
func (*Ordered) query()    {}
func (*With) query()       {}
