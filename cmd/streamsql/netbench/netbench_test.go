package netbench

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// TestRun measures a little over every transport and both topologies: what was counted must have arrived.
func TestRun(t *testing.T) {
	for _, transport := range []string{"local", "tcp", "tls"} {
		for _, exclusive := range []int{0, 2} {
			for _, wide := range []bool{true, false} {
				c := Config{Channels: 30, Writers: 2, Gates: 2, PerGate: 30, Exclusive: exclusive, Floating: 8, Flush: time.Millisecond,
					Transport: transport, Time: time.Millisecond, Batch: 1024, Records: 20_000, Late: exclusive * 5}
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

// TestRunMap measures a little in every shape: what was counted must have reached the sink.
func TestRunMap(t *testing.T) {
	for _, chained := range []bool{false, true} {
		for _, rebalance := range []bool{false, true} {
			r, err := RunMap(t.Context(), MapConfig{Chained: chained, Rebalance: rebalance, Time: 30 * time.Millisecond, Records: 20_000})
			if err != nil {
				t.Fatal(err)
			}
			tasks := map[[2]bool]int{{false, false}: 3, {false, true}: 4, {true, false}: 1, {true, true}: 2}[[2]bool{chained, rebalance}]
			if r.Tasks != tasks || r.Steady <= 0 || r.CPU <= 0 || r.Job <= 0 || r.JobCPU <= 0 || r.Jobs < iterations || r.RSS <= 0 {
				t.Errorf("chained %t, rebalance %t: %+v", chained, rebalance, r)
			}
		}
	}
}

// TestRunMapCancel: a measurement that is broken off ends with the reason.
func TestRunMapCancel(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := RunMap(ctx, MapConfig{Time: time.Hour, Records: 20_000}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestNumbers: the source goes on behind a position.
func TestNumbers(t *testing.T) {
	c := &connector.Context{MaxRows: 4}
	var position []byte
	var got []int64
	for range 4 {
		r, err := numbers{10}.Open(c, []connector.Split{{Position: position}})
		if err != nil {
			t.Fatal(err)
		}
		x, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if x.Status == connector.Rows {
			got = append(got, vector.Values[int64](x.Batch.Cols[0])...)
		}
		if position, err = r.Position(0); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Error(got)
	}
	if _, err := (numbers{10}).Open(c, []connector.Split{{Position: []byte("?")}}); err == nil {
		t.Error("garbage was taken for a position")
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

func BenchmarkMapSink(b *testing.B) {
	for _, c := range []struct {
		name string
		MapConfig
	}{{"tasks=3", MapConfig{}}, {"chained", MapConfig{Chained: true}}, {"rebalance", MapConfig{Rebalance: true}}} {
		b.Run(c.name, func(b *testing.B) {
			c.Time, c.Records = time.Second, 15_000_000
			for b.Loop() {
				r, err := RunMap(b.Context(), c.MapConfig)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(r.CPU*1000, "CPU-ns/record")
				b.ReportMetric(r.Steady/1000, "M-records/s")
				b.ReportMetric(r.Job/1000, "M-records/s-of-jobs")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func BenchmarkNetwork(b *testing.B) {
	for _, c := range []struct {
		name string
		Config
	}{
		{"tcp/1000/exclusive=2", Config{Channels: 1000, Exclusive: 2, Transport: "tcp"}},
		{"tcp/1000/exclusive=1", Config{Channels: 1000, Exclusive: 1, Transport: "tcp"}},
		{"tcp/1000/exclusive=0", Config{Channels: 1000, Exclusive: 0, Transport: "tcp"}},
		{"tcp/1000/late", Config{Channels: 1000, Exclusive: 2, Transport: "tcp", Late: 10}},
		{"tcp/100", Config{Channels: 100, Exclusive: 2, Transport: "tcp"}},
		{"local/1000", Config{Channels: 1000, Exclusive: 2, Transport: "local"}},
		{"tls/1000", Config{Channels: 1000, Exclusive: 2, Transport: "tls"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.Writers, c.Gates, c.PerGate, c.Floating, c.Flush = 4, 4, c.Channels, 8, 100*time.Millisecond
			c.Time, c.Batch, c.Records = time.Second, 1024, Records
			for b.Loop() {
				r, err := Run(context.Background(), c.Config)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(r.CPU*1000, "CPU-ns/record")
				b.ReportMetric(r.RecordsPerMS/1000, "M-records/s")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
