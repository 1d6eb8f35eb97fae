package state_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// BenchmarkLookup is the time per row of a lookup with one count, over keys that are there.
func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 10_000_000} {
		b.Run(fmt.Sprintf("random of %d", n), func(b *testing.B) {
			lookups(b, n, func(r *rand.Rand) int64 { return int64(r.IntN(n)) * 0x9E3779B97F4A7C1 })
		})
	}
	b.Run("clustered", func(b *testing.B) {
		front := int64(0)
		lookups(b, 0, func(r *rand.Rand) int64 {
			front++
			return max(0, front*6/92-r.Int64N(100))
		})
	})
}

func lookups(b *testing.B, keys int, next func(r *rand.Rand) int64) {
	big := types.Of(types.BigInt)
	tab := state.NewStore(state.Options{}).Keyed("rows", nil, []types.Type{big})
	n := state.NewPages[int64](tab)
	r := rand.New(rand.NewPCG(1, 2))
	row := make([]int64, 1024)
	count := func() {
		groups := tab.Lookup([]*vector.Column{vector.OfSlice(big, row)}, len(row))
		tab.Own(groups)
		pages := n.All()
		for _, g := range groups {
			pages[g>>state.PageShift][g&state.PageMask]++
		}
	}
	for i := 0; i < keys; i += len(row) {
		for k := range row {
			row[k] = int64(min(i+k, keys-1)) * 0x9E3779B97F4A7C1
		}
		count()
	}
	made := make([]int64, 1<<20)
	for i := range made {
		made[i] = next(r)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := cpu()
	b.ResetTimer()
	for i := range b.N {
		row = made[i*1024&(1<<20-1):][:1024]
		count()
	}
	b.ReportMetric(float64(cpu()-used)/float64(b.N*1024), "cpu-ns/row")
}

// cpu is the time that the thread has run: machines that run tests do other work too.
func cpu() int64 {
	var u syscall.Rusage
	const thread = 1
	if err := syscall.Getrusage(thread, &u); err != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkPause grows a table to many keys and then freezes it while it is written on: it reports the longest
// batch of 1024 rows while growing, the freeze, and the longest batch while the snapshot is written, in
// milliseconds of the thread's time.
func BenchmarkPause(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const keys = 10_000_000
	for range b.N {
		big := types.Of(types.BigInt)
		s := state.NewStore(state.Options{})
		tab := s.Keyed("rows", nil, []types.Type{big})
		var cols []*state.Pages[int64]
		for range 12 {
			cols = append(cols, state.NewPages[int64](tab))
		}
		row := make([]int64, 1024)
		batch := func(from int) float64 {
			for k := range row {
				row[k] = int64((from+k)%keys) * 0x9E3779B97F4A7C1
			}
			began := cpu()
			groups := tab.Lookup([]*vector.Column{vector.OfSlice(big, row)}, len(row))
			tab.Own(groups)
			for _, c := range cols {
				pages := c.All()
				for _, g := range groups {
					pages[g>>state.PageShift][g&state.PageMask]++
				}
			}
			return float64(cpu()-began) / 1e6
		}
		growing, writing := 0.0, 0.0
		for i := 0; i < keys; i += len(row) {
			growing = max(growing, batch(i))
		}
		began := cpu()
		snapshot := s.Freeze(true)
		freeze := float64(cpu()-began) / 1e6
		done := make(chan error, 1)
		go func() { done <- snapshot.Write(io.Discard) }()
		for i := 0; ; i += 7919 * len(row) {
			writing = max(writing, batch(i))
			select {
			case err := <-done:
				if err != nil {
					b.Fatal(err)
				}
			default:
				continue
			}
			break
		}
		b.ReportMetric(float64(s.Bytes())/1e6, "MB")
		b.ReportMetric(growing, "grow-ms")
		b.ReportMetric(freeze, "freeze-ms")
		b.ReportMetric(writing, "write-ms")
	}
}
