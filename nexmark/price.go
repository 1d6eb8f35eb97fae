package nexmark

import "math"

const (
	priceSteps = 1024 // entries of the table per octave
	// A draw of 53 bits times priceScale is the binary logarithm of 10^(6*draw), in steps of the table.
	priceScale = 6 * (math.Ln10 / math.Ln2) * priceSteps / (1 << 53)
	step       = math.Ln2 / priceSteps
	// The polynomial, its argument and the library's power differ by less than 2e-14 of the value. A price whose
	// value lies within five times that of a rounding boundary is computed exactly.
	priceMargin = 1e-13
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

// price is random.price for the draw that follows state s, computed from a table.
func price(s uint64) int64 {
	y := float64(int64(mix64(s+gamma)>>11)) * priceScale
	k := int64(y)
	g := y - float64(k)
	v := priceTable[k&(priceSteps-1)] * (1 + g*(step+g*(step*step/2+g*(step*step*step/6))))
	v = math.Float64frombits(math.Float64bits(v) + uint64(k)/priceSteps<<52)
	p := int64(v*(1+priceMargin) + 0.5)
	if p != int64(v*(1-priceMargin)+0.5) {
		r := random(s)
		return r.price()
	}
	return p
}

// prices draws one price after each of the states.
func prices(out []int64, states []uint64) {
	states = states[:len(out)]
	for i := range out {
		y := float64(int64(mix64(states[i]+gamma)>>11)) * priceScale
		k := int64(y)
		g := y - float64(k)
		v := priceTable[k&(priceSteps-1)] * (1 + g*(step+g*(step*step/2+g*(step*step*step/6))))
		v = math.Float64frombits(math.Float64bits(v) + uint64(k)/priceSteps<<52)
		p := int64(v*(1+priceMargin) + 0.5)
		if p != int64(v*(1-priceMargin)+0.5) {
			r := random(states[i])
			p = r.price()
		}
		out[i] = p
	}
}
