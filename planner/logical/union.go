package logical

import "strings"

// Union is UNION ALL: the rows of all inputs, whose columns have the same types. Names, and time
// attributes that all inputs share, are those of Columns.
type Union struct {
	List    []Plan
	Columns Schema
}

// NewUnion joins plans of equal types under the names of the first. A column is nullable when it is in
// any input.
func NewUnion(list []Plan) *Union {
	s := append(Schema(nil), list[0].Schema()...)
	for _, p := range list[1:] {
		for i, c := range p.Schema() {
			if c.Type.Nullable() {
				s[i].Type = s[i].Type.WithNull(true)
			}
			if c.Time != s[i].Time {
				s[i].Time = NoTime
			}
		}
	}
	return &Union{List: list, Columns: s}
}

// Schema implements Plan.
func (u *Union) Schema() Schema { return u.Columns }

// Inputs implements Plan.
func (u *Union) Inputs() []Plan { return u.List }

// With implements Plan.
func (u *Union) With(in []Plan) Plan { return &Union{in, u.Columns} }

// Changes implements Changer.
func (u *Union) Changes(in []Changes, reader Need) (Changes, []Need) {
	needs := make([]Need, len(in))
	for i := range needs {
		needs[i] = reader
	}
	return joinChanges(in), needs
}

// String implements Plan.
func (u *Union) String() string {
	return "Union(all=[true], columns=[" + strings.Join(u.Columns.Names(), ", ") + "])"
}
