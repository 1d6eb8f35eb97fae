package op

import (
	"encoding/binary"
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// sortCode brings the sort keys of rows into a form whose order is theirs: a word per row, and where words may be
// equal for different keys a text behind it, its rest. Words of values are from leastWord to mostWord; a NULL is
// beyond them, on the side where it stands.
type sortCode struct {
	keys []SortKey
	// sharp says that the word is the whole key, but for the outermost values.
	sharp bool
	cols  []*vector.Column
	own   []vector.Column
	words []uint64
}

const (
	nullFirst = 0
	leastWord = 1
	mostWord  = math.MaxUint64 - 2
	nullLast  = math.MaxUint64 - 1
)

func newSortCode(keys []SortKey) *sortCode {
	c := &sortCode{keys: keys, sharp: len(keys) == 0 || len(keys) == 1 && wordHolds(keys[0].Expr.Type())}
	c.own, c.cols = owned(len(keys))
	return c
}

// wordHolds tells the types whose values are as good as 64 bits.
func wordHolds(t types.Type) bool { return t.Physical() != types.PhysView }

// load takes the key columns of n rows and returns their words.
func (c *sortCode) load(cols []*vector.Column, n int) []uint64 {
	if cap(c.words) < n {
		c.words = make([]uint64, n+n/2)
	}
	c.words = c.words[:n]
	for i := range c.keys {
		vector.Flatten(&c.own[i], cols[i])
	}
	if len(c.keys) == 0 {
		clear(c.words)
		return c.words
	}
	k, col := &c.keys[0], &c.own[0]
	wordsOf(c.words, col)
	if k.Desc {
		for i, w := range c.words {
			c.words[i] = ^w
		}
	}
	null := uint64(nullFirst)
	if k.NullsLast {
		null = nullLast
	}
	for i, w := range c.words {
		c.words[i] = min(max(w, leastWord), mostWord)
	}
	if col.Valid != nil {
		for i := range c.words {
			if !kernel.Bit(col.Valid, i) {
				c.words[i] = null
			}
		}
	}
	return c.words
}

// rest appends what orders row i among rows of its word. The rests of rows with one word are alike in form.
func (c *sortCode) rest(b []byte, i int) []byte {
	w := c.words[i]
	if len(c.keys) == 0 || c.sharp && w > leastWord && w < mostWord {
		return b
	}
	switch {
	case w == nullFirst || w == nullLast:
	case w == leastWord || w == mostWord || !wordHolds(c.keys[0].Expr.Type()):
		b = appendSorted(b, &c.own[0], i, c.keys[0].Desc)
	}
	for k := 1; k < len(c.keys); k++ {
		key := &c.keys[k]
		null := c.own[k].Null(i)
		mark := byte(1)
		if null && key.NullsLast {
			mark = 2
		} else if null {
			mark = 0
		}
		if b = append(b, mark); !null {
			b = appendSorted(b, &c.own[k], i, key.Desc)
		}
	}
	return b
}

const signBit = 1 << 63

// wordsOf makes words of a flat column, in its order. What NULLs give is unspecified.
func wordsOf(out []uint64, c *vector.Column) {
	switch phys := c.Phys(); {
	case c.Type.Kind == types.Null:
		clear(out)
	case c.Type.Kind == types.Decimal && c.Wide:
		for i := range out {
			out[i] = uint64(saturated(vector.DecimalAt(c, i))) ^ signBit
		}
	case phys == types.PhysBool:
		bits := vector.Bits(c)
		for i := range out {
			out[i] = leastWord + 1 + bits[i>>6]>>(uint(i)&63)&1
		}
	case phys == types.PhysInt8:
		integerWords(out, vector.Values[int8](c))
	case phys == types.PhysInt16:
		integerWords(out, vector.Values[int16](c))
	case phys == types.PhysInt32:
		integerWords(out, vector.Values[int32](c))
	case phys == types.PhysFloat32:
		floatWords(out, vector.Values[float32](c))
	case phys == types.PhysFloat64:
		floatWords(out, vector.Values[float64](c))
	case phys == types.PhysView:
		for i, v := range vector.Values[vector.View](c)[:len(out)] {
			out[i] = prefixWord(v.Bytes(c.Bufs))
		}
	default:
		integerWords(out, vector.Values[int64](c))
	}
}

func integerWords[T kernel.Integer](out []uint64, v []T) {
	v = v[:len(out)]
	for i, x := range v {
		out[i] = uint64(int64(x)) ^ signBit
	}
}

func floatWords[T float32 | float64](out []uint64, v []T) {
	v = v[:len(out)]
	for i, x := range v {
		out[i] = floatWord(float64(x))
	}
}

// floatWord orders as Java's Double.compare: -0.0 before 0.0, and NaN behind everything.
func floatWord(x float64) uint64 {
	if x != x {
		return math.MaxUint64
	}
	w := math.Float64bits(x)
	if w&signBit != 0 {
		return ^w
	}
	return w | signBit
}

func prefixWord(t []byte) uint64 {
	var b [8]byte
	copy(b[:], t)
	return binary.BigEndian.Uint64(b[:])
}

// saturated is a number as an int64, those that are none as the nearest.
func saturated(v vector.Int128) int64 {
	switch {
	case v.Fits():
		return v.Int64()
	case v.Hi < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// appendSorted appends a value, which is not NULL, as bytes whose order is that of the values.
func appendSorted(b []byte, c *vector.Column, i int, desc bool) []byte {
	at := len(b)
	switch phys := c.Phys(); {
	case c.Type.Kind == types.Decimal:
		v := vector.DecimalAt(c, i)
		b = binary.BigEndian.AppendUint64(b, uint64(v.Hi)^signBit)
		b = binary.BigEndian.AppendUint64(b, v.Lo)
	case phys == types.PhysView:
		b = appendSortedText(b, vector.Text(c, i))
	default:
		b = binary.BigEndian.AppendUint64(b, wordAt(c, i))
	}
	if desc {
		for k := at; k < len(b); k++ {
			b[k] = ^b[k]
		}
	}
	return b
}

// appendSortedText ends a text so that no other one begins with it.
func appendSortedText(b, t []byte) []byte {
	for _, x := range t {
		if b = append(b, x); x == 0 {
			b = append(b, 0xff)
		}
	}
	return append(b, 0, 0)
}

func wordAt(c *vector.Column, i int) uint64 {
	switch c.Phys() {
	case types.PhysBool:
		if vector.Bool(c, i) {
			return 1
		}
		return 0
	case types.PhysInt8:
		return uint64(int64(vector.Values[int8](c)[i])) ^ signBit
	case types.PhysInt16:
		return uint64(int64(vector.Values[int16](c)[i])) ^ signBit
	case types.PhysInt32:
		return uint64(int64(vector.Values[int32](c)[i])) ^ signBit
	case types.PhysFloat32:
		return floatWord(float64(vector.Values[float32](c)[i]))
	case types.PhysFloat64:
		return floatWord(vector.Values[float64](c)[i])
	}
	return uint64(vector.Values[int64](c)[i]) ^ signBit
}
