package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var orders = map[Order]string{EQ: "=", NE: "<>", LT: "<", LE: "<=", GT: ">", GE: ">="}

// naive compares as Go does, which for floats is what IEEE 754 and SQL want.
func naive[T Number](o Order, a, b T) bool {
	switch o {
	case EQ:
		return a == b
	case NE:
		return a != b
	case LT:
		return a < b
	case LE:
		return a <= b
	case GT:
		return a > b
	}
	return a >= b
}

func checkCompare[T Number](t *testing.T, draw func(r *rand.Rand) T) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 63, 64, 65, 128, 1000} {
		a, b := make([]T, n), make([]T, n)
		for i := range a {
			a[i], b[i] = draw(r), draw(r)
		}
		for o, name := range orders {
			for shape := range 4 {
				x, y := a, b
				if shape&1 != 0 {
					x = a[:1]
				}
				if shape&2 != 0 {
					y = b[:1]
				}
				out := make([]uint64, Words(n))
				for i := range out {
					out[i] = ^uint64(0)
				}
				CompareNumbers(out, o, x, y, n)
				for i := range n {
					p, q := x[i%len(x)], y[i%len(y)]
					if Bit(out, i) != naive(o, p, q) {
						t.Fatalf("%v %s %v is %t (row %d of %d, shape %d)", p, name, q, Bit(out, i), i, n, shape)
					}
				}
				if out[len(out)-1]&^TailMask(n) != 0 {
					t.Fatalf("bits past row %d", n)
				}
			}
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	checkCompare(t, func(r *rand.Rand) int8 { return int8(r.IntN(5) - 2) })
	checkCompare(t, func(r *rand.Rand) int64 { return int64(r.IntN(5)-2) << 60 })
	checkCompare(t, func(r *rand.Rand) float64 {
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1}[r.IntN(6)]
	})
	checkCompare(t, func(r *rand.Rand) float32 { return []float32{float32(math.NaN()), 0, 1, -1}[r.IntN(4)] })
}

// views makes a column of texts.
func views(texts []string) ([]View, [][]byte) {
	var buf []byte
	for _, s := range texts {
		buf = append(buf, s...)
	}
	out, off := make([]View, len(texts)), 0
	for i, s := range texts {
		out[i] = MakeView(buf, 0, off, len(s))
		off += len(s)
	}
	return out, [][]byte{buf}
}

func TestCompareViews(t *testing.T) {
	words := []string{"", "a", "ab", "apple", "appl", "google", "a text of more", "a text of more than twelve", "a text of more than twelvf"}
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{1, 5, 64, 200} {
		a, b := make([]string, n), make([]string, n)
		for i := range a {
			a[i], b[i] = words[r.IntN(len(words))], words[r.IntN(len(words))]
		}
		x, xb := views(a)
		y, yb := views(b)
		for o, name := range orders {
			for shape := range 4 {
				p, q := x, y
				if shape&1 != 0 {
					p = x[:1]
				}
				if shape&2 != 0 {
					q = y[:1]
				}
				out := make([]uint64, Words(n))
				CompareViews(out, o, p, q, xb, yb, n)
				for i := range n {
					s, u := a[i%len(p)], b[i%len(q)]
					if want := o.table()>>uint(strings.Compare(s, u)+1)&1 != 0; Bit(out, i) != want {
						t.Fatalf("%q %s %q is %t (row %d of %d, shape %d)", s, name, u, !want, i, n, shape)
					}
				}
			}
		}
	}
}

func TestCompareBits(t *testing.T) {
	a, b := []uint64{0b1100, 0}, []uint64{0b1010, 0}
	for o, want := range map[Order]string{EQ: "1001", NE: "0110", LT: "0010", LE: "1011", GT: "0100", GE: "1101"} {
		out := make([]uint64, 1)
		CompareBits(out, o, a, false, b, false, 4)
		if got := fmt.Sprintf("%04b", out[0]); got != want {
			t.Errorf("%s: %s, want %s", orders[o], got, want)
		}
		CompareBits(out, o, []uint64{1}, true, []uint64{0}, true, 3)
		if got := fmt.Sprintf("%03b", out[0]); got != map[bool]string{true: "111", false: "000"}[naive(o, int8(1), 0)] {
			t.Errorf("TRUE %s FALSE: %s", orders[o], got)
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	floats := make([]float64, len(benchA))
	Convert(floats, benchA)
	k, f := []int64{500000}, []float64{500000}
	channels := []string{"apple", "google", "facebook", "baidu", "channel-1234", "a channel of more"}
	texts := make([]string, len(benchA))
	for i := range texts {
		texts[i] = channels[benchA[i]%6]
	}
	v, bufs := views(texts)
	kv, kb := views([]string{"apple"})
	for name, run := range map[string]func(){
		"int64-const":       func() { Less(benchBits, benchA, k, 1024) },
		"int64":             func() { Less(benchBits, benchA, benchB, 1024) },
		"int64-plain":       func() { plainLess(benchBits, benchA, 500000) },
		"double-const":      func() { Less(benchBits, floats, f, 1024) },
		"double-plain":      func() { plainLess(benchBits, floats, 500000) },
		"text-const-inline": func() { CompareViews(benchBits, EQ, v, kv, bufs, kb, 1024) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}

// plainLess is the loop that one would write first.
func plainLess[T Number](out []uint64, a []T, k T) {
	clear(out)
	for i, v := range a {
		if v < k {
			out[i>>6] |= 1 << (uint(i) & 63)
		}
	}
}
