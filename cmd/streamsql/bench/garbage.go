package bench

import (
	"math"
	"runtime/metrics"
)

// collected is what the collection of garbage took in this process so far: its CPU-seconds, and a bound of the
// longest pause in seconds.
func collected() (cpu, longest float64) {
	samples := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(samples)
	if samples[0].Value.Kind() == metrics.KindFloat64 {
		cpu = samples[0].Value.Float64()
	}
	if samples[1].Value.Kind() != metrics.KindFloat64Histogram {
		return cpu, 0
	}
	h := samples[1].Value.Float64Histogram()
	for i, n := range h.Counts {
		if to := h.Buckets[i+1]; n > 0 && !math.IsInf(to, 0) {
			longest = to
		}
	}
	return cpu, longest
}
