package netbench

import (
	"context"
	"testing"
	"time"
)

// TestRun measures a little over every transport and both topologies: what was counted must have arrived.
func TestRun(t *testing.T) {
	for _, transport := range []string{"local", "tcp", "tls"} {
		for _, exclusive := range []int{0, 2} {
			for _, wide := range []bool{true, false} {
				c := Config{Channels: 30, Writers: 2, Gates: 2, PerGate: 30, Exclusive: exclusive, Floating: 8, Flush: time.Millisecond,
					Transport: transport, Time: time.Millisecond, Batch: 1024, Records: 20_000}
				if !wide {
					c.Gates, c.PerGate = 30, 2
				}
				r, err := Run(context.Background(), c)
				if err != nil {
					t.Fatal(transport, err)
				}
				if r.Invocations < iterations || r.RecordsPerMS <= 0 || r.Messages <= 0 || r.CPU <= 0 || r.RSS <= 0 {
					t.Errorf("%s: %+v", transport, r)
				}
			}
		}
	}
}

func TestInterval(t *testing.T) {
	if mean, half := interval([]float64{10, 10, 10, 10, 10, 10, 10, 10, 10, 20}); mean != 11 || half < 4.7 || half > 4.8 {
		t.Errorf("mean %v ± %v", mean, half)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Run(ctx, Config{Channels: 10, Writers: 2, Gates: 2, PerGate: 10, Exclusive: 2, Floating: 8, Flush: time.Second, Transport: "tcp",
		Time: time.Hour, Batch: 1024, Records: 5_000_000})
	if err == nil {
		t.Error("not cancelled")
	}
}
