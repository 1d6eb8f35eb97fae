package state

// Deadlines queue rows by the time at which they are over, those within width milliseconds together. A row is queued
// once and not removed before it is due. Snapshots leave them out: an owner that restores queues its rows anew.
type Deadlines struct {
	width int64
	queue map[int64][]int32 // by slot, but for the one at hand
	order slots             // the slots in queue and the one at hand
	at    int64
	hand  []int32 // of slot at
	spare [][]int32
}

// NewDeadlines makes an empty queue.
func NewDeadlines(width int64) *Deadlines {
	return &Deadlines{width: max(width, 1), queue: map[int64][]int32{}}
}

// Add queues rows, row i until times[i].
func (d *Deadlines) Add(rows []int32, times []int64) {
	times = times[:len(rows)]
	for i, r := range rows {
		if s := floorDiv(times[i], d.width); s != d.at || len(d.order) == 0 {
			d.turn(s)
		}
		d.hand = append(d.hand, r)
	}
}

// turn takes the list of a slot to hand.
func (d *Deadlines) turn(slot int64) {
	if len(d.order) > 0 {
		d.queue[d.at] = d.hand
	}
	list, ok := d.queue[slot]
	if !ok {
		d.order.push(slot)
		if k := len(d.spare) - 1; k >= 0 {
			list, d.spare = d.spare[k], d.spare[:k]
		}
	}
	d.at, d.hand = slot, list
}

// Due takes out the rows whose times are before now, but for those within width of it, and appends them to out.
func (d *Deadlines) Due(now int64, out []int32) []int32 {
	last := floorDiv(now, d.width)
	for len(d.order) > 0 && d.order[0] < last {
		slot := d.order[0]
		if slot != d.at {
			d.turn(slot)
		}
		out = append(out, d.hand...)
		delete(d.queue, slot)
		d.order.pop()
		d.spare = append(d.spare, d.hand[:0])
		d.hand = nil
		if len(d.order) > 0 {
			d.at, d.hand = d.order[0], d.queue[d.order[0]]
		}
	}
	return out
}

// Next is the least now at which rows are due; false when none are queued.
func (d *Deadlines) Next() (now int64, ok bool) {
	if len(d.order) == 0 {
		return 0, false
	}
	return (d.order[0] + 1) * d.width, true
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
