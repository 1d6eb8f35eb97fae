package exec

import "streamsql/exec/types"

// joined is the event time of a node with several inputs: the least of those that count. Idle inputs do not
// count, and one that turns active counts again once it has reached what was passed on; an ended input is at
// MaxTime and holds nothing back.
type joined struct {
	inputs []inputTime
	at     types.EventTime
	idle   bool // all inputs are
}

type inputTime struct {
	at           types.EventTime
	idle, behind bool
}

func newJoined(inputs int) joined {
	j := joined{inputs: make([]inputTime, inputs), at: types.MinTime}
	for i := range j.inputs {
		j.inputs[i].at = types.MinTime
	}
	return j
}

// advance takes the watermark of an input. It tells whether the least moved.
func (j *joined) advance(input int, t types.EventTime) (moved bool) {
	in := &j.inputs[input]
	in.at = max(in.at, t)
	in.behind = in.behind && in.at < j.at
	return j.settle()
}

func (j *joined) settle() (moved bool) {
	least, some := types.MaxTime, false
	for i := range j.inputs {
		if in := &j.inputs[i]; !in.idle && !in.behind {
			least, some = min(least, in.at), true
		}
	}
	if !some || least <= j.at {
		return false
	}
	j.at = least
	return true
}

// rest makes an input idle. When all are, what the furthest of them reached counts first.
func (j *joined) rest(input int) (moved, idle bool) {
	in := &j.inputs[input]
	if in.idle {
		return false, false
	}
	in.idle, in.behind = true, false
	furthest := types.MinTime
	for i := range j.inputs {
		if !j.inputs[i].idle {
			return j.settle(), false
		}
		furthest = max(furthest, j.inputs[i].at)
	}
	moved, j.idle = furthest > j.at, true
	j.at = max(j.at, furthest)
	return moved, true
}

// wake ends the idleness of an input. It tells whether that ends the node's.
func (j *joined) wake(input int) (active bool) {
	in := &j.inputs[input]
	if !in.idle {
		return false
	}
	in.idle, in.behind = false, in.at < j.at
	active, j.idle = j.idle, false
	return active
}
