package network

import (
	"encoding/binary"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// reader shows a buffer as a batch, in place. Everything it returns is lent until the next buffer.
type reader struct {
	layout *layout
	batch  vector.Batch // of the whole buffer
	marks  []mark

	wire    buffer // the head of a compact form
	place   placing
	lists   []*vector.Builder // of list leaves
	mem     []byte
	shown   []bool
	lent    [][]byte
	copied  []bool
	coded   []*vector.Dictionary
	trusted bool
}

func newReader(l *layout) *reader {
	r := &reader{layout: l, lists: make([]*vector.Builder, len(l.leaves))}
	for range l.types {
		r.batch.Cols = append(r.batch.Cols, &vector.Column{})
	}
	for i, f := range l.leaves {
		if f.form == list {
			r.lists[i] = vector.NewBuilder(f.typ)
		}
	}
	r.wire.place = &r.place
	return r
}

// show makes the batch of a regional buffer.
func (r *reader) show(b *buffer) {
	r.mem, r.shown, r.trusted, r.lent, r.copied = b.mem, b.shown, true, b.lent, b.copied
	r.coded = b.coded
	if err := r.view(b.place, b.rows, b.heap); err != nil {
		panic("network: " + err.Error())
	}
	r.marks = b.marks
}

// showWire makes the batch of a compact form, which may be anybody's bytes.
func (r *reader) showWire(mem []byte) error {
	base, err := r.layout.parseWire(&r.wire, mem)
	if err != nil {
		return err
	}
	r.mem, r.shown, r.trusted, r.lent = mem[base:], r.wire.shown, false, nil
	r.coded = nil
	r.marks = r.wire.marks
	return r.view(r.wire.place, r.wire.rows, r.wire.heap)
}

func (r *reader) view(p *placing, rows, heap int) error {
	r.batch.Len, r.batch.Kinds = rows, nil
	if r.shown[0] {
		if err := r.viewKinds(r.mem[p.kinds : p.kinds+rows]); err != nil {
			return err
		}
	}
	texts := r.mem[p.heap : p.heap+heap : p.heap+heap]
	next := 0
	for i, t := range r.layout.types {
		var err error
		if next, err = r.viewColumn(r.batch.Cols[i], next, t, p, texts); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) viewKinds(kinds []byte) error {
	c := vector.Column{Len: len(kinds), Data: kinds}
	r.batch.Kinds = vector.Values[vector.RowKind](&c)
	if r.trusted {
		return nil
	}
	for _, k := range r.batch.Kinds {
		if k > vector.Delete {
			return errGarbage
		}
	}
	return nil
}

// viewColumn shows a leaf, and the fields of a ROW behind it; it returns the next leaf.
func (r *reader) viewColumn(c *vector.Column, i int, t types.Type, p *placing, texts []byte) (int, error) {
	f, n := &r.layout.leaves[i], r.batch.Len
	if t.Kind == types.Null {
		c.SetConstNull(t, n)
		return i + 1, nil
	}
	c.Reset(t, n)
	var valid []uint64
	if r.shown[1+i] {
		at := p.valid[i]
		valid = vector.Bits(&vector.Column{Len: n, Data: r.mem[at : at+kernel.Words(n)*8]})
		if n > 0 {
			valid[len(valid)-1] &= kernel.TailMask(n)
		}
	}
	c.Valid = valid
	at := p.data[i]
	switch f.form {
	case fixed:
		c.Data, c.Wide = r.mem[at:at+n*f.width], t.Wide()
	case bitmap:
		c.Data = r.mem[at : at+kernel.Words(n)*8]
		if w := vector.Bits(c); len(w) > 0 {
			w[len(w)-1] &= kernel.TailMask(n)
		}
	case varying:
		if len(r.coded) > 0 && r.coded[i] != nil {
			codes := vector.Column{Len: n, Data: r.mem[at : at+n*codeSize]}
			c.SetDict(t, vector.Values[int32](&codes), r.coded[i])
			return i + 1, nil
		}
		c.Data = r.mem[at : at+n*f.width]
		r.viewTexts(c, i, texts)
		if !r.trusted && !viewsInside(vector.Values[vector.View](c), len(texts)) {
			return 0, errGarbage
		}
	case list:
		views := vector.Column{Len: n, Data: r.mem[at : at+n*f.width]}
		v := vector.Values[vector.View](&views)
		if !r.trusted && !viewsInside(v, len(texts)) {
			return 0, errGarbage
		}
		return i + 1, r.viewLists(c, i, v, valid, texts)
	}
	i++
	if t.Kind != types.Row {
		return i, nil
	}
	for k, child := range c.OwnChildren(len(t.Fields)) {
		var err error
		if i, err = r.viewColumn(child, i, t.Fields[k].Type, p, texts); err != nil {
			return 0, err
		}
	}
	return i, nil
}

// viewTexts lists what the views of a leaf point to: the heap, and what was lent.
func (r *reader) viewTexts(c *vector.Column, i int, texts []byte) {
	if len(r.lent) == 0 {
		c.Bufs = append(c.Bufs, texts)
		return
	}
	if !r.copied[i] {
		texts = nil
	}
	c.Bufs = append(append(c.Bufs, texts), r.lent...)
	c.Lasting = (1<<len(r.lent) - 1) << 1
}

func viewsInside(v []vector.View, size int) bool {
	for i := range v {
		if v[i].Len > kernel.InlineLen && (v[i].Buf != 0 || uint64(v[i].Off)+uint64(v[i].Len) > uint64(size)) {
			return false
		}
	}
	return true
}

func (r *reader) viewLists(c *vector.Column, i int, v []vector.View, valid []uint64, texts []byte) error {
	b := r.lists[i]
	b.Reset()
	bufs := [][]byte{texts}
	for k := range v {
		if valid != nil && !kernel.Bit(valid, k) {
			b.AppendNull()
			continue
		}
		rest, err := decodeList(b, v[k].Bytes(bufs), 0)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return errGarbage
		}
	}
	b.Finish(c)
	return nil
}

// assembly joins the parts of a row that no segment holds.
type assembly struct {
	bytes []byte
	size  int
}

// maxRow is the largest row that may come in parts.
const maxRow = 1 << 30

// add takes a part. It tells whether the row is whole.
func (a *assembly) add(piece []byte, last bool) (whole bool, err error) {
	if len(a.bytes) == 0 {
		if len(piece) < 8 {
			return false, errGarbage
		}
		size := binary.LittleEndian.Uint64(piece)
		if size == 0 || size > maxRow {
			return false, errGarbage
		}
		a.size, piece = int(size), piece[8:]
	}
	if len(a.bytes)+len(piece) > a.size || len(piece) == 0 {
		return false, errGarbage
	}
	a.bytes = append(a.bytes, piece...)
	if last != (len(a.bytes) == a.size) {
		return false, errGarbage
	}
	return last, nil
}

// take gives the row and starts anew.
func (a *assembly) take() []byte {
	b := a.bytes
	a.bytes = nil
	return b
}
