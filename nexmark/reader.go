package nexmark

import (
	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// patience is the number of events that are made in one call when all kinds that occur are filtered out.
const patience = 64 * 1024

// reader delivers the splits of one subtask.
type reader struct {
	s       *source
	parts   []*part
	events  *Events
	scratch *Events
	layout  *layout
	pace    pace
	now     chan struct{} // closed: there is more to do at once
	never   chan struct{}
}

// Open implements connector.Source.
func (s *source) Open(c *connector.Context, splits []connector.Split) (connector.Reader, error) {
	r := &reader{
		s: s, events: NewEvents(c.MaxRows), layout: newLayout(s.cols, &s.wish, s.shared.get()),
		now: make(chan struct{}), never: make(chan struct{}),
	}
	close(r.now)
	for _, sp := range splits {
		p, err := s.openPart(sp)
		if err != nil {
			return nil, err
		}
		r.parts = append(r.parts, p)
	}
	r.pace.open(s.options.MaxSpeed, len(r.parts))
	return r, nil
}

// Next implements connector.Reader.
func (r *reader) Next() (connector.Read, error) {
	left, late := 0, false
	for _, p := range r.parts {
		p.tried = false
	}
	for i := r.pick(); i >= 0; i = r.pick() {
		p := r.parts[i]
		p.tried = true
		made := r.fill(i, p)
		if r.events.Len > 0 {
			return connector.Read{
				Status: connector.Rows, Batch: r.layout.of(r.events), Split: i, Watermark: r.s.wish.watermark(p.last),
			}, nil
		}
		if p.g.Remaining() > 0 {
			left++
			late = late || made
		}
	}
	for i, p := range r.parts {
		if !p.done && p.g.Remaining() == 0 {
			p.done = true
			return connector.Read{Status: connector.Done, Split: i}, nil
		}
	}
	switch {
	case late:
		return connector.Read{Status: connector.Wait, Wake: r.now}, nil
	case left > 0:
		return connector.Read{Status: connector.Wait, Wake: r.pace.wake(r.parts)}, nil
	case r.s.options.KeepAlive:
		return connector.Read{Status: connector.Wait, Wake: r.never}, nil
	}
	return connector.Read{Status: connector.End, Watermark: types.MaxTime}, nil
}

// pick chooses the part that is furthest behind, so that several parts of one stream come in its order. It is
// negative when all were tried.
func (r *reader) pick() int {
	at := -1
	var least int64
	for i, p := range r.parts {
		if p.tried || p.g.Remaining() == 0 {
			continue
		}
		if t := p.ahead(); at < 0 || t < least {
			at, least = i, t
		}
	}
	return at
}

// fill makes the next events of part i and tells whether it made any. Where kinds are filtered out it goes on until the
// batch is mostly full.
func (r *reader) fill(i int, p *part) (made bool) {
	e := r.events
	e.Reset()
	enough := e.Cap()
	if r.s.wish.keep != allKinds {
		enough -= enough / 4
	}
	for budget := int64(patience); budget > 0 && e.Len < enough; {
		n := p.own(min(int64(e.Cap()-e.Len), budget), &r.scratch)
		if n = r.pace.due(i, p, n); n == 0 {
			break
		}
		done := int64(p.g.Append(e, int(n)))
		p.last = p.time.at(p.g.cfg.FirstNumber + p.g.count - 1)
		budget -= done
		made = true
		if done < n {
			break
		}
	}
	return made
}

// Position implements connector.Reader.
func (r *reader) Position(i int) ([]byte, error) { return r.parts[i].position(), nil }

// Close implements connector.Reader.
func (r *reader) Close() error {
	r.pace.close()
	return nil
}
