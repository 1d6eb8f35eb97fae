package logical

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
)

// MultiJoin is the inner join of several inputs of rows that stay, by keys that are all equal.
type MultiJoin struct {
	List []Plan
	// Keys are those of each input over its columns, of the same types in all.
	Keys [][]expr.Expr
	// Output are the columns of the result by their positions among those of all inputs, ascending.
	Output  []int
	Columns Schema
}

// Schema implements Plan.
func (m *MultiJoin) Schema() Schema { return m.Columns }

// Inputs implements Plan.
func (m *MultiJoin) Inputs() []Plan { return m.List }

// With implements Plan.
func (m *MultiJoin) With(in []Plan) Plan { return &MultiJoin{in, m.Keys, m.Output, m.Columns} }

// Changes implements Changer: keys are those of all inputs together.
func (m *MultiJoin) Changes(in []Changes, _ Need) (Changes, []Need) {
	out, base := Changes{Kinds: Inserts, Stays: true, Keys: []Key{{}}}, 0
	needs := make([]Need, len(in))
	for i, c := range in {
		needs[i] = Everything
		var all []Key
		for _, k := range out.Keys {
			for _, mine := range c.Keys {
				all = append(all, k.And(shiftedKey(mine, base)...))
			}
		}
		out.Keys = all
		base += len(m.List[i].Schema())
	}
	out.Keys = movedKeys(out.Keys, func(c int) (int, bool) { return slices.BinarySearch(m.Output, c) })
	return out, needs
}

// Spec is the operator.
func (m *MultiJoin) Spec() *op.MultiJoin {
	s := &op.MultiJoin{Keys: slices.Clone(m.Keys), Output: m.Output, Names: m.Columns.Names()}
	for _, in := range m.List {
		s.Types = append(s.Types, in.Schema().Types())
	}
	return s
}

// String implements Plan.
func (m *MultiJoin) String() string { return m.Spec().String() }
