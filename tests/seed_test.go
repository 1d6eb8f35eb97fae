package tests

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"
)

var (
	soak = flag.Bool("soak", false, "run all that a seed chooses from otherwise")
	seed = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of what is chosen at random")
)

// sampled tells of each of many ways whether it is tried: all are, and with -short the
// first and one in n, by the seed of the test.
func sampled(t *testing.T, test uint64, n int) func() bool {
	t.Helper()
	r, first := seeded(t, test), true
	return func() bool {
		tried := first || !testing.Short() || r.IntN(n) == 0
		first = false
		return tried
	}
}

// seeded is the randomness of one test, which -args -seed brings back.
func seeded(t *testing.T, test uint64) *rand.Rand {
	t.Helper()
	t.Logf("-args -seed %d", *seed)
	return rand.New(rand.NewPCG(*seed, test))
}
