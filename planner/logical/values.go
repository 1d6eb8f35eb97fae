package logical

import (
	"strings"

	"streamsql/exec/expr"
)

// Values is rows written in the query. The expressions read no columns; those of one position have the
// type of the column. A SELECT without FROM reads one row without columns.
type Values struct {
	Columns Schema
	Rows    [][]expr.Expr
}

// OneRow is a single row without columns.
func OneRow() *Values { return &Values{Rows: [][]expr.Expr{{}}} }

// Schema implements Plan.
func (v *Values) Schema() Schema { return v.Columns }

// Inputs implements Plan.
func (v *Values) Inputs() []Plan { return nil }

// With implements Plan.
func (v *Values) With([]Plan) Plan { return v }

// Changes implements Changer.
func (v *Values) Changes([]Changes, Need) (Changes, []Need) {
	out := Changes{Kinds: Inserts, Stays: true}
	if len(v.Rows) < 2 {
		out.Keys = []Key{{}}
	}
	return out, nil
}

// String implements Plan.
func (v *Values) String() string {
	rows := make([]string, len(v.Rows))
	for i, row := range v.Rows {
		parts := make([]string, len(row))
		for k, e := range row {
			parts[k] = e.String()
		}
		rows[i] = "(" + strings.Join(parts, ", ") + ")"
	}
	return "Values(rows=[" + strings.Join(rows, ", ") + "])"
}
