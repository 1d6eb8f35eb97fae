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

// TestRoundScaled compares the quick ways with the digits, over numbers near what decides among others.
func TestRoundScaled(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	same := func(v float64, k int) {
		t.Helper()
		for _, cut := range []bool{false, true} {
			want, _ := roundDigits(v, k, cut, nil)
			if got, sure := roundScaled(v, k, cut); sure && math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%v to %d digits (cut %t) is %v, want %v", v, k, cut, got, want)
			}
			if k > 0 && k < exactPowers && !cut {
				places := []float64{0}
				roundPlaces(places, []float64{v}, 1, k, nil)
				if math.Float64bits(places[0]) != math.Float64bits(want) && !math.IsNaN(v) {
					t.Fatalf("%v to %d places is %v, want %v", v, k, places[0], want)
				}
			}
			whole := []float64{0}
			roundWhole(whole, []float64{v}, 1, cut)
			if want, _ = roundDigits(v, 0, cut, nil); math.Float64bits(whole[0]) != math.Float64bits(want) && !math.IsNaN(v) {
				t.Fatalf("%v to whole ones (cut %t) is %v, want %v", v, cut, whole[0], want)
			}
		}
	}
	for _, v := range []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, -0.4, 0.5, -0.5,
		0.49999999999999994, 1 << 51, 1<<51 + 0.5, 1<<52 - 0.5, 1 << 52, 1<<53 - 1, 1 << 53, 1e15 + 0.3, 1e22, 1e23} {
		for k := -30; k <= 30; k++ {
			same(v, k)
		}
	}
	unsure := 0
	for range 300000 {
		k := r.IntN(9) - 2
		v := math.Ldexp(r.Float64()-0.5, r.IntN(70)-20)
		if _, sure := roundScaled(v, k, false); !sure && math.Abs(v) < 1e6 {
			unsure++
		}
		same(v, k)
		// Halves and whole ones of the last digit that stays, and their neighbours.
		m := float64(r.Int64N(1<<uint(1+r.IntN(50)))) / 2
		v = m / math.Pow(10, float64(k))
		for _, v := range []float64{v, math.Nextafter(v, 0), -math.Nextafter(v, math.Inf(1))} {
			same(v, k)
		}
	}
	if unsure > 300 {
		t.Errorf("%d numbers of 300000 are not sure", unsure)
	}
}
