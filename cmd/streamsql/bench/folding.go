package bench

import (
	"bytes"
	"encoding/binary"
	"errors"

	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// folding is what one subtask of a sink wrote, added up. A row may be taken away in one subtask that was
// given in another, so that counts may be negative.
type folding struct {
	light bool
	rows  int64 // counted by a light folder
	msum  uint64
	// lines holds the rows while all are inserts; the first other change moves them to counts.
	lines  [][]byte
	counts map[string]int64
	line   []byte
}

// Write implements connector.Writer.
func (w *folding) Write(b *vector.Batch) error {
	for i := range b.Len {
		w.line = w.line[:0]
		for k, c := range b.Cols {
			if k > 0 {
				w.line = append(w.line, '\t')
			}
			w.line = text.AppendGolden(w.line, c, i)
		}
		n := int64(1)
		if !b.Kind(i).Adds() {
			n = -1
		}
		if w.light {
			w.rows += n
			w.msum += uint64(n) * lineSum(append(w.line, '\n'))
			continue
		}
		if n == 1 && w.counts == nil {
			w.lines = append(w.lines, bytes.Clone(w.line))
			continue
		}
		w.count()
		w.add(w.line, n)
	}
	return nil
}

// count goes over to counting lines.
func (w *folding) count() {
	if w.counts != nil {
		return
	}
	w.counts = map[string]int64{}
	for _, l := range w.lines {
		w.counts[string(l)]++
	}
	w.lines = nil
}

func (w *folding) add(line []byte, n int64) {
	if n += w.counts[string(line)]; n == 0 {
		delete(w.counts, string(line))
		return
	}
	w.counts[string(line)] = n
}

func (w *folding) merge(o *folding) {
	w.rows += o.rows
	w.msum += o.msum
	if o.counts != nil {
		w.count()
	}
	for l, n := range o.counts {
		w.add([]byte(l), n)
	}
	if w.counts == nil {
		w.lines = append(w.lines, o.lines...)
		return
	}
	for _, l := range o.lines {
		w.add(l, 1)
	}
}

// Save implements connector.Keeper.
func (w *folding) Save() []byte {
	b := binary.AppendVarint(nil, w.rows)
	b = binary.AppendUvarint(b, w.msum)
	put := func(l []byte, n int64) {
		b = append(binary.AppendUvarint(binary.AppendVarint(b, n), uint64(len(l))), l...)
	}
	for _, l := range w.lines {
		put(l, 1)
	}
	for l, n := range w.counts {
		put([]byte(l), n)
	}
	return b
}

var errSaved = errors.New("bench: what was saved of a digest cannot be read")

// Load implements connector.Keeper.
func (w *folding) Load(b []byte) error {
	o := &folding{counts: map[string]int64{}}
	var k int
	if o.rows, k = binary.Varint(b); k <= 0 {
		return errSaved
	}
	b = b[k:]
	if o.msum, k = binary.Uvarint(b); k <= 0 {
		return errSaved
	}
	inserts := true
	for b = b[k:]; len(b) > 0; {
		n, k := binary.Varint(b)
		if k <= 0 {
			return errSaved
		}
		length, v := binary.Uvarint(b[k:])
		if v <= 0 || length > uint64(len(b)-k-v) {
			return errSaved
		}
		b = b[k+v:]
		inserts = inserts && n == 1
		o.lines = append(o.lines, b[:length])
		o.counts[string(b[:length])] += n
		b = b[length:]
	}
	if inserts {
		o.counts = nil
	} else {
		o.lines = nil
	}
	w.merge(o)
	return nil
}

// Advance implements connector.Writer.
func (w *folding) Advance(types.EventTime) error { return nil }

// Prepare implements connector.Writer.
func (w *folding) Prepare(int64) ([][]byte, func() error, error) { return nil, nil, nil }

// Abort implements connector.Writer.
func (w *folding) Abort() error { return nil }

// Close implements connector.Writer.
func (w *folding) Close() error { return nil }
