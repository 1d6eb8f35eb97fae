package nexmark

import "math/bits"

// ratio is a hot ratio, prepared for asking of a raw draw whether it is 0 below the ratio, so that the key is cold.
//
// Of a power of two these are the draws whose low bits are zero. For any ratio one multiplication tells: with the factor
// 2^64/d, rounded up, the product with a draw, modulo 2^64, is the draw's remainder by d times the factor and less than
// 2^32 more. d is a power of two itself, and twice any other ratio: that one is asked of a draw's upper 31 bits, so the
// whole draw may leave 0 or 1.
type ratio struct {
	mask          uint64 // the bits that are zero, if the ratio is a power of two
	factor, limit uint64 // the product of a cold draw, halved, is below the limit
	rejected      uint32 // number of 31-bit values, the highest ones, that are drawn again
}

// rarely is the largest number of rejected values with which a run of bids seldom has to be cut short.
const rarely = 1 << 20

// newRatio prepares a ratio of at least 1.
func newRatio(n int32) ratio {
	if n&(n-1) == 0 {
		// For 1 the factor is 2^64, which is 0 here as is every product.
		return ratio{mask: uint64(n-1) << 32, factor: 1 << (64 - bits.TrailingZeros32(uint32(n))), limit: 1}
	}
	factor := ^uint64(0)/(2*uint64(n)) + 1
	return ratio{factor: factor, limit: factor, rejected: 1 << 31 % uint32(n)}
}

// masked is all ones when the masked bits of a draw are zero, and zero otherwise.
func masked(draw, mask uint64) uint64 {
	return uint64(int64(draw&mask-1) >> 63)
}

// cold is all ones when a draw, which stands in the upper half, is 0 below the ratio of these numbers, and zero otherwise.
func cold(draw, factor, limit uint64) uint64 {
	return uint64(int64(draw>>32*factor>>1-limit) >> 63)
}
