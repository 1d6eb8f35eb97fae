package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// payload is the columns of rows that an operator keeps: rows of a table that belong to groups of another one.
// Columns that are keys of the groups are not kept again.
type payload struct {
	types  []types.Type
	key    []int // of each column: the key of the parent that it is, or -1
	place  []int // of each column: its place among those that the table has as they are, or -1
	direct []int
	packed []int // columns that are one text together: of composite types, and beyond the width of a table
	parent *state.Keyed
	rows   *state.Keyed

	group, bytes vector.Column
	taken        []vector.Column // of the rows to be kept
	lent         []*vector.Column
	cols         []*vector.Column
	text         []byte
	built        []*vector.Builder
	parents      []int32
}

// newPayload declares the table. Of a found one a row is looked up by its values; others are loose.
func newPayload(parent *state.Keyed, name string, list []types.Type, keys []expr.Expr, found bool) *payload {
	p := &payload{types: list, parent: parent, key: make([]int, len(list)), place: make([]int, len(list))}
	for i := range list {
		p.key[i], p.place[i] = -1, -1
	}
	for k, e := range keys {
		if c, ok := e.(*expr.Column); ok && c.Index < len(list) {
			p.key[c.Index] = k
		}
	}
	var stored []types.Type
	for i, t := range list {
		switch {
		case p.key[i] >= 0:
		case vector.KeyType(t) && len(p.direct) < tableWidth:
			p.place[i] = len(p.direct)
			p.direct, stored = append(p.direct, i), append(stored, t)
		default:
			p.packed = append(p.packed, i)
		}
	}
	if len(p.packed) > 0 {
		stored = append(stored, types.Bytes().WithNull(false))
	}
	if found {
		p.rows = parent.Store().Keyed(name, parent, append([]types.Type{types.Of(types.Int).WithNull(false)}, stored...))
	} else {
		p.rows = parent.Store().Rows(name, parent, stored)
	}
	p.cols = make([]*vector.Column, 1+len(stored))
	p.taken, p.lent = owned(len(list))
	for _, i := range p.packed {
		p.built = append(p.built, vector.NewBuilder(list[i]))
	}
	return p
}

// load brings the columns of n rows of groups into the form of the table.
func (p *payload) load(groups []int32, cols []*vector.Column, n int) []*vector.Column {
	vector.SetSlice(&p.group, types.Of(types.Int).WithNull(false), groups)
	p.cols[0] = &p.group
	for k, i := range p.direct {
		p.cols[k+1] = cols[i]
	}
	if len(p.packed) == 0 {
		return p.cols
	}
	p.bytes.Reset(types.Bytes().WithNull(false), n)
	w := vector.NewText(&p.bytes)
	for r := range n {
		p.text = p.text[:0]
		for _, i := range p.packed {
			p.text = function.AppendPacked(p.text, cols[i], r)
		}
		w.Put(r, p.text)
	}
	w.Finish()
	p.cols[len(p.cols)-1] = &p.bytes
	return p.cols
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
	if len(p.packed) == 0 {
		return
	}
	for _, b := range p.built {
		b.Reset()
	}
	at := len(p.direct) + 1
	for _, v := range rows {
		text := p.rows.Text(at, v)
		for _, b := range p.built {
			text = function.Unpack(b, text)
		}
	}
	for k, b := range p.built {
		b.Finish(&out[p.packed[k]])
	}
}
