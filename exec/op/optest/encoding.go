package optest

import (
	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Encoding is how a replay lays columns out.
type Encoding string

// The encodings: flat; a dictionary of the batch alone; one of all rows, shared by the batches, with NULLs
// as rows and as entries; constants wherever the rows of a batch are equal; and all of them, by column.
const (
	Flat       Encoding = "flat"
	Dictionary Encoding = "dictionary"
	Shared     Encoding = "shared dictionary"
	Constant   Encoding = "constant"
	Mixed      Encoding = "mixed"
)

// Encodings are the encodings of replays.
var Encodings = []Encoding{Flat, Dictionary, Shared, Constant, Mixed}

// dictionaries counts the identities given out.
var dictionaries uint64 = 1 << 60

// batch lays rows from..to out. Calling spoil overwrites the memory that is the batch's own.
func (r *Rows) batch(from, to int, enc Encoding) (b *vector.Batch, spoil func()) {
	b = &vector.Batch{Len: to - from}
	if r.kinds != nil {
		b.Kinds = append([]vector.RowKind(nil), r.kinds[from:to]...)
	}
	var own []*vector.Column
	for i := range r.cols {
		e := enc
		if e == Mixed {
			e = Encodings[(i+from)%(len(Encodings)-1)]
		}
		c, mine := r.column(i, from, to, e)
		b.Cols = append(b.Cols, c)
		own = append(own, mine)
	}
	return b, func() {
		for _, c := range own {
			overwrite(c)
		}
		clear(b.Kinds)
		for _, c := range b.Cols {
			for k := range c.Codes {
				c.Codes[k] = 0
			}
		}
	}
}

// column lays one column out; mine is the column whose memory belongs to the batch, or nil.
func (r *Rows) column(i, from, to int, enc Encoding) (c, mine *vector.Column) {
	n := to - from
	flat := r.copied(i, from, to, false)
	switch {
	case enc == Constant && r.equal(i, from, to):
		one := r.copied(i, from, from+1, false)
		one.Enc, one.Len = vector.Constant, n
		return one, one
	case enc == Dictionary:
		// Backwards, so that codes are no row numbers.
		d := &vector.Dictionary{Values: r.copied(i, from, to, true)}
		c = &vector.Column{}
		codes := make([]int32, n)
		for k := range codes {
			codes[k] = int32(n - 1 - k)
		}
		c.SetDict(r.types[i], codes, d)
		return c, d.Values
	case enc == Shared:
		return r.sharedColumn(i, from, to), nil
	}
	return flat, flat
}

// sharedColumn is a view of a dictionary that lives as long as the rows. Every other NULL is one of the
// rows, with a code that says nothing, the rest are NULL entries.
func (r *Rows) sharedColumn(i, from, to int) *vector.Column {
	for len(r.shared) < len(r.cols) {
		dictionaries++
		d := &vector.Dictionary{ID: dictionaries, Values: r.copied(len(r.shared), 0, r.n, true)}
		r.shared = append(r.shared, d)
	}
	c := &vector.Column{}
	codes := make([]int32, to-from)
	for k := range codes {
		codes[k] = int32(r.n - 1 - (from + k))
	}
	c.SetDict(r.types[i], codes, r.shared[i])
	for k := range codes {
		if r.cols[i].Null(from+k) && k%2 == 0 {
			codes[k] = 0
			if c.Valid == nil {
				c.Valid = make([]uint64, kernel.Words(len(codes)))
				kernel.Fill(c.Valid, len(codes))
			}
			kernel.ClearBit(c.Valid, k)
		}
	}
	return c
}

// copied is a fresh flat column of rows from..to, backwards if reverse.
func (r *Rows) copied(i, from, to int, reverse bool) *vector.Column {
	b := vector.NewBuilder(r.types[i])
	for k := range to - from {
		row := from + k
		if reverse {
			row = to - 1 - k
		}
		b.AppendValue(r.cols[i], row)
	}
	c := &vector.Column{}
	b.Finish(c)
	return c
}

func (r *Rows) equal(i, from, to int) bool {
	first := string(text.AppendCell(nil, r.cols[i], from))
	for row := from + 1; row < to; row++ {
		if string(text.AppendCell(nil, r.cols[i], row)) != first {
			return false
		}
	}
	return true
}

// overwrite spoils the memory of a column, texts and children included.
func overwrite(c *vector.Column) {
	if c == nil {
		return
	}
	if p := c.Type.Physical(); p != types.PhysView { // views must stay inside their buffers
		for k := range c.Data {
			c.Data[k] = 0x5A
		}
	} else {
		clear(c.Data)
	}
	for _, b := range c.Bufs {
		for k := range b {
			b[k] = '?'
		}
	}
	for _, k := range c.Children {
		overwrite(k)
	}
}
