package nexmark

import (
	"encoding/binary"
	"fmt"

	"streamsql/exec/connector"
	"streamsql/exec/function"
)

// Definition declares the connector.
var Definition = connector.Definition{
	Name:    "nexmark",
	Doc:     "Makes the events of the Nexmark benchmark: persons, auctions and bids of an online auction.",
	Options: func() any { return new(options) },
	Source:  openSource,
}

// blockLen is the number of consecutive events that one subtask delivers when a single stream is dealt out.
const blockLen = 1024

// source is a table of events.
type source struct {
	options *options
	config  Config
	cols    []tableColumn
	wish    wish
	shared  lazyShared
	env     *function.Env
}

func openSource(t *connector.Table) (connector.Source, error) {
	o := t.Options.(*options)
	c, err := o.config()
	if err != nil {
		return nil, err
	}
	cols, err := bindColumns(t.Columns)
	if err != nil {
		return nil, err
	}
	return &source{options: o, config: c, cols: cols, wish: everything(cols), env: t.Env,
		shared: lazyShared{seed: c.Seed}}, nil
}

// Bounded implements connector.Source.
func (s *source) Bounded() bool {
	return !s.options.KeepAlive && (s.config.Events > 0 || s.config.StopAt >= 0)
}

// Widest implements connector.Narrow: each subtask that is dealt blocks of one random stream makes all of it.
func (s *source) Widest() int {
	if s.options.Split == "rows" && !s.config.SeedPerEvent {
		return 1
	}
	return 0
}

// part is one split being read.
type part struct {
	g *Generator
	// Of blocks dealt out to n parts this one has those with number i modulo n; n = 1 means all.
	i, n int64
	time timeline
	// last is the time of the last event made, of any kind.
	last int64
	// done says that the end was told; tried that the part had nothing in this turn.
	done, tried bool
}

func (s *source) openPart(sp connector.Split) (*part, error) {
	p := &part{}
	own, err := s.parseSplit(sp.ID)
	if err != nil {
		return nil, err
	}
	c := s.config
	p.i, p.n = 0, 1
	if s.options.Split == upstream {
		if c, err = c.Split(own.i, own.n); err != nil {
			return nil, err
		}
	} else {
		p.i, p.n = int64(own.i), int64(own.n)
	}
	if p.g, err = New(c, s.shared.get().static); err != nil {
		return nil, err
	}
	p.time = p.g.time
	k := s.wish.keep
	p.g.Select(s.wish.draw, k&1 > 0, k&2 > 0, k&4 > 0)
	switch len(sp.Position) {
	case 0:
	case 16:
		count := int64(binary.LittleEndian.Uint64(sp.Position))
		if count < 0 || count > p.g.limit {
			return nil, fmt.Errorf("nexmark: split %q has %d events, none at position %d", sp.ID, p.g.limit, count)
		}
		p.g.Resume(count, binary.LittleEndian.Uint64(sp.Position[8:]))
	default:
		return nil, fmt.Errorf("nexmark: split %q: no such position: %x", sp.ID, sp.Position)
	}
	return p, nil
}

// own is the number of events, up to n, that the part makes next, after those of other parts are passed over.
func (p *part) own(n int64, scratch **Events) int64 {
	if p.n == 1 {
		return min(n, p.g.Remaining())
	}
	for next := p.next(); p.g.count < next && p.g.Remaining() > 0; {
		p.skip(min(next-p.g.count, blockLen), scratch)
	}
	return min(n, blockLen-p.g.count%blockLen, p.g.Remaining())
}

// next is the number of the part's next event, if there are so many.
func (p *part) next() int64 {
	block := p.g.count / blockLen
	if away := (p.i - block%p.n + p.n) % p.n; away > 0 {
		return (block + away) * blockLen
	}
	return p.g.count
}

// ahead is the time of the part's next event.
func (p *part) ahead() int64 { return p.time.at(p.g.cfg.FirstNumber + p.next()) }

// skip passes over events: by counting where each has its own seed, by making them where all share one random stream.
func (p *part) skip(n int64, scratch **Events) {
	if p.g.cfg.SeedPerEvent {
		p.g.count += min(n, p.g.Remaining())
		return
	}
	if *scratch == nil {
		*scratch = NewEvents(blockLen)
	}
	want := p.g.want
	p.g.want = 0
	(*scratch).Reset()
	p.g.Append(*scratch, int(n))
	p.g.want = want
}

// position is what openPart resumes from.
func (p *part) position() []byte {
	count, state := p.g.Position()
	b := binary.LittleEndian.AppendUint64(nil, uint64(count))
	return binary.LittleEndian.AppendUint64(b, state)
}
