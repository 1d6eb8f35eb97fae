package main

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// clockWindows are windows by the clock, and in how many of those that are size long each row is; 0 is any length.
var clockWindows = []struct {
	window string
	size   time.Duration
	times  int64
}{
	{"TUMBLE(TABLE keyed, DESCRIPTOR(p), INTERVAL '0.05' SECOND)", 50 * time.Millisecond, 1},
	{"HOP(TABLE keyed, DESCRIPTOR(p), INTERVAL '0.03' SECOND, INTERVAL '0.12' SECOND)", 120 * time.Millisecond, 4},
	{"CUMULATE(TABLE keyed, DESCRIPTOR(p), INTERVAL '0.03' SECOND, INTERVAL '0.15' SECOND)", 150 * time.Millisecond, 1},
	{"SESSION(TABLE keyed PARTITION BY k7, DESCRIPTOR(p), INTERVAL '0.005' SECOND)", 0, 1},
}

// TestRescaledClockWindows: whenever a row comes and however often the job goes on at another parallelism, it counts in
// each window by the clock that it came in, and no window of a key is given twice (but sessions, where a row comes later
// than the gap). Those that ended while no process
// ran are given by the next one.
func TestRescaledClockWindows(t *testing.T) {
	t.Logf("-args -seed %d", *soakSeed)
	r := rand.New(rand.NewPCG(*soakSeed, 5))
	windows := clockWindows
	if testing.Short() && !*soak {
		at := r.IntN(len(windows))
		windows = windows[at : at+1]
	}
	for _, w := range windows {
		got := windowFiles(t, w.window, 1000, upAndDown, r)
		given := parseWindows(t, got.lines)
		var count, sum int64
		for i, g := range given {
			if w.size == 0 || g.end.Sub(g.start) == w.size {
				count, sum = count+g.count, sum+g.sum
			}
			if w.size == 0 || i == 0 || given[i-1].key != g.key || given[i-1].start != g.start {
				continue
			}
			// Of windows that begin together the later ones hold the rows of the earlier ones.
			if was := given[i-1]; was.end.Equal(g.end) || was.count > g.count || was.sum > g.sum {
				t.Errorf("%s: key %s from %v: %+v, then %+v", w.window, g.key, g.start, was, g)
			}
		}
		const rows = 12000
		if want := w.times * rows * (rows - 1) / 2; count != w.times*rows || sum != want || got.restored == 0 {
			t.Errorf("%s, restored %d times: %d rows with the sum %d, want %d and %d", w.window, got.restored, count, sum,
				w.times*rows, want)
		}
	}
}

// givenWindow is a line of the script's files.
type givenWindow struct {
	key        string
	start, end time.Time
	count, sum int64
}

// parseWindows reads the lines, sorted by key, start and end.
func parseWindows(t *testing.T, lines []string) []givenWindow {
	t.Helper()
	out := make([]givenWindow, len(lines))
	for i, l := range lines {
		var err [4]error
		f, g := strings.Split(l, ","), &out[i]
		if len(f) != 5 {
			t.Fatal(l)
		}
		g.key = f[0]
		g.start, err[0] = time.Parse("2006-01-02_15:04:05.999", strings.Trim(f[1], `"`))
		g.end, err[1] = time.Parse("2006-01-02_15:04:05.999", strings.Trim(f[2], `"`))
		g.count, err[2] = strconv.ParseInt(f[3], 10, 64)
		g.sum, err[3] = strconv.ParseInt(f[4], 10, 64)
		for _, e := range err {
			if e != nil {
				t.Fatal(l, e)
			}
		}
	}
	slices.SortFunc(out, func(a, b givenWindow) int {
		if c := strings.Compare(a.key, b.key); c != 0 {
			return c
		}
		if c := a.start.Compare(b.start); c != 0 {
			return c
		}
		return a.end.Compare(b.end)
	})
	return out
}
