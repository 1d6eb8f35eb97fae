package function

import (
	"fmt"
	"math/rand/v2"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "RAND", Volatile: true, Forms: []string{"RAND()", "RAND(<INTEGER>)"},
	Type: func(args []Arg) (Signature, error) { return randomType(args, 0, types.Double) },
	Bind: func(b Binding) (Kernel, error) {
		var gens generators
		return func(c *Call) {
			out := vector.Alloc[float64](c.Out)
			if len(c.Args) == 0 {
				for i := range out {
					out[i] = rand.Float64()
				}
				return
			}
			seed, step := vector.Values[int32](c.Args[0]), c.Args[0].Step()
			for i := range out {
				out[i] = gens.of(seed[i*step]).double()
			}
		}, nil
	},
	Doc: Doc{"math", "A random number from 0 to below 1; the sequence of a seed is that of java.util.Random.",
		"RAND() < 1", "TRUE"},
})

var _ = scalar(Scalar{
	Name: "RAND_INTEGER", Volatile: true, Fails: true,
	Forms: []string{"RAND_INTEGER(<INTEGER>)", "RAND_INTEGER(<INTEGER>, <INTEGER>)"},
	Type:  func(args []Arg) (Signature, error) { return randomType(args, 1, types.Int) },
	Bind: func(b Binding) (Kernel, error) {
		var gens generators
		return func(c *Call) {
			out := vector.Alloc[int32](c.Out)
			last := c.Args[len(c.Args)-1]
			bound, step := vector.Values[int32](last), last.Step()
			for i := range out {
				n := bound[i*step]
				switch {
				case n <= 0:
					c.FailWith(i, func() error {
						return fmt.Errorf("bound must be positive, got %d", n)
					})
				case len(c.Args) == 1:
					out[i] = rand.Int32N(n)
				default:
					seed := vector.Values[int32](c.Args[0])[i*c.Args[0].Step()]
					out[i] = gens.of(seed).below(n)
				}
			}
		}, nil
	},
	Doc: Doc{"math", "A random integer from 0 to below the last argument; a first argument is a seed.",
		"RAND_INTEGER(1)", "0"},
})

// randomType wants at least n integers and at most one more, the seed in front.
func randomType(args []Arg, n int, result types.Kind) (Signature, error) {
	sig := Signature{Result: types.Of(result).WithNull(false)}
	if len(args) < n || len(args) > n+1 {
		return sig, Mismatch()
	}
	for _, a := range args {
		if !a.Type.Kind.IsInteger() && a.Type.Kind != types.Null {
			return sig, Mismatch()
		}
		sig.Args = append(sig.Args, types.Of(types.Int).WithNull(a.Type.Nullable()))
		if a.Type.Nullable() {
			sig.Result.NotNull = false
		}
	}
	return sig, nil
}

// generators keeps the generator of a seed; another seed starts anew.
type generators struct {
	seed  int32
	gen   linear
	ready bool
}

func (g *generators) of(seed int32) *linear {
	if !g.ready || g.seed != seed {
		g.seed, g.ready = seed, true
		g.gen = linear((uint64(int64(seed)) ^ 0x5DEECE66D) & (1<<48 - 1))
	}
	return &g.gen
}

// linear is the linear congruential generator of java.util.Random.
type linear uint64

func (l *linear) next(bits uint) int32 {
	*l = (*l*0x5DEECE66D + 0xB) & (1<<48 - 1)
	return int32(*l >> (48 - bits))
}

func (l *linear) double() float64 {
	hi := int64(l.next(26)) << 27
	return float64(hi+int64(l.next(27))) / (1 << 53)
}

func (l *linear) below(n int32) int32 {
	if n&(n-1) == 0 {
		return int32(int64(n) * int64(l.next(31)) >> 31)
	}
	for {
		r := l.next(31)
		if v := r % n; r-v+(n-1) >= 0 {
			return v
		}
	}
}
