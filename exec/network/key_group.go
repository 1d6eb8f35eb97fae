package network

import (
	"encoding/binary"
	"math/bits"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Key groups are Flink's: the hash of a key, mixed once more, modulo the maximum parallelism; a subtask owns a
// range of groups. The group is a function of the key's value alone, whatever the encoding of its column. NULL
// is a key like any other.

// SubtaskOf is the subtask that owns a key group.
func SubtaskOf(group, maxParallelism, parallelism int) int {
	return group * parallelism / maxParallelism
}

// GroupRange are the key groups of a subtask, both ends included.
func GroupRange(subtask, maxParallelism, parallelism int) (first, last int) {
	return (subtask*maxParallelism + parallelism - 1) / parallelism, ((subtask+1)*maxParallelism - 1) / parallelism
}

// DefaultMaxParallelism is the number of key groups when `pipeline.max-parallelism` is not set: the power of
// two at or above one and a half times the parallelism, from 128 to 32768.
func DefaultMaxParallelism(parallelism int) int {
	n := parallelism + parallelism/2
	p := 1
	for p < n {
		p *= 2
	}
	return min(max(p, 128), 32768)
}

// murmur mixes a hash as Flink does before it takes the group; the result is not negative.
func murmur(code uint32) uint32 {
	code *= 0xcc9e2d51
	code = bits.RotateLeft32(code, 15)
	code *= 0x1b873593
	code = bits.RotateLeft32(code, 13)
	code = code*5 + 0xe6546b64
	code ^= 4
	code ^= code >> 16
	code *= 0x85ebca6b
	code ^= code >> 13
	code *= 0xc2b2ae35
	code ^= code >> 16
	switch v := int32(code); {
	case v >= 0:
		return uint32(v)
	case v == -1<<31:
		return 0
	default:
		return uint32(-v)
	}
}

// KeyHasher computes key groups; it owns scratch.
type KeyHasher struct {
	hash []uint64
	flat []*vector.Column
}

// Groups writes the key group of each row.
func (h *KeyHasher) Groups(out []int32, cols []*vector.Column, keys []int, groups int) {
	n := len(out)
	if cap(h.hash) < n {
		h.hash = make([]uint64, 2*n)
	}
	hash := h.hash[:n]
	clear(hash)
	for i, k := range keys {
		for len(h.flat) <= i {
			h.flat = append(h.flat, &vector.Column{})
		}
		c := cols[k]
		if c.Enc != vector.Flat && !c.IsConstNull() {
			vector.Flatten(h.flat[i], c)
			c = h.flat[i]
		}
		hashColumn(hash, c)
	}
	m := uint32(groups)
	for i, x := range hash {
		out[i] = int32(murmur(uint32(x^x>>32)) % m)
	}
}

const (
	hashPrime = 0x9e3779b97f4a7c15
	nullHash  = 0xd6e8feb86659fd93
)

// mix folds a value into a hash: a multiplication to 128 bits whose halves are joined.
func mix(hash, v uint64) uint64 {
	hi, lo := bits.Mul64(hash^v^0xa0761d6478bd642f, hashPrime)
	return hi ^ lo ^ hash<<1
}

func hashColumn(hash []uint64, c *vector.Column) {
	if c.IsConstNull() {
		for i := range hash {
			hash[i] = mix(hash[i], nullHash)
		}
		return
	}
	switch c.Phys() {
	case types.PhysInt8:
		hashInts(hash, vector.Values[int8](c), c.Valid)
	case types.PhysInt16:
		hashInts(hash, vector.Values[int16](c), c.Valid)
	case types.PhysInt32:
		hashInts(hash, vector.Values[int32](c), c.Valid)
	case types.PhysInt64:
		hashInts(hash, vector.Values[int64](c), c.Valid)
	case types.PhysInt128:
		for i, v := range vector.Values[vector.Int128](c) {
			x := v.Lo // as the narrow form where it fits
			if !v.Fits() {
				x = mix(v.Lo, uint64(v.Hi))
			}
			hash[i] = mix(hash[i], orNull(x, c.Valid, i))
		}
	case types.PhysView:
		v := vector.Values[vector.View](c)
		for i := range v {
			x := uint64(nullHash)
			if c.Valid == nil || kernel.Bit(c.Valid, i) {
				x = hashBytes(v[i].Bytes(c.Bufs))
			}
			hash[i] = mix(hash[i], x)
		}
	default:
		for i := range hash {
			hash[i] = mix(hash[i], hashCell(c, i))
		}
	}
}

func hashInts[T int8 | int16 | int32 | int64](hash []uint64, v []T, valid []uint64) {
	v = v[:len(hash)]
	if valid != nil {
		for i := range hash {
			hash[i] = mix(hash[i], orNull(uint64(int64(v[i])), valid, i))
		}
		return
	}
	for i := range hash {
		hash[i] = mix(hash[i], uint64(int64(v[i])))
	}
}

func orNull(x uint64, valid []uint64, i int) uint64 {
	if valid != nil && !kernel.Bit(valid, i) {
		return nullHash
	}
	return x
}

func hashBytes(b []byte) uint64 {
	h := uint64(len(b)) * hashPrime
	for len(b) >= 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var tail uint64
	for i, x := range b {
		tail |= uint64(x) << (8 * i)
	}
	return mix(h, tail)
}

// hashCell hashes the rarer kinds of keys by their encoded value; 0.0 and -0.0 are one key.
func hashCell(c *vector.Column, i int) uint64 {
	if c.Null(i) {
		return nullHash
	}
	switch c.Phys() {
	case types.PhysFloat32:
		if vector.Values[float32](c)[i] == 0 {
			return 0
		}
	case types.PhysFloat64:
		if vector.Values[float64](c)[i] == 0 {
			return 0
		}
	}
	return hashBytes(appendValue(nil, c, i))
}
