package kernel

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// someInt128 draws numbers of all lengths, edges more often.
func someInt128(r *rand.Rand) Int128 {
	v := Int128{r.Uint64(), r.Int64()}
	switch r.IntN(4) {
	case 0:
		v = Int128Of(r.Int64() >> r.IntN(64))
	case 1:
		n := r.IntN(127)
		v = Int128{v.Lo, v.Hi}
		b := new(big.Int).Rsh(v.Abs().Big(), uint(n))
		v, _ = Int128OfBig(b)
	case 2:
		v = Pow10Wide(r.IntN(39)).Add(Int128Of(int64(r.IntN(3) - 1)))
	}
	if r.IntN(2) == 0 {
		v = v.Neg()
	}
	return v
}

func TestInt128QuoRem(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		a, b := someInt128(r), someInt128(r)
		if b.Sign() == 0 {
			continue
		}
		q, rest := a.QuoRem(b)
		wq, wr := new(big.Int).QuoRem(a.Big(), b.Big(), new(big.Int))
		if q.Big().Cmp(wq) != 0 || rest.Big().Cmp(wr) != 0 {
			t.Fatalf("%s / %s = %s rest %s, want %s rest %s", a.Big(), b.Big(), q.Big(), rest.Big(), wq, wr)
		}
		var d BigDecimal
		d.z.Set(a.Big())
		d.quoHalfUp(&d.z, b.Big())
		if h := a.QuoHalfUp(b); h.Big().Cmp(&d.z) != 0 {
			t.Fatalf("%s / %s rounds to %s, want %s", a.Big(), b.Big(), h.Big(), &d.z)
		}
		lo := a.Mul(b)
		w := new(big.Int).Mul(a.Big(), b.Big())
		if w.BitLen() < 127 && lo.Big().Cmp(w) != 0 {
			t.Fatalf("%s * %s = %s", a.Big(), b.Big(), lo.Big())
		}
	}
}

func TestBigDecimal(t *testing.T) {
	dec := func(s string) Int128 {
		b, ok := new(big.Int).SetString(s, 10)
		if !ok {
			t.Fatal(s)
		}
		v, _ := Int128OfBig(b)
		return v
	}
	var d BigDecimal
	nines := dec("99999999999999999999999999999999999999")
	if v, ok := d.Add(nines, 18, nines, 18, false, 38, 17); !ok || v.Big().String() != "20000000000000000000000000000000000000" {
		t.Error("sum", v.Big(), ok)
	}
	if _, ok := d.Mul(nines, 18, nines, 18, 38, 6); ok {
		t.Error("product fits")
	}
	if v, ok := d.Mul(dec("-33333333333"), 10, dec("33333333333"), 10, 38, 17); !ok || v.Big().String() != "-1111111111088888889" {
		t.Error("product", v.Big(), ok)
	}
	if v, ok := d.Div(dec("1"), 18, dec("-1"), 2, 38, 16); !ok || v.Big().String() != "-1" {
		t.Error("quotient", v.Big(), ok)
	}
	if v, ok := d.Mod(dec("-1234"), 2, dec("310"), 2, 10, 2); !ok || v.Big().String() != "-304" {
		t.Error("rest", v.Big(), ok)
	}
	if c := d.Cmp(nines, 0, nines, 38); c != 1 {
		t.Error("order", c)
	}
}

func TestDecimalNarrow(t *testing.T) {
	const n = 1000
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		shift := round % 62
		a, b, out := make([]int64, n), make([]int64, n), make([]int64, n)
		for i := range a {
			a[i], b[i] = r.Int64()>>shift, r.Int64()>>(62-shift)
			if i%2 == 0 {
				a[i] = -a[i]
			}
			if i%3 == 0 {
				b[i] = -b[i]
			}
		}
		if MulDecimalVV(out, a, b) {
			for i := range out {
				if MulInt64(a[i], b[i]) != Int128Of(out[i]) {
					t.Fatal("product", a[i], b[i], out[i])
				}
			}
		}
		if AddDecimalVV(out, a, 1000, b, -10) {
			for i := range out {
				if MulInt64(a[i], 1000).Sub(MulInt64(b[i], 10)) != Int128Of(out[i]) {
					t.Fatal("difference", a[i], b[i], out[i])
				}
			}
		}
		if ok, _ := DivDecimal(out, a, 100, b); ok {
			for i := range out {
				if b[i] != 0 && MulInt64(a[i], 100).QuoHalfUp(Int128Of(b[i])) != Int128Of(out[i]) {
					t.Fatal("quotient", a[i], b[i], out[i])
				}
			}
		}
	}
}

var (
	benchOut  = make([]int64, 1024)
	benchA    = drawInts(1000000)
	benchB    = drawInts(1000)
	benchBits = make([]uint64, 16)
)

func drawInts(n int64) []int64 {
	r := rand.New(rand.NewPCG(5, 6))
	v := make([]int64, 1024)
	for i := range v {
		v[i] = 1 + r.Int64N(n)
	}
	return v
}

func BenchmarkDecimal(b *testing.B) {
	b.Run("mul-const", func(b *testing.B) {
		for b.Loop() {
			MulDecimalVC(benchOut, benchA, 908)
		}
	})
	b.Run("mul-const-plain", func(b *testing.B) {
		for b.Loop() {
			for i, v := range benchA {
				benchOut[i] = v * 908
			}
		}
	})
	b.Run("mul", func(b *testing.B) {
		for b.Loop() {
			MulDecimalVV(benchOut, benchA, benchB)
		}
	})
	b.Run("add", func(b *testing.B) {
		for b.Loop() {
			AddDecimalVV(benchOut, benchA, 100, benchB, 1)
		}
	})
	b.Run("div", func(b *testing.B) {
		for b.Loop() {
			DivDecimal(benchOut, benchA, 1e6, benchB)
		}
	})
}
