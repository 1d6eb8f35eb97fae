package nexmark

import "testing"

// TestRatio compares the questions of a ratio with the plain draw, where that one does not draw again.
func TestRatio(t *testing.T) {
	for _, n := range []int32{1, 2, 3, 4, 5, 6, 7, 10, 30, 64, 97, 100, 4095, 4096, 1<<20 + 1, 1 << 30, 3 << 29, 1<<31 - 1} {
		q := newRatio(n)
		for i := range uint64(20_000) {
			// Draws at multiples of the ratio, next to them, at both ends and anywhere.
			near := i * 2 * uint64(n)
			for _, draw := range []uint64{near / 2, near - 1, near + 1, near + 2, 1<<32 - 1 - i, i * gamma >> 32} {
				draw &= 1<<32 - 1
				want := draw>>1%uint64(n) == 0
				if n&(n-1) == 0 {
					want = draw%uint64(n) == 0
					if got := masked(draw<<32|i, q.mask); got != all(want) {
						t.Fatalf("draw %d below %d: masked %x", draw, n, got)
					}
				}
				if got := cold(draw<<32|i, q.factor, q.limit); got != all(want) {
					t.Fatalf("draw %d below %d: cold %x", draw, n, got)
				}
			}
		}
		if want := uint32(1 << 31 % int64(n)); q.rejected != want {
			t.Errorf("%d rejects %d, want %d", n, q.rejected, want)
		}
	}
}

func all(b bool) uint64 {
	if b {
		return ^uint64(0)
	}
	return 0
}
