package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// payload is the columns of rows that an operator keeps: rows of a table that belong to groups of another one.
// Columns that are keys of the groups are not kept again.
type payload struct {
	form
	key    []int // of each column: the key of the parent that it is, or -1
	parent *state.Keyed
	rows   *state.Keyed

	taken   []vector.Column // of the rows to be kept
	lent    []*vector.Column
	parents []int32
}

// newPayload declares the table. Of a found one a row is looked up by its values; others are loose.
func newPayload(parent *state.Keyed, name string, list []types.Type, keys []expr.Expr, found bool) *payload {
	p := &payload{parent: parent, key: make([]int, len(list))}
	for i := range list {
		p.key[i] = -1
	}
	for k, e := range keys {
		if c, ok := e.(*expr.Column); ok && c.Index < len(list) {
			p.key[c.Index] = k
		}
	}
	p.form = newForm(list, func(i int) bool { return p.key[i] >= 0 })
	p.rows = p.declare(parent, name, found)
	p.taken, p.lent = owned(len(list))
	return p
}

// single makes the column that tells the row of a group that has one at most, plus one. Snapshots leave it out.
func (p *payload) single() *state.Pages[int32] {
	row := state.NewDerived[int32](p.parent)
	p.rows.OnRestore(func() {
		for _, v := range p.rows.Groups(nil) {
			row.Set(int32(p.rows.Word(0, v)), v+1)
		}
	})
	return row
}

// fill gives rows of groups, whose pages are owned, the values of some rows of a batch.
func (p *payload) fill(rows, groups []int32, cols []*vector.Column, from []int32) {
	if len(rows) == 0 {
		return
	}
	for _, i := range p.direct {
		vector.Take(&p.taken[i], cols[i], from)
	}
	for _, i := range p.packed {
		vector.Take(&p.taken[i], cols[i], from)
	}
	p.rows.Fill(rows, p.load(groups, p.lent, len(rows)))
}

// values makes out the columns of rows: copies.
func (p *payload) values(out []vector.Column, rows []int32) { p.read(out, rows, (*state.Keyed).Key) }

// lend makes out the columns of rows, which stand until the table changes.
func (p *payload) lend(out []vector.Column, rows []int32) { p.read(out, rows, (*state.Keyed).Lend) }

func (p *payload) read(out []vector.Column, rows []int32, key func(*state.Keyed, *vector.Column, int, []int32)) {
	p.parents = p.parents[:0]
	for _, v := range rows {
		p.parents = append(p.parents, int32(p.rows.Word(0, v)))
	}
	for i, t := range p.types {
		switch {
		case p.key[i] >= 0:
			key(p.parent, &out[i], p.key[i], p.parents)
			out[i].Type = t
		case p.place[i] >= 0:
			key(p.rows, &out[i], p.place[i]+1, rows)
			out[i].Type = t
		}
	}
	p.unpack(p.rows, rows, func(k int) *vector.Column { return &out[p.packed[k]] })
}

// column makes out column i of rows: it stands until the table changes. One of those that are one text together is in b,
// and is lent until that is reset.
func (p *payload) column(out *vector.Column, i int, rows []int32, b *vector.Builder) {
	switch {
	case p.key[i] >= 0:
		p.parents = p.parents[:0]
		for _, v := range rows {
			p.parents = append(p.parents, int32(p.rows.Word(0, v)))
		}
		p.parent.Lend(out, p.key[i], p.parents)
	case p.place[i] >= 0:
		p.rows.Lend(out, p.place[i]+1, rows)
	default:
		p.unpackOne(p.rows, i, rows, b)
		b.Finish(out)
	}
	out.Type = p.types[i]
}
