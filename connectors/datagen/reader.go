package datagen

import (
	"encoding/binary"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// part is one split: rows first, first+step, …
type part struct {
	first, step int64
	made, end   int64 // end is -1 when there is none
	done        bool  // the end was told
}

// reader makes the rows of one subtask.
type reader struct {
	s     *source
	max   int
	parts []part
	turn  int

	builders []*vector.Builder
	columns  []generator
	cols     []vector.Column
	batch    vector.Batch

	started time.Time
	paid    float64 // rows made since then
	timer   *time.Timer
	wake    chan struct{}
}

func newReader(s *source, c *connector.Context) *reader {
	r := &reader{s: s, max: c.MaxRows, started: time.Now(), wake: make(chan struct{}, 1)}
	n := len(s.table.Columns)
	r.cols = make([]vector.Column, n)
	for i, col := range s.table.Columns {
		r.builders = append(r.builders, vector.NewBuilder(col.Type))
		r.columns = append(r.columns, newGenerator(&s.fields[i], col.Type))
		r.batch.Cols = append(r.batch.Cols, &r.cols[i])
	}
	return r
}

// Next implements connector.Reader.
func (r *reader) Next() (connector.Read, error) {
	over := 0
	for range r.parts {
		r.turn = (r.turn + 1) % len(r.parts)
		p := &r.parts[r.turn]
		left := int64(r.max)
		if p.end >= 0 {
			left = min(left, p.end-p.made)
		}
		if left <= 0 {
			if !p.done {
				p.done = true
				return connector.Read{Status: connector.Done, Split: r.turn}, nil
			}
			over++
			continue
		}
		n := r.due(p, left)
		if n == 0 {
			continue
		}
		r.fill(p, int(n))
		return connector.Read{Status: connector.Rows, Batch: &r.batch, Split: r.turn}, nil
	}
	if over == len(r.parts) {
		return connector.Read{Status: connector.End}, nil
	}
	r.sleep()
	return connector.Read{Status: connector.Wait, Wake: r.wake}, nil
}

// due is how many of n rows may be made by now: the rate is shared by all splits.
func (r *reader) due(p *part, n int64) int64 {
	rate := float64(r.s.o.Rate) / float64(p.step) * float64(len(r.parts))
	allowed := time.Since(r.started).Seconds()*rate + 1 - r.paid
	n = min(n, int64(allowed))
	if n <= 0 {
		return 0
	}
	r.paid += float64(n)
	return n
}

// sleep wakes the task when some more rows are due.
func (r *reader) sleep() {
	const nap = 10 * time.Millisecond
	d := max(nap, min(time.Second, time.Second/time.Duration(r.s.o.Rate)))
	if r.timer != nil {
		r.timer.Reset(d)
		return
	}
	r.timer = time.AfterFunc(d, func() {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	})
}

func (r *reader) fill(p *part, n int) {
	for i, g := range r.columns {
		b := r.builders[i]
		b.Reset()
		g.fill(b, n, p.first+p.made*p.step, p.step)
		b.Finish(&r.cols[i])
	}
	p.made += int64(n)
	r.batch.Len = n
}

// Position implements connector.Reader.
func (r *reader) Position(i int) ([]byte, error) {
	return binary.AppendUvarint(nil, uint64(r.parts[i].made)), nil
}

// Close implements connector.Reader.
func (r *reader) Close() error {
	if r.timer != nil {
		r.timer.Stop()
	}
	return nil
}
