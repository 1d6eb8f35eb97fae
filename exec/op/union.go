package op

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Union passes on the rows of all its inputs. The task holds the watermark at the minimum of them.
type Union struct{}

// String implements Spec.
func (Union) String() string { return "Union(all=[true])" }

// New implements Spec.
func (Union) New() Operator { return union{} }

type union struct{}

func (union) Open(*Context) error { return nil }

func (union) Process(_ int, b *vector.Batch, out Output) error { return out.Emit(b) }

func (union) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

func (union) Close() error { return nil }
