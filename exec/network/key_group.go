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
	sign := uint32(int32(code) >> 31) // no branch, which would be guessed wrong for every other row
	return (code ^ sign - sign) &^ (1 << 31)
}

// KeyHasher computes key groups of rows of one type; it owns scratch.
type KeyHasher struct {
	keys   *vector.Keys // nil where a key is composite
	made   bool
	cols   []*vector.Column
	hashes []uint64
}

// Groups writes the key group of each row of cols by the columns that keys names.
func (h *KeyHasher) Groups(out []int32, cols []*vector.Column, keys []int, groups int) {
	m := uint32(groups)
	hashes := h.hash(len(out), cols, keys)
	if len(hashes) < len(out) {
		kernel.Repeat(out, int32(groupOf(hashes[0])%m))
		return
	}
	for i, x := range hashes {
		out[i] = int32(groupOf(x) % m)
	}
}

// subtasks writes the subtask of each row, of p, where the number of groups is a power of two, as by default: without
// a division.
func (h *KeyHasher) subtasks(out []int32, cols []*vector.Column, keys []int, groups, parallelism int) {
	last, p, shift := uint32(groups-1), uint32(parallelism), bits.TrailingZeros(uint(groups))&31
	hashes := h.hash(len(out), cols, keys)
	if len(hashes) < len(out) {
		kernel.Repeat(out, int32(groupOf(hashes[0])&last*p>>shift))
		return
	}
	out = out[:len(hashes)]
	for i, x := range hashes {
		out[i] = int32(groupOf(x) & last * p >> shift)
	}
}

// groupOf is the number of which the remainder is the group of a key with a hash.
func groupOf(hash uint64) uint32 { return murmur(uint32(hash ^ hash>>32)) }

// hash gives the hash of each of n rows, of the first alone where all have one key.
func (h *KeyHasher) hash(n int, cols []*vector.Column, keys []int) []uint64 {
	h.cols = h.cols[:0]
	for _, k := range keys {
		h.cols = append(h.cols, cols[k])
	}
	if vector.Constants(h.cols) {
		n = min(n, 1)
	}
	if !h.made {
		h.made, h.keys = true, keysOf(h.cols)
	}
	if cap(h.hashes) < n {
		h.hashes = make([]uint64, 2*n)
	}
	hashes := h.hashes[:n]
	if h.keys != nil {
		h.keys.Load(h.cols, n)
		h.keys.Hash(hashes)
	} else {
		hashCells(hashes, h.cols)
	}
	return hashes
}

func keysOf(cols []*vector.Column) *vector.Keys {
	list := make([]types.Type, len(cols))
	for i, c := range cols {
		if list[i] = c.Type; !vector.KeyType(c.Type) {
			return nil
		}
	}
	return vector.NewKeys(list)
}

// hashCells hashes rows of keys some of which are composite, by their encoded values.
func hashCells(hashes []uint64, cols []*vector.Column) {
	var cell []byte
	for i := range hashes {
		h := uint64(kernel.HashSeed)
		for _, c := range cols {
			cell = appendValue(cell[:0], c, i)
			h = kernel.HashWord(h, uint64(len(cell)))
			for len(cell) > 0 {
				var word [8]byte
				k := copy(word[:], cell)
				h = kernel.HashWord(h, binary.LittleEndian.Uint64(word[:]))
				cell = cell[k:]
			}
		}
		hashes[i] = h
	}
}
