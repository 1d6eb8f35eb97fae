package function

import (
	"math"
	"math/rand/v2"
	"testing"

	"streamsql/exec/kernel"
)

// TestPatternsNeverPanic prints and reads by random patterns, times at the ends of int64 among them, and
// reads back what it printed.
func TestPatternsNeverPanic(t *testing.T) {
	const letters = "GuyDMLdgQqYwWEecFaBhKkHmsSAnNVvzOXxZp[]'{-: é日Tb"
	r := rand.New(rand.NewPCG(7, 7))
	symbols := []rune(letters)
	times := []int64{0, -1, math.MinInt64, math.MaxInt64, 1709210096789, math.MinInt32}
	utc := newZoneClock(nil)
	for range 20_000 {
		var pattern []rune
		for range 1 + r.IntN(8) {
			c := symbols[r.IntN(len(symbols))]
			for range 1 + r.IntN(4) {
				pattern = append(pattern, c)
			}
		}
		ms := times[r.IntN(len(times))]
		if r.IntN(2) == 0 {
			ms = r.Int64()
		}
		var c wallClock
		if p, err := compilePattern(string(pattern)); err == nil {
			day, rest := kernel.SplitDay(ms, kernel.MilliDay)
			c.set(day, rest*1e6)
			if b, err := p.append(nil, &c); err == nil && p.readable() == nil {
				p.read(b)
				p.read(b[:r.IntN(len(b)+1)])
			}
		}
		if p, err := compileLegacy(string(pattern)); err == nil {
			c.setInstant(utc, ms/1000)
			b := p.append(nil, &c)
			if p.readable() == nil {
				p.read(b, 1946)
				p.read(b[r.IntN(len(b)+1):], 1946)
			}
		}
		readLoosely([]byte(string(pattern)))
	}
}
