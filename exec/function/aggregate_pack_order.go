package function

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// packedValue is an item of a list with its first bytes, which tell most values apart: as they are ordered, so are these.
type packedValue struct {
	first uint64
	item  int32
}

// firstBytes are those of a packed value behind the one that says that it is not NULL.
func firstBytes(packed []byte) uint64 {
	if packed = packed[1:]; len(packed) >= 8 {
		return binary.BigEndian.Uint64(packed)
	}
	var b [8]byte
	copy(b[:], packed)
	return binary.BigEndian.Uint64(b[:])
}

// orderPacked orders values by their bytes, which value tells, in the memory of both slices: it returns the values and the
// slice that they are not in.
func orderPacked(values, spare []packedValue, value func(item int32) []byte) (ordered, left []packedValue) {
	values, spare = orderFirst(values, spare)
	for i := 0; i < len(values); {
		n := i + 1
		for n < len(values) && values[n].first == values[i].first {
			n++
		}
		if n > i+1 {
			slices.SortFunc(values[i:n], func(x, y packedValue) int { return bytes.Compare(value(x.item), value(y.item)) })
		}
		i = n
	}
	return values, spare
}

// orderFirst orders values by their first bytes, the last one first, byte by byte where values differ.
func orderFirst(values, spare []packedValue) (ordered, left []packedValue) {
	if len(values) < 256 {
		slices.SortFunc(values, func(x, y packedValue) int { return cmp.Compare(x.first, y.first) })
		return values, spare
	}
	var counts [8][256]int32
	for _, v := range values {
		for k := range counts {
			counts[k][byte(v.first>>(8*k))]++
		}
	}
	spare = slices.Grow(spare[:0], len(values))[:len(values)]
	for k := range counts {
		at := &counts[k]
		if at[byte(values[0].first>>(8*k))] == int32(len(values)) {
			continue
		}
		sum := int32(0)
		for i, n := range at {
			at[i], sum = sum, sum+n
		}
		for _, v := range values {
			b := byte(v.first >> (8 * k))
			spare[at[b]] = v
			at[b]++
		}
		values, spare = spare, values
	}
	return values, spare
}
