package network

import (
	"encoding/binary"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Key groups are those of Flink in number, and in the range of them that a subtask owns; which group a key is in is the
// engine's own. The group is a function of the key's value alone, whatever the encoding of its column. NULL is a key like
// any other.

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

// KeyHasher computes key groups of rows of one type; it owns scratch.
type KeyHasher struct {
	keys   *vector.Keys // nil where a key is composite
	made   bool
	cols   []*vector.Column
	hashes []uint64
}

// Groups writes the key group of each row of cols by the columns that keys names.
func (h *KeyHasher) Groups(out []int32, cols []*vector.Column, keys []int, groups int) {
	n := uint64(groups)
	hashes := h.hash(len(out), cols, keys)
	if len(hashes) < len(out) {
		kernel.Repeat(out, int32(groupOf(hashes[0], n)))
		return
	}
	for i, x := range hashes {
		out[i] = int32(groupOf(x, n))
	}
}

// subtasks writes the subtask of each row: of is that of each key group.
func (h *KeyHasher) subtasks(out []int32, cols []*vector.Column, keys []int, of []int32) {
	n := uint64(len(of))
	hashes := h.hash(len(out), cols, keys)
	if len(hashes) < len(out) {
		kernel.Repeat(out, of[groupOf(hashes[0], n)])
		return
	}
	out = out[:len(hashes)]
	for i, x := range hashes {
		out[i] = of[groupOf(x, n)]
	}
}

// groupOf is the group, of so many, of a key with a hash.
func groupOf(hash, groups uint64) uint64 { return uint64(kernel.SpreadLast(hash)) * groups >> 32 }

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
		h.keys.Spread(hashes)
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
