package function

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestDecimalRandom compares the operators on DECIMALs and BIGINTs of random types with exact fractions,
// rounded half up once at the end.
func TestDecimalRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 4000 {
		op := []string{"+", "-", "*", "/", "%", "=", "<", "<="}[r.IntN(8)]
		a, b := randomDecimal(r), randomDecimal(r)
		if a.Kind == b.Kind && a.Kind == types.BigInt {
			continue
		}
		args := []Arg{{Type: a}, {Type: b}}
		sig, err := Must(op).Type(args)
		if err != nil {
			t.Fatal(err)
		}
		bound := Binding{Args: []Arg{{Type: sig.Args[0]}, {Type: sig.Args[1]}}, Result: sig.Result, Env: testEnv}
		kern, err := Must(op).Bind(bound)
		if err != nil {
			t.Fatal(err)
		}
		const rows = 9
		digits := 1 + r.IntN(38)
		x, y := randomValues(r, a, rows, digits), randomValues(r, b, rows, 1+r.IntN(38))
		out := &vector.Column{}
		out.Reset(sig.Result, rows)
		var c Call
		c.Reset(out, []*vector.Column{decimalColumn(sig.Args[0], x, r), decimalColumn(sig.Args[1], y, r)}, nil)
		kern(&c)
		row, _ := c.Err()
		for i := range rows {
			want := exactly(op, x[i], a.AsDecimal().Scale, y[i], b.AsDecimal().Scale, sig.Result)
			if want == "fails" {
				if row < 0 || row > i {
					t.Fatalf("%s %s %s: row %d does not fail", a, op, b, i)
				}
				continue
			}
			if got := cell(out, i); got != want {
				t.Fatalf("%s(%s) %s %s(%s) is %s, want %s as %s", x[i], a, op, y[i], b, got, want, sig.Result)
			}
		}
	}
}

func randomDecimal(r *rand.Rand) types.Type {
	p := 1 + r.IntN(38)
	if r.IntN(5) == 0 {
		return types.Of(types.BigInt)
	}
	return types.DecimalOf(p, r.IntN(p+1))
}

// randomValues draws unscaled values of at most so many digits that the type holds.
func randomValues(r *rand.Rand, t types.Type, n, digits int) []*big.Int {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(min(digits, t.AsDecimal().Precision))), nil)
	if t.Kind == types.BigInt && digits > 18 {
		limit.SetUint64(1 << 63)
	}
	out := make([]*big.Int, n)
	for i := range out {
		v := new(big.Int).SetUint64(r.Uint64())
		v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(r.Uint64()))
		out[i] = v.Mod(v, limit)
		if r.IntN(2) == 0 {
			v.Neg(v)
		}
		if r.IntN(8) == 0 {
			v.SetInt64(0)
		}
	}
	return out
}

// decimalColumn is narrow where the values fit, mostly.
func decimalColumn(t types.Type, v []*big.Int, r *rand.Rand) *vector.Column {
	wide := make([]vector.Int128, len(v))
	narrow := make([]int64, len(v))
	fits := true
	for i, b := range v {
		wide[i] = unscaled(types.DecimalOf(38, 0), b.String())
		narrow[i] = b.Int64()
		fits = fits && b.IsInt64()
	}
	if fits && (t.Kind == types.BigInt || r.IntN(4) > 0) {
		return vector.OfSlice(t, narrow)
	}
	return vector.OfSlice(t, wide)
}

// exactly computes with fractions and prints as a cell.
func exactly(op string, a *big.Int, as int, b *big.Int, bs int, result types.Type) string {
	x, y := fractionOf(a, as), fractionOf(b, bs)
	z := new(big.Rat)
	switch op {
	case "+":
		z.Add(x, y)
	case "-":
		z.Sub(x, y)
	case "*":
		z.Mul(x, y)
	case "=":
		return fmt.Sprint(x.Cmp(y) == 0)
	case "<":
		return fmt.Sprint(x.Cmp(y) < 0)
	case "<=":
		return fmt.Sprint(x.Cmp(y) <= 0)
	default:
		if y.Sign() == 0 {
			return "fails"
		}
		z.Quo(x, y)
		if op == "%" {
			whole := new(big.Int).Quo(z.Num(), z.Denom())
			z.Sub(x, new(big.Rat).Mul(y, new(big.Rat).SetInt(whole)))
		}
	}
	s := z.FloatString(result.Scale) // rounds halves away from zero
	if significant(s) > result.Precision {
		return `\N`
	}
	if z.Sign() < 0 && significant(s) == 0 {
		s = s[1:]
	}
	return s
}

func fractionOf(v *big.Int, scale int) *big.Rat {
	return new(big.Rat).SetFrac(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
}

// significant counts the digits without leading zeros.
func significant(s string) int {
	n := 0
	for _, ch := range s {
		if ch >= '0' && ch <= '9' && (n > 0 || ch != '0') {
			n++
		}
	}
	return n
}
