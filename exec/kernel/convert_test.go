package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSaturate(t *testing.T) {
	in := []float64{1.9, -1.9, 1e20, -1e20, math.NaN(), math.Inf(1), math.Inf(-1), 2147483647.5, -2147483648.9, 2147483648, 0.4}
	got := make([]int32, len(in))
	Saturate(got, in, math.MinInt32, math.MaxInt32)
	for i, want := range []int32{1, -1, math.MaxInt32, math.MinInt32, 0, math.MaxInt32, math.MinInt32, math.MaxInt32,
		math.MinInt32, math.MaxInt32, 0} {
		if got[i] != want {
			t.Errorf("%v: %d, want %d", in[i], got[i], want)
		}
	}
	long := make([]int64, 3)
	Saturate(long, []float32{9.3e18, -9.3e18, 1e10}, math.MinInt64, math.MaxInt64)
	if long[0] != math.MaxInt64 || long[1] != math.MinInt64 || long[2] != 1e10 {
		t.Error(long)
	}
}

func TestQuoHalfUp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	v, out := make([]int64, 1000), make([]int64, 1000)
	for _, div := range []int64{1, 3, 10, 100, 1e9, 1e18} {
		for i := range v {
			v[i] = r.Int64() >> r.IntN(63)
			if i%2 == 0 {
				v[i] = -v[i]
			}
			if i%5 == 0 { // an exact half
				v[i] = div * int64(i%9-4) / 2
			}
		}
		QuoHalfUp(out, v, div)
		for i := range v {
			if want := Int128Of(v[i]).QuoHalfUp(Int128Of(div)).Int64(); out[i] != want {
				t.Fatalf("%d / %d = %d, want %d", v[i], div, out[i], want)
			}
		}
	}
}

func TestNonZero(t *testing.T) {
	v, w := make([]float64, 70), make([]uint64, 2)
	v[0], v[65], v[66], v[3] = 1, math.NaN(), -0.5, math.Copysign(0, -1)
	w[1] = ^uint64(0)
	NonZero(w, v)
	if w[0] != 1 || w[1] != 6 {
		t.Errorf("%x", w)
	}
	back := make([]int16, 70)
	OfBits(back, w, 1)
	if back[0] != 1 || back[1] != 0 || back[66] != 1 {
		t.Error(back)
	}
}

func TestRescaleTicks(t *testing.T) {
	out := make([]int64, 2)
	RescaleTicks(out, []int64{-1, 1999}, 1, 1000, 1)
	if out[0] != -1 || out[1] != 1 {
		t.Error(out)
	}
	RescaleTicks(out, []int64{-1, 1999}, 1, 1, 1000)
	if out[0] != -1000 || out[1] != 1000 {
		t.Error(out)
	}
	RescaleTicks(out, []int64{-1, 7}, 1000, 1, 1)
	if out[0] != -1000 || out[1] != 7000 {
		t.Error(out)
	}
}

func BenchmarkConvert(b *testing.B) {
	div := Pow10[2] // a divisor that the compiler does not know
	in, out, f, n := make([]int64, 1024), make([]int32, 1024), make([]float64, 1024), make([]int64, 1024)
	for i := range in {
		in[i], f[i] = int64(i*7919), float64(i)*1.5
	}
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"float to int32", func() { Saturate(out, f, math.MinInt32, math.MaxInt32) }},
		{"float to int32 plain", func() {
			for i := range 1024 {
				v := f[i]
				if v != v {
					v = 0
				}
				out[i] = int32(max(min(v, math.MaxInt32), math.MinInt32))
			}
		}},
		{"half up", func() { QuoHalfUp(n, in, 100) }},
		{"half up plain", func() {
			for i := range 1024 {
				q, r := in[i]/div, in[i]%div
				if r >= 50 {
					q++
				} else if r <= -50 {
					q--
				}
				n[i] = q
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/row")
		})
	}
}
