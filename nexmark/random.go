package nexmark

import "math/bits"

// gamma is the step of the generator's counter: draw k of a stream that starts at seed s is a mix of s + k*gamma.
const gamma = 0x9e3779b97f4a7c15

// random is the state of a java.util.SplittableRandom with the default increment. The state is a plain counter:
// every method advances it by gamma once per raw draw, before mixing.
type random uint64

// mix64 turns a counter into the 64 bits of one raw draw.
func mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// mix32 turns a counter into the 32 bits of one raw draw; it is another mixer than mix64, not its upper half.
func mix32(z uint64) uint32 {
	return uint32(mix(z, 0x62a9d9ed799705f5, 0xcb24d0a5c88c35b3) >> 32)
}

// factors and factors64 are the constants of mix32 and mix64 as variables. Loops copy them to locals: the compiler keeps
// those in registers and loads constants of this width anew at each use.
var (
	factors   = struct{ step, first, second uint64 }{gamma, 0x62a9d9ed799705f5, 0xcb24d0a5c88c35b3}
	factors64 = struct{ first, second uint64 }{0xbf58476d1ce4e5b9, 0x94d049bb133111eb}
)

// mix is mix32 with the factors given and the result left where it arises, in the upper half.
func mix(z, first, second uint64) uint64 {
	z = (z ^ z>>33) * first
	return (z ^ z>>28) * second
}

func (r *random) next64() int64 {
	*r += gamma
	return int64(mix64(uint64(*r)))
}

func (r *random) next32() int32 {
	*r += gamma
	return int32(mix32(uint64(*r)))
}

// float draws a double in [0, 1).
func (r *random) float() float64 {
	return float64(uint64(r.next64())>>11) * 0x1p-53
}

// below draws an integer in [0, b), b > 0. A power of two takes the low bits of one draw; any other bound takes the
// remainder of 31 bits and draws again while these lie in the last, incomplete run of b values.
func (r *random) below(b int32) int32 {
	v, m := r.next32(), b-1
	if b&m == 0 {
		return v & m
	}
	for u := int32(uint32(v) >> 1); ; u = int32(uint32(r.next32()) >> 1) {
		if v = u % b; u+m-v >= 0 {
			return v
		}
	}
}

// belowLong draws an integer in [0, n), n > 0; bounds of 2^31-1 and more take the remainder of 64 bits.
func (r *random) belowLong(n int64) int64 {
	if n < 1<<31-1 {
		return int64(r.below(int32(n)))
	}
	v := r.next64() % n
	return max(v, -v)
}

// bound is a fixed bound that is no power of two, prepared for remainders without a division.
type bound struct {
	size, magic uint64
}

// newBound prepares b. It reports false for a power of two, which is drawn in another way.
func newBound(b int64) (bound, bool) {
	if b <= 0 || b >= 1<<31 || b&(b-1) == 0 {
		return bound{}, false
	}
	return bound{uint64(b), ^uint64(0)/uint64(b) + 1}, true
}

// of returns u mod size, for any u below 2^32: magic exceeds 2^64/size by less than one.
func (b bound) of(u uint64) uint64 {
	q, _ := bits.Mul64(u, b.magic)
	return u - q*b.size
}

// rejected is the number of 31-bit values, the highest ones, that below draws again for this bound.
func (b bound) rejected() uint32 { return uint32(1 << 31 % b.size) }
