package function

import (
	"bytes"
	"encoding/binary"
	"slices"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// keyPacker packs values as keys: like appendPacked, but the entries of a MAP and a MULTISET in the order of their keys, which is no
// part of the value.
type keyPacker struct {
	order []int32 // of the entries of the maps that are being packed, those of an inner one behind
	x, y  []byte
}

// append appends row i of c, in any encoding, to b.
func (p *keyPacker) append(b []byte, c *vector.Column, i int) []byte {
	if !c.Type.Kind.IsComposite() || c.Null(i) {
		return appendPacked(b, c, i)
	}
	c, i = c.At(i)
	b = append(b, 1)
	if c.Type.Kind == types.Row {
		for _, k := range c.Children {
			b = p.append(b, k, i)
		}
		return b
	}
	from, to := span(c, i)
	b = binary.AppendUvarint(b, uint64(to-from))
	n := len(p.order)
	for e := from; e < to; e++ {
		p.order = append(p.order, int32(e))
	}
	order := p.order[n:] // its memory stays, even where that of p.order moves
	if c.Type.Kind != types.Array {
		keys := c.Children[0]
		slices.SortFunc(order, func(x, y int32) int { return p.compare(keys, int(x), int(y)) })
	}
	for _, e := range order {
		for _, v := range c.Children {
			b = p.append(b, v, int(e))
		}
	}
	p.order = p.order[:n]
	return b
}

// compare orders keys of a map: NULL first, composite ones by what they are packed to.
func (p *keyPacker) compare(keys *vector.Column, i, j int) int {
	if keys.Null(i) || keys.Null(j) {
		return int(b2i(keys.Null(j)) - b2i(keys.Null(i)))
	}
	if keys.Type.Kind.IsComposite() {
		var x, y []byte // p.x and p.y are in use where keys of keys are compared
		x, p.x = p.x[:0], nil
		y, p.y = p.y[:0], nil
		x, y = p.append(x, keys, i), p.append(y, keys, j)
		p.x, p.y = x, y
		return bytes.Compare(x, y)
	}
	x, i := keys.At(i)
	y, j := keys.At(j)
	return orderValue(x, i, y, j)
}
