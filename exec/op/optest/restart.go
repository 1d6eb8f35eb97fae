package optest

import (
	"bytes"
	"io"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/state"
)

// stores are the states of the operators that follow each other in a replay.
type stores struct {
	t     *testing.T
	spec  op.Spec
	store *state.Store
	chain [][]byte // the last full snapshot and those after it
}

func (s *stores) context(size int) *op.Context {
	if s.store == nil {
		s.store = state.NewStore(state.Options{Operator: s.spec.String()})
	}
	return &op.Context{MaxRows: size, Env: &function.Env{Zone: time.UTC, Now: fixed}, State: s.store}
}

// restart moves the state into a new store; false when the operator keeps none.
func (s *stores) restart() bool {
	if len(s.store.Usage()) == 0 {
		return false
	}
	snapshot := s.store.Freeze(false)
	if snapshot.Full() {
		s.chain = nil
	}
	var b bytes.Buffer
	if err := snapshot.Write(&b); err != nil {
		s.t.Fatal(err)
	}
	s.chain = append(s.chain, b.Bytes())
	readers := make([]io.Reader, len(s.chain))
	for i, c := range s.chain {
		readers[i] = bytes.NewReader(c)
	}
	s.store = state.NewStore(state.Options{Operator: s.spec.String()})
	if err := s.store.Load(state.KeyGroups{}, readers...); err != nil {
		s.t.Fatal(err)
	}
	return true
}
