package network

import (
	"encoding/binary"
	"fmt"

	"streamsql/exec/types"
)

// push appends rows from..from+n of a sheet to a channel. spare is a segment for it, or nil.
func (w *Writer) push(c *outChannel, s *sheet, from, n int, spare *buffer, block bool) error {
	open := false // spare is
	for {
		if spare != nil && !open {
			if open = w.layout.open(spare, s.text(from), w.textBytes, s.narrow()); !open {
				if err := w.span(c, s, from, spare); err != nil {
					return err
				}
				spare = nil
				if from, n = from+1, n-1; n == 0 {
					return nil
				}
			}
		}
		rows, used, wake, full := c.append(w.layout, s, from, n, spare)
		if used {
			spare, open = nil, false
		}
		if full {
			w.keepStep(c.index)
		}
		if wake {
			c.notify()
		}
		if rows < 0 || rows == n {
			if spare != nil {
				spare.recycle()
			}
			return nil
		}
		from, n = from+rows, n-rows
		if spare == nil {
			b, err := w.segment(c.index, block)
			if err != nil {
				return err
			}
			spare = b
		}
		open = false // the next row may need more room
	}
}

// text is the bytes that the texts of a row take.
func (s *sheet) text(row int) int {
	if !s.layout.texts || s.long == 0 {
		return 0
	}
	return int(s.heap[row])
}

// span sends a row that no segment holds in parts, with all its texts.
func (w *Writer) span(c *outChannel, s *sheet, row int, b *buffer) error {
	if s.layout.lends {
		defer s.copying()()
	}
	one := buffer{mem: make([]byte, w.layout.size(1)+s.text(row))}
	w.layout.openRows(&one, 1, 0)
	w.layout.fill(&one, s, row, 1)
	if w.layout.wireSize(&one) > maxRow {
		b.recycle()
		return fmt.Errorf("network: output %s: a row of %d bytes, where %d are the most", w.spec.Partition,
			w.layout.wireSize(&one), maxRow)
	}
	bytes := make([]byte, 8, 8+w.layout.wireSize(&one))
	bytes = w.layout.appendWire(bytes, &one, &placing{})
	binary.LittleEndian.PutUint64(bytes, uint64(len(bytes)-8))
	for {
		b.form = part
		b.length = copy(b.mem, bytes)
		if bytes = bytes[b.length:]; len(bytes) == 0 {
			b.form = lastPart
		}
		if c.put(parcel{buffer: b}) {
			c.notify()
		}
		if len(bytes) == 0 {
			return nil
		}
		var err error
		if b, err = w.segment(c.index, true); err != nil {
			return err
		}
	}
}

// settle sends what the stage holds for a channel.
func (w *Writer) settle(c *outChannel) error {
	if w.stage == nil || w.stage.fill[c.index] == 0 {
		return nil
	}
	return w.empty(int32(c.index), true)
}

// empty moves the staged rows of a channel to its buffer. When it may not block it moves them only with
// enough room at hand: all of them or none.
func (w *Writer) empty(channel int32, block bool) error {
	s, c := w.stage, w.channels[channel]
	if s.marks != nil && s.marks.first[channel] >= 0 {
		return w.emptyMarked(channel, block)
	}
	from, n := int(channel)*s.slots, int(s.fill[channel])
	var spare *buffer
	if !block && !c.fits(n) {
		if spare = w.pool.tryRequest(c.index); spare == nil {
			return errNoSegment
		}
	}
	if err := w.push(c, &s.sheet, from, n, spare, block); err != nil {
		return err
	}
	s.fill[channel] = 0
	return nil
}

// fits tells whether n rows without texts fit the open buffer.
func (c *outChannel) fits(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended || c.open != nil && c.open.place.rows-c.open.rows >= n && len(c.open.marks) <= spareMarks
}

// mark writes a mark into a channel behind its rows.
func (w *Writer) mark(c *outChannel, kind markKind, at types.EventTime) error {
	var spare *buffer
	for {
		done, used, wake := c.markOpen(w.layout, kind, at, spare)
		if wake {
			c.notify()
		}
		if done {
			if spare != nil && !used {
				spare.recycle()
			}
			return nil
		}
		b, err := w.segment(c.index, true)
		if err != nil {
			return err
		}
		if !w.layout.open(b, 0, w.textBytes, 0) {
			w.layout.openRows(b, 0, 0)
		}
		spare = b
	}
}
