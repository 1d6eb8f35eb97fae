package syntax

// Match is input MATCH_RECOGNIZE (..) [AS alias].
type Match struct {
	Span
	Input       TableRef
	PartitionBy []Expr
	OrderBy     []OrderItem
	Measures    []SelectItem
	AllRows     bool // ALL ROWS PER MATCH; otherwise one row
	After       *AfterMatch
	Pattern     Pattern
	AtStart     bool // PATTERN (^ ..)
	AtEnd       bool // PATTERN (.. $)
	Within      Expr
	Subsets     []Subset
	Define      []Define
	Alias       *Alias
}

// SkipKind is where the next match may begin.
type SkipKind uint8

// The after-match strategies.
const (
	SkipPastLastRow SkipKind = iota
	SkipToNextRow
	SkipToFirst
	SkipToLast
)

// AfterMatch is AFTER MATCH SKIP ..; Variable is set for SkipToFirst and SkipToLast.
type AfterMatch struct {
	Span
	Skip     SkipKind
	Variable *Ident
}

// Subset is name = (variables) in a SUBSET clause.
type Subset struct {
	Span
	Name      Ident
	Variables []Ident
}

// Define is variable AS condition in a DEFINE clause.
type Define struct {
	Span
	Variable Ident
	Cond     Expr
}

// Pattern is a row pattern. It is sealed; its types are
// *PatternVar *PatternSeq *PatternAlt *PatternRepeat *PatternPermute *PatternExclude.
type Pattern interface {
	Node
	pattern()
}

// PatternVar is one variable.
type PatternVar struct {
	Span
	Name Ident
}

// PatternSeq is patterns one behind the other; with one item it is a group (A).
type PatternSeq struct {
	Span
	Items []Pattern
}

// PatternAlt is A | B.
type PatternAlt struct {
	Span
	Items []Pattern
}

// PatternRepeat is a pattern with a quantifier: * + ? {n} {n,} {n,m} {,m}.
type PatternRepeat struct {
	Span
	Item      Pattern
	Min, Max  int  // Unset without a bound: Min where {,n} is written
	Reluctant bool // a ? behind the quantifier
}

// PatternPermute is PERMUTE(A, B, ..).
type PatternPermute struct {
	Span
	Items []Pattern
}

// PatternExclude is {- A -}.
type PatternExclude struct {
	Span
	Item Pattern
}

func (*PatternVar) pattern()     {}
func (*PatternSeq) pattern()     {}
func (*PatternAlt) pattern()     {}
func (*PatternRepeat) pattern()  {}
func (*PatternPermute) pattern() {}
func (*PatternExclude) pattern() {}
