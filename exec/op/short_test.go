package op_test

import (
	"math/rand/v2"
	"testing"
)

// atMost is how many rows, seeds or rounds a test takes: fewer with -short, as the -race pass runs it.
func atMost(all, short int) int {
	if testing.Short() {
		return short
	}
	return all
}

// seeds are those of a test's random inputs: all below n, or with -short a random third of them. A test names the
// one that it fails with.
func seeds(t *testing.T, n int) []uint64 {
	t.Helper()
	var list []uint64
	for _, i := range rand.Perm(n)[:atMost(n, (n+2)/3)] {
		list = append(list, uint64(i))
	}
	return list
}
