package op

import (
	"streamsql/exec/types"
)

// splitMark is the watermark of one split: the greatest so far, and the last one that counted towards what is passed
// on, which is types.MaxTime once the split has ended.
type splitMark struct {
	running, passed         int64
	runningName, passedName string // in the state
}

// passedTime is the name of what was passed on.
const passedTime = "passed"

// openSplits takes up the watermarks of splits. Rows that come from no source in particular are all of one.
func (w *watermark) openSplits(names []string) {
	if names == nil {
		names = []string{""}
	}
	own := map[string]bool{passedTime: true}
	for _, id := range names {
		s := splitMark{runningName: "running " + id, passedName: passedTime + " " + id}
		s.running = w.store.Time(s.runningName, int64(types.MinTime))
		s.passed = w.store.Time(s.passedName, int64(types.MinTime))
		own[s.runningName], own[s.passedName] = true, true
		w.splits = append(w.splits, s)
	}
	// What other subtasks read they keep themselves.
	w.store.DropTimes(func(name string) bool { return !own[name] })
}

// pass passes the least watermark on, if it moved.
func (w *watermark) pass(out Output) error {
	least := int64(types.MaxTime)
	for i := range w.splits {
		least = min(least, w.splits[i].passed)
	}
	if least <= w.passed || least == int64(types.MaxTime) {
		return nil
	}
	w.passed = least
	w.store.SetTime(passedTime, least)
	return out.Advance(types.EventTime(least))
}

// Split implements Divided.
func (w *watermark) Split(i int) { w.at = i }

// EndSplit implements Divided.
func (w *watermark) EndSplit(i int, out Output) error {
	s := &w.splits[i]
	s.passed = int64(types.MaxTime)
	w.store.SetTime(s.passedName, s.passed)
	return w.pass(out)
}
