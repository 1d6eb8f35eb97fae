package state_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"streamsql/exec/state"
)

// TestDeadlines: rows come out once their time is before now, no later than width behind it, and once.
func TestDeadlines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := state.NewDeadlines(16)
	times := map[int32]int64{}
	row := int32(0)
	for now := int64(-1000); now < 3000; now += int64(r.IntN(40)) {
		var rows []int32
		var at []int64
		for range r.IntN(20) {
			v := now + int64(r.IntN(400)) - 100
			switch r.IntN(20) {
			case 0:
				v = math.MinInt64
			case 1:
				v = math.MaxInt64
			}
			rows, at = append(rows, row), append(at, v)
			times[row] = v
			row++
		}
		d.Add(rows, at)
		for _, v := range d.Due(now, nil) {
			due, ok := times[v]
			if !ok || due >= now {
				t.Fatalf("at %d row %d came out, whose time is %d (%v)", now, v, due, ok)
			}
			delete(times, v)
		}
		for v, due := range times {
			if due < now-16 {
				t.Fatalf("at %d row %d is still there, whose time is %d", now, v, due)
			}
		}
	}
	left := d.Due(math.MaxInt64, nil)
	for v, due := range times {
		if due != math.MaxInt64 && !slices.Contains(left, v) {
			t.Errorf("row %d, whose time is %d, never came out", v, due)
		}
	}
}
