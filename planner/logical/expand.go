package logical

import (
	"strings"

	"streamsql/exec/expr"
)

// Expand gives every row once per projection, for GROUPING SETS: its columns are those of the input, then the
// keys as the set has them, then the set's number.
type Expand struct {
	Input Plan
	// Sets are the projections, over the input.
	Sets    [][]expr.Expr
	Columns Schema
}

// Schema implements Plan.
func (x *Expand) Schema() Schema { return x.Columns }

// Inputs implements Plan.
func (x *Expand) Inputs() []Plan { return []Plan{x.Input} }

// With implements Plan.
func (x *Expand) With(in []Plan) Plan { return &Expand{in[0], x.Sets, x.Columns} }

// Changes implements Changer: a key of the input and the set's number tell the rows apart.
func (x *Expand) Changes(in []Changes, reader Need) (Changes, []Need) {
	out := in[0]
	out.Keys, out.Unique = nil, nil
	for _, k := range in[0].Keys {
		out.Keys = append(out.Keys, k.And(len(x.Columns)-1))
	}
	return out, []Need{reader}
}

// String implements Plan.
func (x *Expand) String() string {
	sets := make([]string, len(x.Sets))
	for i, list := range x.Sets {
		parts := make([]string, len(list))
		for k, e := range list {
			parts[k] = e.String()
		}
		sets[i] = "{" + strings.Join(parts, ", ") + "}"
	}
	return "Expand(projects=[" + strings.Join(sets, ", ") + "])"
}

// passes is the input's column that column i is in every set.
func (x *Expand) passes(i int) (int, bool) {
	at := -1
	for _, set := range x.Sets {
		c, ok := set[i].(*expr.Column)
		if !ok || at >= 0 && c.Index != at {
			return 0, false
		}
		at = c.Index
	}
	return at, at >= 0
}
