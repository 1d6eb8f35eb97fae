package syntax

// Expr is an expression. It is sealed; its types are
// *Name *Star *Literal *Interval *UnitArg *Keyword *Unary *Binary *Between *In *Like *Is
// *Case *Cast *Call *Row *Collection *Index *Field *Subquery *Exists *Quantified
// *IntervalOf *TableArg *Descriptor *Default.
type Expr interface {
	Node
	expr()
}

// Unary is a prefix operator and its operand.
type Unary struct {
	Span
	Op   UnaryOp
	Expr Expr
}

// Binary is an operator between two operands. Its span covers both.
type Binary struct {
	Span
	Op          BinaryOp
	Left, Right Expr
}

// Between is x [NOT] BETWEEN [SYMMETRIC] low AND high.
type Between struct {
	Span
	Expr, Low, High Expr
	Not, Symmetric  bool
}

// In is x [NOT] IN (list) or x [NOT] IN (query); exactly one of List and Query is set.
// x may be a Row.
type In struct {
	Span
	Expr  Expr
	List  []Expr
	Query Query
	Not   bool
}

// LikeKind tells the pattern languages apart.
type LikeKind uint8

// The pattern predicates.
const (
	PlainLike LikeKind = iota // LIKE
	SimilarTo                 // SIMILAR TO
)

// Like is x [NOT] LIKE pattern [ESCAPE c] or x [NOT] SIMILAR TO pattern [ESCAPE c].
type Like struct {
	Span
	Kind          LikeKind
	Expr, Pattern Expr
	Escape        Expr // nil: no escape character at all
	Not           bool
}

// Is is x IS [NOT] NULL, TRUE, FALSE, UNKNOWN, JSON ...
type Is struct {
	Span
	Expr Expr
	Test IsTest
	Not  bool
}

// Case is CASE [operand] WHEN .. THEN .. [ELSE ..] END.
type Case struct {
	Span
	Operand Expr // nil for a searched CASE
	Whens   []When
	Else    Expr // nil: NULL
}

// When is one branch of a CASE.
type When struct {
	Span
	Cond, Then Expr
}

// Cast is CAST(x AS type) or TRY_CAST(x AS type).
type Cast struct {
	Span
	Expr Expr
	Type *Type
	Try  bool
}

// Row is ROW(a, b) or, with Implicit, (a, b).
type Row struct {
	Span
	Items    []Expr
	Implicit bool
}

// CollectionKind tells constructors of collections apart.
type CollectionKind uint8

// The collection constructors.
const (
	Array CollectionKind = iota
	Map
	Multiset
)

// Collection is ARRAY[a, b], MAP[k, v, ..] (keys and values in turn), MULTISET[..], or
// one of them over a query: ARRAY(SELECT ..).
type Collection struct {
	Span
	Kind  CollectionKind
	Items []Expr
	Query Query
}

// Index is x[i]: an array's element or a map's value.
type Index struct {
	Span
	Expr, Index Expr
}

// Field is x.f where x is no plain name: f(x).b, (a).b, a[1].b. Plain paths are a Name.
type Field struct {
	Span
	Expr Expr
	Name Ident
}

// Subquery is (query) used as a value.
type Subquery struct {
	Span
	Query Query
}

// Exists is EXISTS (query). NOT EXISTS is a Unary over it.
type Exists struct {
	Span
	Query Query
}

// Quantified is x op ALL (..) or x op ANY (..); SOME is ANY. One of Query and List is set.
type Quantified struct {
	Span
	Op    BinaryOp
	Expr  Expr
	All   bool
	Query Query
	List  []Expr
}

// IntervalOf is (a - b) DAY: the difference of two times, counted as an interval.
type IntervalOf struct {
	Span
	Left, Right Expr
	Units       IntervalUnits
}

// TableArg is a table as a function's argument: TABLE t, (SELECT ..), each with an
// optional PARTITION BY and ORDER BY. Of Table and Query one is set.
type TableArg struct {
	Span
	Table       *TableName
	Query       Query
	PartitionBy []Expr
	OrderBy     []OrderItem
}

// Descriptor is DESCRIPTOR(c, ..): columns named, not read.
type Descriptor struct {
	Span
	Columns []Ident
}

// Default is the word DEFAULT in place of a value or an argument.
type Default struct {
	Span
}

func (*Name) expr()       {}
func (*Star) expr()       {}
func (*Literal) expr()    {}
func (*Interval) expr()   {}
func (*UnitArg) expr()    {}
func (*Keyword) expr()    {}
func (*Unary) expr()      {}
func (*Binary) expr()     {}
func (*Between) expr()    {}
func (*In) expr()         {}
func (*Like) expr()       {}
func (*Is) expr()         {}
func (*Case) expr()       {}
func (*Cast) expr()       {}
func (*Call) expr()       {}
func (*Row) expr()        {}
func (*Collection) expr() {}
func (*Index) expr()      {}
func (*Field) expr()      {}
func (*Subquery) expr()   {}
func (*Exists) expr()     {}
func (*Quantified) expr() {}
func (*IntervalOf) expr() {}
func (*TableArg) expr()   {}
func (*Descriptor) expr() {}
func (*Default) expr()    {}
