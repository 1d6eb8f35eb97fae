package op

import (
	"math"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
)

// reach is the distance of a RANGE bound from a row, as what its sort word changes by.
type reach struct {
	desc, approx bool
	whole        int64
	real         float64
}

const dayMillis = 24 * 60 * 60 * 1000

// Reaches tells that RANGE bounds can be so far away: an offset of type BIGINT of an integer, of DOUBLE of a FLOAT
// or DOUBLE, and an INTERVAL of days and less of a point of time.
func Reaches(key, offset types.Type) bool {
	switch k := key.Kind; {
	case k.IsInteger():
		return offset.Kind == types.BigInt
	case k.IsApprox():
		return offset.Kind == types.Double
	}
	return key.Kind.IsTemporal() && offset.Kind == types.IntervalDay
}

// newReach computes the distance of a bound that has one; else it is 0.
func newReach(order []SortKey, b Bound, env *function.Env) (r reach, err error) {
	if b.Offset == nil || len(order) == 0 {
		return r, nil
	}
	c, err := expr.Value(b.Offset, env)
	if err != nil || c.Value.IsConstNull() {
		return r, err
	}
	key := order[0].Expr.Type()
	r.desc, r.approx = order[0].Desc, key.Kind.IsApprox()
	w := wordAt(c.Value, 0)
	if r.approx {
		r.real = floatOf(w)
		return r, nil
	}
	r.whole = int64(w ^ signBit)
	switch {
	case key.Kind == types.Date:
		r.whole /= dayMillis
	case key.Kind.IsTimestamp():
		r.whole *= 1_000_000 / key.TickNanos()
	}
	return r, nil
}

// floatOf is the number of a word.
func floatOf(w uint64) float64 {
	if w&signBit == 0 {
		return math.Float64frombits(^w)
	}
	return math.Float64frombits(w &^ signBit)
}

// back and ahead are the words of the keys so far before and behind a word in the order. A NULL has no distance.
func (r *reach) back(w uint64) uint64  { return r.moved(w, !r.desc) }
func (r *reach) ahead(w uint64) uint64 { return r.moved(w, r.desc) }

func (r *reach) moved(w uint64, less bool) uint64 {
	if w < leastWord || w > mostWord {
		return w
	}
	if r.desc {
		w = ^w
	}
	switch v := int64(w ^ signBit); {
	case r.approx && less:
		w = floatWord(floatOf(w) - r.real)
	case r.approx:
		w = floatWord(floatOf(w) + r.real)
	case less:
		w = uint64(minus(v, r.whole)) ^ signBit
	default:
		w = uint64(minus(v, -r.whole)) ^ signBit
	}
	if r.desc {
		w = ^w
	}
	return min(max(w, leastWord), mostWord)
}

// minus is a difference, or the integer that is nearest to it.
func minus(a, b int64) int64 {
	switch d := a - b; {
	case b > 0 && d > a:
		return math.MinInt64
	case b < 0 && d < a:
		return math.MaxInt64
	default:
		return d
	}
}
