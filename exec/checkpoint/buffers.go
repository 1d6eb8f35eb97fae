package checkpoint

import "sync"

// pool keeps the buffers of one checkpoint for the next: they are large, and checkpoints come every second.
type pool struct{ sync.Pool }

var buffers pool

// take gives an empty buffer.
func (p *pool) take() []byte {
	if b, ok := p.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return nil
}

// give takes a buffer back that nothing reads any more.
func (p *pool) give(b []byte) {
	if cap(b) > 0 {
		p.Put(&b)
	}
}
