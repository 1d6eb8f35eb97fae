package kernel

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// The odd constants of the hash; their bits are those of square roots of primes.
const (
	hashA = 0x9E3779B97F4A7C15
	hashB = 0xD1B54A32D192ED03
	hashC = 0x8CB92BA72F3D8DD7
)

// HashSeed is the hash of no key column at all, which the loops below start from.
const HashSeed = 0xCBF29CE484222325

// fold multiplies to 128 bits and folds the halves.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// HashWord adds a word to a hash.
func HashWord(h, w uint64) uint64 {
	return fold(h^hashA, w*hashC+hashB) ^ bits.RotateLeft64(w*hashA, 32)
}

// HashWords adds the words at rows to the hashes at rows.
func HashWords(out, words []uint64, rows []int32) {
	words = words[:len(out)]
	for _, r := range rows {
		out[r] = HashWord(out[r], words[r])
	}
}

// HashFirst writes the hashes of rows of which words are the first column.
func HashFirst(out, words []uint64) {
	words = words[:len(out)]
	for i, w := range words {
		out[i] = HashWord(HashSeed, w)
	}
}

// HashAll adds the words of all rows to their hashes.
func HashAll(out, words []uint64) {
	words = words[:len(out)]
	for i, h := range out {
		out[i] = HashWord(h, words[i])
	}
}

// SpreadFirst, SpreadNext and SpreadLast are a hash of rows of integers that costs a multiplication for each word. Between
// the first and the last the low bits are poor: only the last may be used.

// SpreadFirst begins with the words of the first column.
func SpreadFirst(out, words []uint64) {
	words = words[:len(out)]
	for i, w := range words {
		out[i] = w * hashA
	}
}

// SpreadNext adds the words of another column.
func SpreadNext(out, words []uint64) {
	words = words[:len(out)]
	for i, h := range out {
		out[i] = (bits.RotateLeft64(h, 32) + words[i]) * hashB
	}
}

// SpreadLast is the hash, of 32 bits.
func SpreadLast(h uint64) uint32 { return uint32((h ^ h>>32) * hashC >> 32) }

// HashViews adds the texts at rows to the hashes at rows.
func HashViews(out []uint64, views []View, bufs [][]byte, rows []int32) {
	views = views[:len(out)]
	for _, r := range rows {
		v := &views[r]
		if v.Len <= InlineLen {
			h := HashWord(out[r], uint64(v.Len)|uint64(v.Prefix)<<32)
			out[r] = HashWord(h, uint64(v.Buf)|uint64(v.Off)<<32)
			continue
		}
		out[r] = hashBytes(out[r], v.Bytes(bufs))
	}
}

// hashBytes hashes a text of more than eight bytes.
func hashBytes(h uint64, b []byte) uint64 {
	h = HashWord(h, uint64(len(b)))
	last := binary.LittleEndian.Uint64(b[len(b)-8:])
	for ; len(b) > 16; b = b[16:] {
		h = fold(h^binary.LittleEndian.Uint64(b)^hashA, binary.LittleEndian.Uint64(b[8:])^hashB)
	}
	if len(b) >= 8 {
		h = HashWord(h, binary.LittleEndian.Uint64(b))
	}
	return HashWord(h, last)
}

// Over views a slice of a type without pointers as one of another, which it must be aligned for.
func Over[T, F any](v []F) []T {
	var to T
	var from F
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(from))/int(unsafe.Sizeof(to)))
}

// Bytes views a slice of a type without pointers as bytes.
func Bytes[T any](v []T) []byte {
	var z T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(z)))
}
