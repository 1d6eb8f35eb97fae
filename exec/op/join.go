package op

import (
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/types"
)

// JoinKind says what becomes of rows with and without a partner.
type JoinKind uint8

// The kinds of joins. Semi keeps the left rows that have a partner, Anti those that have none.
const (
	InnerJoin JoinKind = iota
	LeftJoin
	RightJoin
	FullJoin
	SemiJoin
	AntiJoin
)

// String is the kind as EXPLAIN shows it.
func (k JoinKind) String() string {
	return [...]string{"InnerJoin", "LeftOuterJoin", "RightOuterJoin", "FullOuterJoin", "LeftSemiJoin", "LeftAntiJoin"}[k]
}

// Keeps tells that rows of a side (0 is left) without a partner are given, padded with NULLs.
func (k JoinKind) Keeps(side int) bool {
	return k == FullJoin || k == LeftJoin && side == 0 || k == RightJoin && side == 1
}

// GivesAlone tells that rows of a side without a partner are given, padded or as they are.
func (k JoinKind) GivesAlone(side int) bool { return k.Keeps(side) || k == AntiJoin && side == 0 }

// Pads tells that the columns of a side may be NULL for want of a partner.
func (k JoinKind) Pads(side int) bool { return k.Keeps(1 - side) }

// Halves tells that rows of the left side alone are given.
func (k JoinKind) Halves() bool { return k == SemiJoin || k == AntiJoin }

// Join joins two inputs and remembers the rows of both: its output has columns of input 0, then, unless the kind keeps
// left rows alone, of input 1.
//
// Of a batch it gives the difference that it makes: no row is given and taken back, and what is taken back comes
// before what is added.
type Join struct {
	Kind JoinKind
	// Keys are equalities: Keys[0][i], over input 0, and Keys[1][i], over input 1, of types whose equal values are
	// equal keys. None makes one group of all rows.
	Keys [2][]expr.Expr
	// NullSafe says of each pair that NULL equals NULL.
	NullSafe []bool
	// Residual are further conjuncts, over the columns of both inputs.
	Residual []expr.Expr
	// Output are the columns of the output by their positions among those of both inputs, ascending; nil is all.
	Output []int
	// Types are those of the inputs' columns, Names those of the output's.
	Types [2][]types.Type
	Names []string
	// Retracts says of each input that it may hold -U and -D.
	Retracts [2]bool
	// TTL forgets a row of an input so long after it came; 0 never does.
	TTL [2]time.Duration
	// Until bounds the event time of partners that a row of an input may still get: once the watermark has passed
	// one of them the row is forgotten. Neither input retracts, and TTL is 0.
	Until [2][]Until
	// Unique says of an input that no two of its rows, all that ever come, have the same key. Neither input retracts, and
	// TTL is 0.
	Unique [2]bool
	// Once gives a row without a partner when it is over, by Until, which both sides have: what is given stays so.
	Once bool
	// Stamps are the positions of a TIMESTAMP_LTZ(3) of each input that is set to the time at which its rows come, where Until
	// is by the clock; nil where it is by the watermark.
	Stamps []int
	// Delay is by how much the watermark is ahead of the times of rows that may still be given, with Once.
	Delay time.Duration
	// AtEnd gives all rows when both inputs have ended, as batch mode does. The inputs hold inserts only.
	AtEnd bool
}

// String implements Spec.
func (s *Join) String() string {
	var parts []string
	for i, l := range s.Keys[0] {
		sign := " = "
		if s.NullSafe[i] {
			sign = " IS NOT DISTINCT FROM "
		}
		parts = append(parts, l.String()+sign+s.Keys[1][i].String())
	}
	text := "Join("
	if s.Once {
		text = "IntervalJoin("
	}
	if s.Stamps != nil {
		text += "proctime, "
	}
	text += "joinType=[" + s.Kind.String() + "], on=[" + strings.Join(parts, ", ") + "]"
	if len(s.Residual) > 0 {
		text += ", where=[" + expr.And(s.Residual...).String() + "]"
	}
	for side, name := range []string{"left", "right"} {
		if ttl := s.TTL[side]; ttl > 0 {
			text += ", " + name + "TTL=[" + ttl.String() + "]"
		}
		if len(s.Until[side]) > 0 {
			text += ", " + name + "Until=[" + UntilText(s.Until[side]) + "]"
		}
		if s.untilMet(side) {
			text += ", " + name + "Kept=[until met]"
		}
	}
	return text + ", select=[" + strings.Join(s.Names, ", ") + "])"
}

// New implements Spec.
func (s *Join) New() Operator {
	if s.Stamps != nil {
		return &clockJoin{join: join{spec: s}}
	}
	return &join{spec: s}
}

// outputs are the columns of each input that the output has.
func (s *Join) outputs() (of [2][]int) {
	n := len(s.Types[0])
	if s.Output == nil {
		for i := range s.Types[0] {
			of[0] = append(of[0], i)
		}
		for i := range s.Types[1] {
			if !s.Kind.Halves() {
				of[1] = append(of[1], i)
			}
		}
		return of
	}
	for _, i := range s.Output {
		if i < n {
			of[0] = append(of[0], i)
		} else {
			of[1] = append(of[1], i-n)
		}
	}
	return of
}

// keyTypes are the types of the keys' table.
func (s *Join) keyTypes() []types.Type { return KeyTypes(s.Keys[0], s.Keys[1]) }

// KeyTypes are the types, one per pair, that values of both sides of equalities have in common as keys.
func KeyTypes(left, right []expr.Expr) []types.Type {
	out := make([]types.Type, len(left))
	for i, l := range left {
		t, u := l.Type(), right[i].Type()
		switch {
		case t.Same(u):
		case t.Kind.IsInteger():
			t = types.Of(types.BigInt)
		case t.Kind.IsText():
			t = types.String()
		default:
			t = types.Bytes()
		}
		out[i] = t.WithNull(true)
	}
	return out
}
