package op

import (
	"fmt"
	"time"

	"streamsql/exec/types"
)

// MiniBatch says how long an operator that updates its rows folds their changes before it gives them: a row that changed
// often meanwhile is given once, as it is then. What comes before a barrier and the end of input is not held back.
type MiniBatch struct {
	// Latency is the time that changes are held for at most, by the clock; 0 holds nothing.
	Latency time.Duration
	// Rows are those of the input after which changes are given however little time has passed; 0 is any number.
	Rows int
	// Pause is how many times as long as giving changes took last it waits until it gives some again, so that one part in
	// that many of its time goes into that; Latency may be exceeded then. 0 does not wait.
	Pause int
}

// text is the part of a spec's text, empty where nothing is held.
func (m MiniBatch) text() string {
	switch {
	case m.Latency == 0:
		return ""
	case m.Rows == 0:
		return fmt.Sprintf(", mini-batch=[%v]", m.Latency)
	}
	return fmt.Sprintf(", mini-batch=[%v, %d rows]", m.Latency, m.Rows)
}

// holding is when the changes are due that an operator holds.
type holding struct {
	MiniBatch
	came int
	// due is types.MaxTime while nothing is held, and 0 while the time of the first row is not known.
	due types.EventTime
	// gave is when changes were given last, while it is not known how long that took; rest is until when there is a pause.
	gave, rest types.EventTime
}

func (h *holding) open(m MiniBatch) { h.MiniBatch, h.due = m, types.MaxTime }

// hold counts rows, and tells that it is time to give changes.
func (h *holding) hold(rows int) bool {
	if h.due == types.MaxTime {
		h.due = 0
	}
	h.came += rows
	return h.Rows > 0 && h.came >= h.Rows
}

// given says that nothing is held any more.
func (h *holding) given() { h.came, h.due = 0, types.MaxTime }

// NextTick implements Clocked.
func (h *holding) NextTick() types.EventTime {
	if h.gave > 0 {
		return 0
	}
	return h.due
}

// ticked tells at a time of the clock that it is time to give changes.
func (h *holding) ticked(now types.EventTime) bool {
	if h.gave > 0 {
		h.rest, h.gave = now+types.EventTime(h.Pause)*(now-h.gave), 0
	}
	switch h.due {
	case types.MaxTime:
		return false
	case 0:
		h.due = max(now+types.EventTime(h.Latency.Milliseconds()), h.rest)
		return false
	}
	if now < h.due {
		return false
	}
	if h.Pause > 0 {
		h.gave = now
	}
	return true
}
