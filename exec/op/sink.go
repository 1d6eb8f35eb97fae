package op

import (
	"streamsql/exec/connector"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// NewSink makes the operator that ends a chain: it hands rows and watermarks to w, which stays the
// caller's to prepare and close.
func NewSink(w connector.Writer) Operator { return sink{w} }

type sink struct{ w connector.Writer }

func (s sink) Open(*Context) error { return nil }

func (s sink) Process(_ int, b *vector.Batch, _ Output) error { return s.w.Write(b) }

func (s sink) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, s.w.Advance(t) }

func (s sink) Close() error { return nil }
