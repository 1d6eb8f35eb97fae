package nexmark

// timeline maps event numbers to event time in milliseconds.
type timeline struct {
	base  int64
	delay float64 // microseconds between events
}

func newTimeline(c *Config) timeline {
	return timeline{c.BaseTime, float64(1_000_000.0/float64(c.Rate)) * float64(c.Generators)}
}

// at is the time of number x: whole microseconds first, then whole milliseconds.
func (t timeline) at(x int64) int64 {
	return t.base + int64(float64(x)*t.delay)/1000
}

// fill writes the times of consecutive numbers from x on. Times never fall, so that equal ends mean equal times.
func (t timeline) fill(out []int64, x int64) {
	if len(out) == 0 {
		return
	}
	if first := t.at(x); first == t.at(x+int64(len(out))-1) {
		for i := range out {
			out[i] = first
		}
		return
	}
	for i := range out {
		out[i] = t.base + int64(uint64(float64(x+int64(i))*t.delay)/1000)
	}
}
