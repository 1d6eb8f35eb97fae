package exec

import (
	"math"
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	b := backoff{Restart: Restart{Type: ExponentialDelay, Attempts: math.MaxInt, Delay: time.Second, MaxDelay: 10 * time.Second,
		Multiplier: 3, ResetAfter: time.Minute}}
	for i, want := range []time.Duration{1, 3, 9, 10, 10} {
		if d, ok := b.next(0); !ok || d != want*time.Second {
			t.Errorf("%d: %v, %t", i, d, ok)
		}
	}
	if d, ok := b.next(time.Minute); !ok || d != time.Second {
		t.Errorf("after a long run: %v, %t", d, ok)
	}
	b.Jitter = 0.5
	for range 100 {
		if d, ok := b.next(time.Minute); !ok || d < time.Second/2 || d > 3*time.Second/2 {
			t.Fatalf("with jitter: %v, %t", d, ok)
		}
	}
	b = backoff{Restart: Restart{Type: ExponentialDelay, Attempts: 2, Delay: time.Second, MaxDelay: time.Second, Multiplier: 1,
		ResetAfter: time.Minute}}
	for i, want := range []bool{true, true, false} {
		if _, ok := b.next(0); ok != want {
			t.Errorf("%d of 2 attempts: %t", i, ok)
		}
	}
}
