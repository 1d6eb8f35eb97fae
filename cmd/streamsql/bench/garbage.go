package bench

import (
	"math"
	"runtime"
	"runtime/metrics"
)

// garbage is what collecting it took of the time that this process ran, and a bound of the longest pause in seconds.
// Marking on cores that had nothing else to do is apart.
type garbage struct{ share, idle, longest float64 }

// The metrics that tell it, in CPU-seconds but for pauses. All are time of the clock on a core: where other processes
// hold the cores up, they hold up all of them alike, so that shares stay and pauses grow.
const (
	classGC = iota
	classGCIdle
	classTotal
	classIdle
	pauses
)

// collected reads the time since the process began. It collects once, which is not counted: the classes are of the
// last collection, which may be long ago.
func collected() garbage {
	samples := []metrics.Sample{classGC: {Name: "/cpu/classes/gc/total:cpu-seconds"},
		classGCIdle: {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"}, classTotal: {Name: "/cpu/classes/total:cpu-seconds"},
		classIdle: {Name: "/cpu/classes/idle:cpu-seconds"}, pauses: {Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(samples)
	all, idle, g := seconds(&samples[classGC]), seconds(&samples[classGCIdle]), garbage{longest: longest(&samples[pauses])}
	runtime.GC()
	metrics.Read(samples)
	ran := seconds(&samples[classTotal]) - seconds(&samples[classIdle]) - (seconds(&samples[classGC]) - all)
	if ran > 0 {
		g.share, g.idle = (all-idle)/ran, idle/ran
	}
	return g
}

func seconds(s *metrics.Sample) float64 {
	if s.Value.Kind() != metrics.KindFloat64 {
		return 0
	}
	return s.Value.Float64()
}

// longest is the upper end of the last class of a histogram that counts any, or the lower where that has none.
func longest(s *metrics.Sample) (at float64) {
	if s.Value.Kind() != metrics.KindFloat64Histogram {
		return 0
	}
	h := s.Value.Float64Histogram()
	for i, n := range h.Counts {
		if n == 0 {
			continue
		}
		if at = h.Buckets[i+1]; math.IsInf(at, 0) {
			at = h.Buckets[i]
		}
	}
	return at
}
