package vector

import (
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// Keys are the key columns of a batch in the form in which tables compare, hash and store them: one word
// per value, two for a DECIMAL of more than 18 digits, a view for a text. NULL is zero, and a bit in
// Nulls. A row's hash depends on its values alone, not on encodings or types: partitioners and tables
// of equal keys agree on it.
type Keys struct {
	Len  int
	Cols []KeyColumn
	// Nulls has bit k of row i set where column k is NULL; nil when no key of the batch is.
	Nulls []uint64

	nulls []uint64
	rows  []int32
}

// KeyColumn is one column of Keys.
type KeyColumn struct {
	Text, Wide bool
	Words      []uint64
	High       []uint64 // of Wide
	Views      []View
	Bufs       [][]byte

	typ    types.Type
	src    *Column
	loaded bool
	flat   Column
	mem    []uint64
	high   []uint64
	views  []View
}

// KeyType tells that columns of a type can be keys.
func KeyType(t types.Type) bool {
	switch t.Physical() {
	case types.PhysNone, types.PhysRow, types.PhysList:
		return false
	}
	return t.Kind != types.Variant
}

// NewKeys prepares for key columns of the given types.
func NewKeys(list []types.Type) *Keys {
	k := &Keys{Cols: make([]KeyColumn, len(list))}
	for i, t := range list {
		k.Cols[i].typ = t
		k.Cols[i].Text = t.Physical() == types.PhysView
		k.Cols[i].Wide = t.Wide()
	}
	return k
}

// Load takes the first n rows of cols, lent until the next Load. Values are brought into form when
// somebody asks for them (Column).
func (k *Keys) Load(cols []*Column, n int) {
	k.Len, k.Nulls = n, nil
	for i := range k.Cols {
		c := &k.Cols[i]
		c.src, c.loaded = cols[i], false
		if mayBeNull(cols[i]) {
			k.addNulls(cols[i], i)
		}
	}
}

// Constants tells that there are key columns, and all are constant, or codes of a dictionary of one entry, as which a
// constant comes over an exchange: the rows have one key.
func Constants(cols []*Column) bool {
	for _, c := range cols {
		if c.Enc != Constant && (c.Enc != Dict || c.Dict.Values.Len != 1 || c.Valid != nil) {
			return false
		}
	}
	return len(cols) > 0
}

func mayBeNull(c *Column) bool {
	return c.Valid != nil || c.Type.Kind == types.Null || (c.Enc == Dict && mayBeNull(c.Dict.Values))
}

func (k *Keys) addNulls(c *Column, col int) {
	if k.Nulls == nil {
		if cap(k.nulls) < k.Len {
			k.nulls = make([]uint64, k.Len+k.Len/2)
		}
		k.Nulls = k.nulls[:k.Len]
		clear(k.Nulls)
	}
	bit := uint64(1) << uint(col)
	switch {
	case c.Enc == Flat && c.Valid != nil:
		for i := range k.Nulls {
			k.Nulls[i] |= (^c.Valid[i>>6] >> (uint(i) & 63) & 1) << uint(col)
		}
	default:
		for i := range k.Nulls {
			if c.Null(i) {
				k.Nulls[i] |= bit
			}
		}
	}
}

// Column is column i with its values in form.
func (k *Keys) Column(i int) *KeyColumn {
	c := &k.Cols[i]
	if !c.loaded {
		c.load(k, i)
		c.loaded = true
	}
	return c
}

func (c *KeyColumn) load(k *Keys, col int) {
	src := c.src
	if src.Enc == Dict {
		Flatten(&c.flat, src)
		src = &c.flat
	}
	n := k.Len
	switch {
	case c.Text:
		c.loadViews(src, n)
	case c.Wide:
		c.high = room(c.high, n)
		c.mem = room(c.mem, n)
		c.Words, c.High = c.mem, c.high
		loadWide(c.Words, c.High, src)
	default:
		c.loadWords(src, n)
	}
	if k.Nulls == nil {
		return
	}
	c.zeroNulls(k.Nulls, uint(col))
}

func room(mem []uint64, n int) []uint64 {
	if cap(mem) < n {
		return make([]uint64, n, n+n/2)
	}
	return mem[:n]
}

// zeroNulls gives NULL rows the value zero; lent values are copied first.
func (c *KeyColumn) zeroNulls(nulls []uint64, col uint) {
	some := uint64(0)
	for _, b := range nulls {
		some |= b
	}
	if some>>col&1 == 0 {
		return
	}
	if c.Text {
		if len(c.views) == 0 || &c.Views[0] != &c.views[0] {
			c.views = append(c.views[:0], c.Views...)
			c.Views = c.views
		}
		for i, b := range nulls {
			if b>>col&1 != 0 {
				c.Views[i] = View{}
			}
		}
		return
	}
	if len(c.mem) == 0 || &c.Words[0] != &c.mem[0] {
		c.mem = append(c.mem[:0], c.Words...)
		c.Words = c.mem
	}
	for i, b := range nulls {
		keep := b>>col&1 - 1
		c.Words[i] &= keep
		if c.Wide {
			c.High[i] &= keep
		}
	}
}

func (c *KeyColumn) loadViews(src *Column, n int) {
	c.Bufs = src.Bufs
	v := Values[View](src)
	if src.Enc != Constant {
		c.Views = v[:n]
		return
	}
	if cap(c.views) < n {
		c.views = make([]View, n, n+n/2)
	}
	c.views = c.views[:n]
	c.Views = c.views
	kernel.Repeat(c.Views, v[0])
}

func loadWide(lo, hi []uint64, src *Column) {
	step := src.Step()
	if src.Wide {
		v := Values[Int128](src)
		for i := range lo {
			lo[i], hi[i] = v[i*step].Lo, uint64(v[i*step].Hi)
		}
		return
	}
	v := Values[int64](src)
	for i := range lo {
		lo[i], hi[i] = uint64(v[i*step]), uint64(v[i*step]>>63)
	}
}

func (c *KeyColumn) loadWords(src *Column, n int) {
	phys := src.Phys()
	if src.Enc == Flat && phys == types.PhysInt64 {
		c.Words = Values[uint64](src)[:n]
		return
	}
	c.mem = room(c.mem, n)
	c.Words = c.mem
	out := c.Words
	switch phys {
	case types.PhysBool:
		bits, step := Bits(src), src.Step()
		for i := range out {
			k := i * step
			out[i] = bits[k>>6] >> (uint(k) & 63) & 1
		}
	case types.PhysInt8:
		wordsOf[int8](out, src)
	case types.PhysInt16:
		wordsOf[int16](out, src)
	case types.PhysInt32:
		wordsOf[int32](out, src)
	case types.PhysInt64:
		wordsOf[int64](out, src)
	case types.PhysInt128: // a DECIMAL of few digits in the wide form
		v, step := Values[Int128](src), src.Step()
		for i := range out {
			out[i] = v[i*step].Lo
		}
	case types.PhysFloat32:
		v, step := Values[float32](src), src.Step()
		for i := range out {
			out[i] = floatWord(float64(v[i*step]))
		}
	case types.PhysFloat64:
		v, step := Values[float64](src), src.Step()
		for i := range out {
			out[i] = floatWord(v[i*step])
		}
	}
}

func wordsOf[T kernel.Integer](out []uint64, src *Column) {
	v, step := Values[T](src), src.Step()
	for i := range out {
		out[i] = uint64(int64(v[i*step]))
	}
}

// floatWord makes all NaN equal, as Java does, and keeps -0.0 apart from 0.0.
func floatWord(f float64) uint64 {
	if f != f {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(f)
}

// Codes is the dictionary column of key i and its codes, or nil where the column is not coded by a shared
// dictionary.
func (k *Keys) Codes(i int) (*Dictionary, []int32) {
	c := k.Cols[i].src
	if c.Enc != Dict || c.Dict.ID == 0 {
		return nil, nil
	}
	return c.Dict, c.Codes[:k.Len]
}
