package main

import (
	"math"
	"runtime/debug"
	"testing"
)

// TestTuneMemory: garbage may be four times of what is in use, unless the environment says otherwise.
func TestTuneMemory(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	defer func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }()
	for _, c := range []struct {
		percent, limit string
		want           int
	}{{"", "", garbagePercent}, {"100", "1GiB", 100}} {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
		t.Setenv("GOGC", c.percent)
		t.Setenv("GOMEMLIMIT", c.limit)
		tuneMemory()
		if got := debug.SetGCPercent(100); got != c.want {
			t.Errorf("GOGC=%q: %d percent", c.percent, got)
		}
		if set := debug.SetMemoryLimit(-1) != math.MaxInt64; set != (c.limit == "" && memory() < math.MaxInt64) {
			t.Errorf("GOMEMLIMIT=%q: a limit was set: %t", c.limit, set)
		}
	}
}

func TestTotalOf(t *testing.T) {
	for text, want := range map[string]int64{
		"MemTotal:       16316412 kB\nMemFree: 1 kB\n": 16316412 << 10, "MemFree: 1 kB\n": math.MaxInt64, "": math.MaxInt64,
		"MemTotal: x kB\n": math.MaxInt64, "MemTotal: 0 kB\n": math.MaxInt64} {
		if got := totalOf(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
