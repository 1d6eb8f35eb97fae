// Package kernel holds the loops over bare slices that everything above calls once per batch:
// bitmaps, comparisons, arithmetic, 128-bit decimals, text views, gathers.
//
// It does not know columns, types, batches, null rules or errors: callers pass slices and words.
//
// Invariants:
//
//	K1 a kernel is a free function (out, inputs...); it re-slices its inputs to len(out) first.
//	K2 no kernel allocates per row, calls an interface or a stored function per row.
//	K3 bitmaps are little-endian words, bit i of word i/64; bits past the length are zero on return.
package kernel

// Integer is every integer width a column can hold.
type Integer interface {
	~int8 | ~int16 | ~int32 | ~int64
}

// Number is every numeric width a column can hold.
type Number interface {
	Integer | ~float32 | ~float64
}
