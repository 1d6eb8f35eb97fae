package network

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Send writes a batch, which is lent for the call.
func (w *Writer) Send(b *vector.Batch) error {
	if b.Len == 0 {
		return nil
	}
	if err := w.enter(); err != nil {
		return err
	}
	w.rows.Add(int64(b.Len))
	err := w.send(b)
	w.hasMark, w.late = false, w.late[:0]
	if err == nil {
		w.touched()
	}
	return w.leave(err)
}

func (w *Writer) send(b *vector.Batch) error {
	p := w.spec.Partitioner
	if _, all := p.(everywhere); all {
		return w.sendAll(b)
	}
	if _, one := p.(single); one || len(w.channels) == 1 {
		w.load(b, nil)
		return w.sendTo(w.channels[0], 0, b.Len)
	}
	w.to = grow(w.to, b.Len)
	p.assign(w.to, b, len(w.channels))
	if w.stage != nil && b.Kinds == nil && (!w.hasMark || len(w.late) > 0 && w.stage.marks != nil) {
		w.sheet.load(b, nil)
		if w.stage.takes(w.sheet) {
			for _, i := range w.late {
				w.stage.marks.add(w.to[i], w.stage.fill[w.to[i]], w.pending)
			}
			return w.scatter(b.Len)
		}
	}
	if err := w.cut(); err != nil {
		return err
	}
	if b.Len*8 < len(w.channels) {
		w.load(b, nil)
		for i, c := range w.to {
			if err := w.sendTo(w.channels[c], i, 1); err != nil {
				return err
			}
		}
		return nil
	}
	if together(w.to) {
		w.load(b, nil)
		return w.sendTo(w.channels[w.to[0]], 0, b.Len)
	}
	w.group(b.Len)
	w.load(b, w.order)
	from := int32(0)
	for i, to := range w.ends[:len(w.channels)] {
		if to > from {
			if err := w.sendTo(w.channels[i], int(from), int(to-from)); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

func (w *Writer) sendAll(b *vector.Batch) error {
	w.load(b, nil)
	for _, c := range w.channels {
		if err := w.sendTo(c, 0, b.Len); err != nil {
			return err
		}
	}
	return nil
}

// Broadcast writes a batch to every channel, whatever the partitioner.
func (w *Writer) Broadcast(b *vector.Batch) error {
	if err := w.enter(); err != nil {
		return err
	}
	w.rows.Add(int64(b.Len))
	err := w.sendAll(b)
	w.hasMark, w.late = false, w.late[:0]
	if err == nil {
		w.touched()
	}
	return w.leave(err)
}

// load prepares the sheet and follows how much text rows have.
func (w *Writer) load(b *vector.Batch, order []int32) {
	w.sheet.load(b, order)
	if !w.layout.texts {
		return
	}
	mean := (w.sheet.long/w.sheet.rows + 7) &^ 7
	w.textBytes = max(mean, (w.textBytes*7+mean)/8&^7)
}

// sendTo sends rows of the sheet to one channel, behind the pending watermark.
func (w *Writer) sendTo(c *outChannel, from, n int) error {
	if err := w.settle(c); err != nil {
		return err
	}
	if w.hasMark {
		if err := w.mark(c, watermarkMark, w.pending); err != nil {
			return err
		}
	}
	return w.push(c, w.sheet, from, n, nil, true)
}

// scatter sends the rows of the sheet through the stage.
func (w *Writer) scatter(n int) error {
	for from := 0; from < n; {
		taken, full := w.stage.add(w.sheet, w.to, from)
		for _, c := range full {
			if err := w.empty(c, true); err != nil {
				return err
			}
		}
		from += taken
	}
	return nil
}

// group sorts rows by channel, keeping their order: order has the rows, ends where each channel's end.
func (w *Writer) group(n int) {
	w.order = grow(w.order, 2*n+1)[:n]
	ends := w.ends
	clear(ends)
	if len(w.channels) == 2 {
		ends[0], ends[1] = halve(w.order[:2*n], w.to), int32(n)
		return
	}
	if len(w.channels) <= fewChannels {
		enlist(w.order[:n+1], ends[:len(w.channels)], w.to)
		return
	}
	for _, c := range w.to {
		ends[c+1]++
	}
	for i := 1; i < len(ends); i++ {
		ends[i] += ends[i-1]
	}
	order := w.order
	for i, c := range w.to {
		order[ends[c]] = int32(i)
		ends[c]++
	}
}

// fewChannels is up to how many channels rows are grouped in a pass for each: what they are counted in would be read right
// after it was written.
const fewChannels = 3

// together tells that all rows have one channel.
func together(to []int32) bool {
	for _, c := range to {
		if c != to[0] {
			return false
		}
	}
	return true
}

// halve lists the rows of channel 0, then those of channel 1, and returns the number of the first. order has room for twice
// as many rows: each row is written for both channels, and stays for its own.
func halve(order, to []int32) int32 {
	n := len(to)
	first, second := order[:n], order[n:2*n]
	a, b := 0, 0
	for i, c := range to {
		first[a], second[b] = int32(i), int32(i)
		b += int(c)
		a = i + 1 - b
	}
	copy(first[a:], second[:b])
	return int32(a)
}

// enlist lists the rows of each channel. order has room for one row more than there are.
func enlist(order, ends, to []int32) {
	at := 0
	for c := range ends {
		for i, t := range to {
			order[at] = int32(i)
			next := at + 1
			if t == int32(c) {
				at = next
			}
		}
		ends[c] = int32(at)
	}
}

func grow(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n, 2*n)
	}
	return s[:n]
}

// all does something with every channel, behind its staged rows.
func (w *Writer) all(do func(*outChannel) error) error {
	if err := w.enter(); err != nil {
		return err
	}
	var err error
	for _, c := range w.channels {
		if err = w.settle(c); err != nil {
			break
		}
		if err = do(c); err != nil {
			break
		}
	}
	return w.leave(err)
}

// Watermark sends a watermark to all channels, behind the rows sent so far. It leaves with them.
func (w *Writer) Watermark(t types.EventTime) error { return w.markAll(watermarkMark, t) }

// Idle tells all channels that nothing is to be expected for a while.
func (w *Writer) Idle() error { return w.markAll(idleMark, 0) }

// Active ends Idle.
func (w *Writer) Active() error { return w.markAll(activeMark, 0) }

func (w *Writer) markAll(kind markKind, t types.EventTime) error {
	return w.all(func(c *outChannel) error {
		w.touched()
		return w.mark(c, kind, t)
	})
}

// Cut says that the rows of the next Send stand behind watermark t, which not all channels got: a channel that
// gets some of them gets the watermark first. Where the positions of the late rows are given, only their channels
// do. It makes late rows late without a watermark to every channel.
func (w *Writer) Cut(t types.EventTime, late ...int32) {
	w.pending, w.hasMark = t, true
	w.late = append(w.late[:0], late...)
}

// cut puts the pending watermark before the rows that are late.
func (w *Writer) cut() error {
	if len(w.late) == 0 {
		return nil
	}
	for _, i := range w.late {
		c := w.channels[w.to[i]]
		if err := w.settle(c); err != nil {
			return err
		}
		if err := w.mark(c, watermarkMark, w.pending); err != nil {
			return err
		}
	}
	w.hasMark = false
	return nil
}

// Barrier sends the barrier of a checkpoint, begun at a time in milliseconds, to all channels. Open buffers
// leave before it.
func (w *Writer) Barrier(id uint64, since int64) error {
	return w.event(&event{kind: barrierEvent, barrier: id, since: since})
}

// EndOfData tells consumers that no rows or watermarks will follow; barriers may. drained says that all input
// was read, as opposed to stopped. Consumers acknowledge it when they have processed everything.
func (w *Writer) EndOfData(drained bool) error {
	return w.event(&event{kind: endOfDataEvent, drained: drained})
}

// End sends the last element. The writer lives on until all consumers took it.
func (w *Writer) End() error { return w.event(&event{kind: endOfPartitionEvent}) }

func (w *Writer) event(e *event) error {
	return w.all(func(c *outChannel) error {
		if c.put(parcel{event: e}) {
			c.notify()
		}
		return nil
	})
}
