package network

import "streamsql/exec/types"

// stageMarks are the watermarks that stand before staged rows: for each channel a chain, in order. A late row so
// costs no visit to its channel.
type stageMarks struct {
	first, last []int32 // of each channel, -1 for none
	links       []stageMark
	free        int32
	chain       []mark // scratch
}

type stageMark struct {
	at   types.EventTime
	slot int32 // it stands before this slot of its channel
	next int32
}

func newStageMarks(channels int) *stageMarks {
	m := &stageMarks{first: make([]int32, channels), last: make([]int32, channels), free: -1}
	for i := range m.first {
		m.first[i] = -1
	}
	return m
}

// add puts a watermark before the next row of a channel.
func (m *stageMarks) add(channel, slot int32, at types.EventTime) {
	last := m.last[channel]
	if m.first[channel] >= 0 && m.links[last].slot == slot {
		m.links[last].at = at
		return
	}
	i := m.free
	if i >= 0 {
		m.free = m.links[i].next
	} else {
		i = int32(len(m.links))
		m.links = append(m.links, stageMark{})
	}
	m.links[i] = stageMark{at: at, slot: slot, next: -1}
	if m.first[channel] < 0 {
		m.first[channel] = i
	} else {
		m.links[last].next = i
	}
	m.last[channel] = i
}

// of are the marks of a channel, lent until the next call.
func (m *stageMarks) of(channel int32) []mark {
	m.chain = m.chain[:0]
	for i := m.first[channel]; i >= 0; i = m.links[i].next {
		m.chain = append(m.chain, mark{row: int(m.links[i].slot), kind: watermarkMark, at: m.links[i].at})
	}
	return m.chain
}

// clear forgets the marks of a channel.
func (m *stageMarks) clear(channel int32) {
	m.links[m.last[channel]].next = m.free
	m.free = m.first[channel]
	m.first[channel] = -1
}

// fitsMarked tells whether rows without texts and marks fit behind what b holds.
func (l *layout) fitsMarked(b *buffer, rows, marks int) bool {
	n, k := b.rows+rows, len(b.marks)+marks
	return n <= b.place.rows && (k <= spareMarks || l.head+l.size(n)+b.heap+markSize*k <= len(b.mem))
}

// appendMarked copies rows and the marks between them into the open buffer, or into spare, an empty one which it then
// opens. done is false when there is no buffer with room.
func (c *outChannel) appendMarked(l *layout, s *sheet, from, n int, marks []mark, spare *buffer) (done, used, wake bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return true, false, false
	}
	if c.open != nil && !l.fitsMarked(c.open, n, len(marks)) {
		wake = c.finish()
	}
	if c.open == nil {
		if spare == nil {
			return false, false, wake
		}
		c.open, used = spare, true
	}
	b := c.open
	for _, m := range marks {
		m.row += b.rows
		if k := len(b.marks) - 1; k >= 0 && b.marks[k].kind == watermarkMark && b.marks[k].row == m.row {
			b.marks[k].at = m.at
			continue
		}
		b.marks = append(b.marks, m)
	}
	l.fill(b, s, from, n)
	if b.rows == b.place.rows {
		wake = c.finish() || wake
	}
	return true, used, wake
}

// emptyMarked is empty for a channel with marks between its staged rows.
func (w *Writer) emptyMarked(channel int32, block bool) error {
	s, c := w.stage, w.channels[channel]
	var spare *buffer
	for {
		done, used, wake := c.appendMarked(w.layout, &s.sheet, int(channel)*s.slots, int(s.fill[channel]), s.marks.of(channel), spare)
		if wake {
			c.notify()
		}
		if done {
			if spare != nil && !used {
				spare.recycle()
			}
			s.marks.clear(channel)
			s.fill[channel] = 0
			return nil
		}
		b, err := w.segment(c.index, block)
		if err != nil {
			return err
		}
		w.layout.open(b, 0, 0, 0)
		spare = b
	}
}
