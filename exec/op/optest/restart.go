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
	// every is after how many boundaries there is a new store; a snapshot is made at each, and written holds those
	// of the present store.
	every   int
	turn    int
	written map[uint64][]byte
}

func (s *stores) context(size int) *op.Context {
	if s.store == nil {
		s.store = state.NewStore(state.Options{Operator: s.spec.String()})
	}
	return &op.Context{MaxRows: size, Env: &function.Env{Zone: time.UTC, Now: fixed}, State: s.store}
}

// restart takes a snapshot of what changed, and moves the state into a new store when it is time; false when it
// is not, or the operator keeps none.
func (s *stores) restart() bool {
	if len(s.store.Usage()) == 0 {
		return false
	}
	snapshot := s.store.Freeze(false)
	var b bytes.Buffer
	if err := snapshot.Write(&b); err != nil {
		s.t.Fatal(err)
	}
	if s.written == nil {
		s.written = map[uint64][]byte{}
	}
	s.written[snapshot.Number()] = b.Bytes()
	if s.turn++; s.turn%s.every != 0 {
		return false
	}
	var readers []io.Reader
	for _, number := range append(snapshot.Base(), snapshot.Number()) {
		readers = append(readers, bytes.NewReader(s.written[number]))
	}
	s.store, s.written = state.NewStore(state.Options{Operator: s.spec.String()}), nil
	if err := s.store.Load(state.KeyGroups{}, readers...); err != nil {
		s.t.Fatal(err)
	}
	return true
}
