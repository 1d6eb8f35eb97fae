package op

import "streamsql/exec/types"

// Waiting is an operator that holds results back until event time, or the clock, has come to a point: windows, sessions.
type Waiting interface {
	// WaitsFor is the point that the next of them waits for; false when there is none.
	WaitsFor() (types.EventTime, bool)
}

// WaitsFor implements Waiting.
func (o *windowAggregate) WaitsFor() (types.EventTime, bool) {
	if len(o.slices) == 0 {
		return 0, false
	}
	return types.EventTime(o.axis.instant(o.slices[0].end)), true
}

// WaitsFor implements Waiting.
func (o *windowJoin) WaitsFor() (types.EventTime, bool) {
	if len(o.windows) == 0 {
		return 0, false
	}
	return types.EventTime(o.axis.instant(o.windows[0].end)), true
}

// WaitsFor implements Waiting.
func (o *sessionAggregate) WaitsFor() (types.EventTime, bool) { return o.sessions.waitsFor() }

// WaitsFor implements Waiting.
func (o *sessionTable) WaitsFor() (types.EventTime, bool) { return o.sessions.waitsFor() }

func (s *sessions) waitsFor() (types.EventTime, bool) {
	if s.timers == nil {
		return 0, false
	}
	t, ok := s.timers.Next()
	return types.EventTime(t), ok
}
