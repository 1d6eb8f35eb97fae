package op

import (
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/types"
)

// TemporalJoin joins each row of input 0, once the watermark has reached its time, with the row of input 1 that was
// valid then: of those with its key the last one whose time is not behind the row's. Of several with one time the
// last that came counts; a -D ends the row before it at its own time, and a -U says nothing. A NULL for a time is
// before all of them.
//
// The output has the columns of input 0, then those of input 1, in the order of the times of input 0, each with the kind
// that it came with. A row behind the watermark comes with the next watermark, and finds what is left of the versions:
// those that a row ahead of the watermark may find and, where input 0 takes rows back, all. There a version that comes
// behind the watermark holds from the watermark on, so that what is taken back finds what it found before.
type TemporalJoin struct {
	// Kind is InnerJoin or LeftJoin.
	Kind JoinKind
	// Keys are equalities, as those of Join, of which NULL has no partner.
	Keys [2][]expr.Expr
	// Times are the positions of the event times: TIMESTAMP or TIMESTAMP_LTZ of milliseconds.
	Times [2]int
	// Residual are further conjuncts, over the columns of both inputs. A version that fails one is no partner, and
	// no older one takes its place.
	Residual []expr.Expr
	// Retracts says that input 0 holds changes, not inserts only.
	Retracts bool
	// TTL forgets the versions of a key that got no row of either input, and had none waiting, for this long by the
	// clock; 0 never does.
	TTL time.Duration
	// Types are those of the inputs' columns, Names those of the output's.
	Types [2][]types.Type
	Names []string
}

// String implements Spec.
func (s *TemporalJoin) String() string {
	parts := make([]string, len(s.Keys[0]))
	for i, l := range s.Keys[0] {
		parts[i] = l.String() + " = " + s.Keys[1][i].String()
	}
	n := len(s.Types[0])
	text := "TemporalJoin(joinType=[" + s.Kind.String() + "], on=[" + strings.Join(parts, ", ") + "], times=[" +
		s.Names[s.Times[0]] + ", " + s.Names[n+s.Times[1]] + "]"
	if len(s.Residual) > 0 {
		text += ", where=[" + expr.And(s.Residual...).String() + "]"
	}
	return text + ", select=[" + strings.Join(s.Names, ", ") + "])"
}

// New implements Spec.
func (s *TemporalJoin) New() Operator { return &temporalJoin{spec: s} }
