package op

import (
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// LocalRankTies stands in front of the exchange of a RankTies: it drops rows that are behind one that came before in
// their window. What it knows of windows is no state: after a crash it drops fewer rows.
type LocalRankTies struct{ RankTies }

// String implements Spec.
func (s *LocalRankTies) String() string { return "LocalWindowRank(" + tiesText(s.Partition, s.Order) }

// New implements Spec.
func (s *LocalRankTies) New() Operator { return &localRankTies{spec: s} }

type localRankTies struct {
	spec  *LocalRankTies
	store *state.Store
	firsts
	rows gatherer
	out  vector.Batch
}

// Open implements Operator.
func (o *localRankTies) Open(c *Context) error {
	o.store, o.time = c.Store(o.spec), types.MinTime
	o.rows = gathererOf(allColumns(len(o.spec.Types)))
	return o.open(c, o.store.Scratch(), o.spec.Partition, o.spec.Order, o.spec.Time)
}

// Process implements Operator.
func (o *localRankTies) Process(_ int, b *vector.Batch, out Output) error {
	rows, err := o.choose(b)
	if err == nil {
		err = o.store.Err()
	}
	switch {
	case err != nil || len(rows) == 0:
		return err
	case len(rows) == b.Len:
		return out.Emit(b)
	}
	o.out.Cols, o.out.Len = o.rows.take(b, rows), len(rows)
	return out.Emit(&o.out)
}

// Advance implements Operator.
func (o *localRankTies) Advance(t types.EventTime, _ Output) (types.EventTime, error) {
	if t > o.time {
		o.forget(o.pass(t))
	}
	return t, nil
}

// Close implements Operator.
func (o *localRankTies) Close() error { return nil }
