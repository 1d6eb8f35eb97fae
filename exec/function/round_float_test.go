package function

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestRoundDigits compares with fractions made from the digits that a number prints.
func TestRoundDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var buf []byte
	for range 30000 {
		v := math.Ldexp(r.Float64()-0.5, r.IntN(140)-60)
		if r.IntN(2) == 0 {
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 1+r.IntN(5), 64), 64)
		}
		k := r.IntN(40) - 20
		cut := r.IntN(2) == 0
		x, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'f', -1, 64))
		unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(k, -k))), nil))
		if k < 0 {
			unit.Inv(unit)
		}
		x.Mul(x, unit)
		if !cut {
			half := big.NewRat(int64(x.Sign()), 2)
			x.Add(x, half)
		}
		whole := new(big.Rat).SetInt(new(big.Int).Quo(x.Num(), x.Denom()))
		want, _ := whole.Quo(whole, unit).Float64()
		var got float64
		if got, buf = roundDigits(v, k, cut, buf); got != want {
			t.Fatalf("%v to %d digits (cut %t) is %v, want %v", v, k, cut, got, want)
		}
	}
}
