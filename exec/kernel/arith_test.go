package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDivide(t *testing.T) {
	a, b := []int32{7, -7, 7, math.MinInt32, 5}, []int32{2, 2, -3, -1, 0}
	q, r := make([]int32, 5), make([]int32, 5)
	if !DivVV(q, a, b) || !ModVV(r, a, b) {
		t.Error("the zero was not seen")
	}
	for i, want := range []int32{3, -3, -2, math.MinInt32} {
		if q[i] != want || r[i] != a[i]-want*b[i] {
			t.Errorf("%d / %d = %d rest %d", a[i], b[i], q[i], r[i])
		}
	}
	DivVC(q, a, -2)
	ModVC(r, a, -2)
	if q[1] != 3 || r[1] != -1 {
		t.Errorf("-7 / -2 = %d rest %d", q[1], r[1])
	}
	if DivCV(q[:4], 7, b[:4]) || ModCV(r[:4], 7, b[:4]) || q[2] != -2 || r[2] != 1 {
		t.Errorf("7 / -3 = %d rest %d", q[2], r[2])
	}
}

func TestDivideByConstant(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for round := range 300 {
		a, q, m := make([]int64, 100), make([]int64, 100), make([]int64, 100)
		for i := range a {
			a[i] = r.Int64() >> (31 + round%32)
			if round%5 == 0 {
				a[i] = -a[i]
			}
		}
		k := 1 + r.Int64N(1<<(1+round%40))
		DivVC(q, a, k)
		ModVC(m, a, k)
		for i := range a {
			if q[i] != a[i]/k || m[i] != a[i]%k {
				t.Fatalf("%d / %d = %d rest %d", a[i], k, q[i], m[i])
			}
		}
	}
}

func TestAbsSign(t *testing.T) {
	out := make([]float64, 4)
	Abs(out, []float64{math.Copysign(0, -1), -1.5, math.NaN(), 2})
	if math.Signbit(out[0]) || out[1] != 1.5 || out[2] == out[2] || out[3] != 2 {
		t.Error("abs", out)
	}
	Sign(out, []float64{math.Copysign(0, -1), -1.5, math.NaN(), 2})
	if out[0] != 0 || out[1] != -1 || out[2] == out[2] || out[3] != 1 {
		t.Error("sign", out)
	}
}

func BenchmarkArith(b *testing.B) {
	for name, run := range map[string]func(){
		"add":       func() { AddVV(benchOut, benchA, benchB) },
		"add-const": func() { AddVC(benchOut, benchA, 7) },
		"mul-const": func() { MulVC(benchOut, benchA, 7) },
		"add-plain": func() {
			for i := range benchOut {
				benchOut[i] = benchA[i] + benchB[i]
			}
		},
		"mod-const": func() { ModVC(benchOut, benchA, benchB[0]) },
		"mod":       func() { ModVV(benchOut, benchA, benchB) },
		"mod-plain": func() {
			k := benchB[0]
			for i := range benchOut {
				benchOut[i] = benchA[i] % k
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}
