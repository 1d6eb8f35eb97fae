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

// The short way through 128 bits gives what big integers give.
func TestBigDecimalShort(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	var d BigDecimal
	scaled := func(b *big.Int, e int) *big.Int {
		f := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil)
		if e >= 0 {
			return f.Mul(f, b)
		}
		z := new(big.Int).Set(b)
		d.quoHalfUp(z, f)
		return z
	}
	for range 50000 {
		a, b := someInt128(r), someInt128(r)
		as, bs, s := r.IntN(19), r.IntN(19), 6+r.IntN(12)
		m := max(as, bs)
		x, y := scaled(a.Big(), m-as), scaled(b.Big(), m-bs)
		sum := scaled(new(big.Int).Sub(x, y), s-m)
		check := func(name string, v Int128, ok bool, want *big.Int) {
			fits := want.CmpAbs(Pow10Wide(38).Big()) < 0
			if ok != fits || (ok && v.Big().Cmp(want) != 0) {
				t.Fatalf("%s %s %d, %s %d to %d: %s %t, want %s", name, a.Big(), as, b.Big(), bs, s, v.Big(), ok, want)
			}
		}
		v, ok := d.Add(a, as, b, bs, true, 38, s)
		check("sub", v, ok, sum)
		v, ok = d.Mul(a, as, b, bs, 38, s)
		check("mul", v, ok, scaled(new(big.Int).Mul(a.Big(), b.Big()), s-as-bs))
		if e := s + bs - as; b.Sign() != 0 && e >= 0 {
			q := scaled(a.Big(), e)
			d.quoHalfUp(q, b.Big())
			v, ok = d.Div(a, as, b, bs, 38, s)
			check("div", v, ok, q)
		}
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
	wide, out := make([]Int128, 1024), make([]Int128, 1024)
	WidenInt64(wide, benchA)
	b.Run("wide-mul", func(b *testing.B) {
		for b.Loop() {
			MulWide(out, wide, wide)
		}
	})
	b.Run("wide-div", func(b *testing.B) {
		for b.Loop() {
			DivWide(out, wide, Pow10Wide(20), wide)
		}
	})
	b.Run("capped-mul", func(b *testing.B) {
		var d BigDecimal
		for b.Loop() {
			for i := range out {
				out[i], _ = d.Mul(wide[i], 18, wide[i], 18, 38, 6)
			}
		}
	})
	b.Run("div", func(b *testing.B) {
		for b.Loop() {
			DivDecimal(benchOut, benchA, 1e6, benchB)
		}
	})
}
