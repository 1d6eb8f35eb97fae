package syntax

import "strings"

// Ident is one identifier. Its case is kept and counts.
type Ident struct {
	Span
	Name   string
	Quoted bool // written in back-ticks
}

// Path is an object's name of one to three parts: catalog, database, object.
type Path struct {
	Span
	Parts []Ident
}

// String returns the parts joined by points, unquoted.
func (p Path) String() string { return joinIdents(p.Parts) }

// Last returns the last part's name.
func (p Path) Last() string { return p.Parts[len(p.Parts)-1].Name }

func joinIdents(parts []Ident) string {
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = part.Name
	}
	return strings.Join(names, ".")
}

// Name is a reference to a column, or to a field of a ROW column, by one or more
// parts: price, B.price, bid.auction, cat.db.t.r.f. Which part is what, the binder
// decides.
type Name struct {
	Span
	Parts []Ident
}

// String returns the parts joined by points, unquoted.
func (n *Name) String() string { return joinIdents(n.Parts) }

// Star is * or, with a qualifier, t.* and t.r.*, in a select list; some of its columns may be left out, and others have
// other values.
type Star struct {
	Span
	Qualifier []Ident
	Exclude   []Ident
	Replace   []*Replacement
}

// Replacement is x AS c: the column c has the value x.
type Replacement struct {
	Span
	Expr Expr
	Name Ident
}
