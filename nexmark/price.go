package nexmark

import (
	"math"
	"math/bits"
)

const (
	priceSteps = 1024 // entries of the table per octave
	fraction   = 49   // bits behind the point of a logarithm in steps of the table
	// The upper half of the product of a draw's 64 bits and priceScale, which is 6*log2(10) as a number with that point,
	// is the binary logarithm of 10^(6*draw).
	priceScale = 0x9f73da38d9d4a83f
	step       = math.Ln2 / priceSteps / (1 << fraction)
	// The polynomial, its argument and the library's power differ by less than 2e-14 of the value, which is at most
	// 1e8. A price whose value lies within five times that of a rounding boundary is computed exactly.
	priceMargin = 1e-5
)

// priceTable holds 100 * 2^(i/1024).
var priceTable = newPriceTable()

func newPriceTable() *[priceSteps]float64 {
	t := new([priceSteps]float64)
	for i := range t {
		t[i] = 100 * math.Exp2(float64(i)/priceSteps)
	}
	return t
}

// price draws a price: 100 to 100,000,000 cents, log-uniform.
func (r *random) price() int64 {
	d := r.float()
	// The conversions keep the compiler from fusing a product with the addition that follows.
	e := float64(d * 6)
	v := float64(math.Pow(10, e) * 100)
	return int64(math.Floor(v + 0.5))
}

// priceIf draws a price by the table, or passes over its draw.
func (r *random) priceIf(needed bool) int64 {
	var out [1]int64
	if needed {
		prices(out[:], []uint64{uint64(*r)})
	}
	*r += gamma
	return out[0]
}

// powerOf is nearly 100 * 10^(6*d) for the double d that a draw stands for.
func powerOf(draw uint64, table *[priceSteps]float64) float64 {
	// A double takes 53 bits of the draw.
	log, _ := bits.Mul64(draw&^(1<<11-1), priceScale)
	g := float64(int64(log & (1<<fraction - 1)))
	v := table[log>>fraction&(priceSteps-1)] * (1 + g*(step+g*(step*step/2+g*(step*step*step/6))))
	return math.Float64frombits(math.Float64bits(v) + log>>(fraction+10)<<52)
}

// prices draws one price after each of the states.
func prices(out []int64, states []uint64) {
	states = states[:len(out)]
	table, m1, m2 := priceTable, factors64.first, factors64.second
	for i := range out {
		z := states[i] + gamma
		z = (z ^ z>>30) * m1
		z = (z ^ z>>27) * m2
		v := powerOf(z^z>>31, table)
		p := int64(v + (0.5 + priceMargin))
		if p != int64(v+(0.5-priceMargin)) {
			r := random(states[i])
			p = r.price()
		}
		out[i] = p
	}
}
