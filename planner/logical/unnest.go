package logical

import (
	"streamsql/exec/expr"
	"streamsql/exec/types"
)

// Unnest gives every row once per element of a collection that is in it, the element behind its columns.
type Unnest struct {
	Input Plan
	// Expr is an ARRAY, a MAP or a MULTISET.
	Expr expr.Expr
	// Ordinality adds the element's position, and Outer keeps rows without elements, with NULLs.
	Ordinality, Outer bool
	Columns           Schema
}

// NewUnnest takes the elements of e, an expression over input, apart.
func NewUnnest(input Plan, e expr.Expr, ordinality, outer bool) *Unnest {
	s, t := append(Schema(nil), input.Schema()...), e.Type()
	n := len(s)
	if t.Kind == types.Map {
		s = append(s, Column{Name: "KEY", Type: t.Key()}, Column{Name: "VALUE", Type: t.Elem()})
	} else {
		s = append(s, Column{Name: "EXPR$0", Type: t.Elem()})
	}
	if ordinality {
		s = append(s, Column{Name: "ORDINALITY", Type: types.Of(types.Int).WithNull(false)})
	}
	for i := n; outer && i < len(s); i++ {
		s[i].Type = s[i].Type.WithNull(true)
	}
	return &Unnest{input, e, ordinality, outer, s}
}

// Schema implements Plan.
func (u *Unnest) Schema() Schema { return u.Columns }

// Inputs implements Plan.
func (u *Unnest) Inputs() []Plan { return []Plan{u.Input} }

// With implements Plan.
func (u *Unnest) With(in []Plan) Plan {
	out := *u
	out.Input = in[0]
	return &out
}

// Changes implements Changer: each change comes for every element. By its position an element is known.
func (u *Unnest) Changes(in []Changes, _ Need) (Changes, []Need) {
	out := Changes{Kinds: in[0].Kinds, Stays: in[0].Stays}
	for _, k := range in[0].Keys {
		if u.Ordinality {
			out.Keys = append(out.Keys, k.And(len(u.Columns)-1))
		}
	}
	return out, []Need{Everything}
}

// String implements Plan.
func (u *Unnest) String() string {
	text := "Unnest("
	if u.Outer {
		text += "outer, "
	}
	text += "collection=[" + u.Expr.String() + "]"
	if u.Ordinality {
		text += ", ordinality"
	}
	return text + ")"
}
