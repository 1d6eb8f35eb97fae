package exec

import "streamsql/exec/types"

// joined is the event time of a node with several inputs: the least of those that count. Idle inputs do not
// count, and one that turns active counts again once it has reached what was passed on; an ended input is at
// MaxTime and holds nothing back.
type joined struct {
	inputs []inputTime
	at     types.EventTime
	idle   bool // all inputs are that have not ended
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

// advance takes the watermark of an input. It tells whether the least moved, and whether nothing is left now but idle inputs.
func (j *joined) advance(input int, t types.EventTime) (moved, idle bool) {
	in := &j.inputs[input]
	in.at = max(in.at, t)
	in.behind = in.behind && in.at < j.at
	return j.settle()
}

// rest makes an input idle.
func (j *joined) rest(input int) (moved, idle bool) {
	in := &j.inputs[input]
	if in.idle {
		return false, false
	}
	in.idle, in.behind = true, false
	return j.settle()
}

// settle moves to the least of the inputs that count. When all that have not ended are idle, what the furthest of them
// reached counts; the end of the others does not, as idle ones may go on.
func (j *joined) settle() (moved, idle bool) {
	least, furthest := types.MaxTime, types.MinTime
	var active, counting, resting int
	for i := range j.inputs {
		switch in := &j.inputs[i]; {
		case in.at == types.MaxTime:
		case in.idle:
			resting++
			furthest = max(furthest, in.at)
		case in.behind:
			active++
		default:
			active++
			counting++
			least = min(least, in.at)
		}
	}
	to := least
	switch {
	case active == 0 && resting > 0:
		idle = !j.idle
		j.idle = true
		to = furthest
	case active > 0 && counting == 0:
		return false, false
	}
	moved = to > j.at
	j.at = max(j.at, to)
	return moved, idle
}

// wake ends the idleness of an input. It tells whether that ends the node's.
func (j *joined) wake(input int) (active bool) {
	in := &j.inputs[input]
	if !in.idle || in.at == types.MaxTime {
		return false
	}
	in.idle, in.behind = false, in.at < j.at
	active, j.idle = j.idle, false
	return active
}
