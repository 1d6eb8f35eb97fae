package op

import (
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// tableWidth is how many columns of a row a table has as they are.
const tableWidth = 60

// form is how the columns of rows lie in a table, behind its first one, which is the group that a row belongs to.
type form struct {
	types  []types.Type
	place  []int // of each column: its place in direct, or -1
	direct []int // columns that the table has as they are
	packed []int // columns that are one text together: of composite types, and beyond the width of a table

	group, bytes vector.Column
	cols         []*vector.Column
	text         []byte
	built        []*vector.Builder
}

// newForm leaves out the columns that are had elsewhere.
func newForm(list []types.Type, had func(i int) bool) form {
	f := form{types: list, place: make([]int, len(list))}
	for i, t := range list {
		f.place[i] = -1
		switch {
		case had(i):
		case vector.KeyType(t) && len(f.direct) < tableWidth:
			f.place[i] = len(f.direct)
			f.direct = append(f.direct, i)
		default:
			f.packed = append(f.packed, i)
		}
	}
	return f
}

// declare makes the table, of rows that belong to groups of parent. Of a found one a row is looked up by its values; others
// are loose.
func (f *form) declare(parent *state.Keyed, name string, found bool) *state.Keyed {
	var list []types.Type
	for _, i := range f.direct {
		list = append(list, f.types[i])
	}
	if len(f.packed) > 0 {
		list = append(list, types.Bytes().WithNull(false))
	}
	f.cols = make([]*vector.Column, 1+len(list))
	if found {
		return parent.Store().Keyed(name, parent, append([]types.Type{types.Of(types.Int).WithNull(false)}, list...))
	}
	return parent.Store().Rows(name, parent, list)
}

// load brings the columns of n rows of groups into the form of the table; they are lent until the next call.
func (f *form) load(groups []int32, cols []*vector.Column, n int) []*vector.Column {
	vector.SetSlice(&f.group, types.Of(types.Int).WithNull(false), groups)
	f.cols[0] = &f.group
	for k, i := range f.direct {
		f.cols[k+1] = cols[i]
	}
	if len(f.packed) == 0 {
		return f.cols
	}
	f.bytes.Reset(types.Bytes().WithNull(false), n)
	w := vector.NewText(&f.bytes)
	for r := range n {
		f.text = f.text[:0]
		for _, i := range f.packed {
			f.text = function.AppendPacked(f.text, cols[i], r)
		}
		w.Put(r, f.text)
	}
	w.Finish()
	f.cols[len(f.cols)-1] = &f.bytes
	return f.cols
}

// unpack makes the packed columns of rows of a table: column packed[k] is in out(k).
func (f *form) unpack(t *state.Keyed, rows []int32, out func(k int) *vector.Column) {
	if len(f.packed) == 0 {
		return
	}
	for len(f.built) < len(f.packed) {
		f.built = append(f.built, vector.NewBuilder(f.types[f.packed[len(f.built)]]))
	}
	for _, b := range f.built {
		b.Reset()
	}
	at := len(f.direct) + 1
	for _, v := range rows {
		text := t.Text(at, v)
		for _, b := range f.built {
			text = function.Unpack(b, text)
		}
	}
	for k, b := range f.built {
		b.Finish(out(k))
	}
}

// unpackOne makes packed column i of rows of a table alone, in a builder of its own.
func (f *form) unpackOne(t *state.Keyed, i int, rows []int32, b *vector.Builder) {
	b.Reset()
	at := len(f.direct) + 1
	for _, v := range rows {
		text := t.Text(at, v)
		for _, k := range f.packed {
			if k == i {
				function.Unpack(b, text)
				break
			}
			text = function.SkipPacked(f.types[k], text)
		}
	}
}
