package logical

import (
	"slices"

	"streamsql/exec/expr"
)

// TemporalJoin joins each row of the left input, once the watermark has passed it, with the version that a row of
// the right one had at its time. Rows on the right with one key are versions of one row, each from its event time on.
// The columns of both sides keep their time attributes; a row is given with the left one's time.
type TemporalJoin struct {
	*Join
	// Times are the event-time attributes of the inputs, as positions in their schemas.
	Times [2]int
	// Key are the columns of the right input by which versions of one row are known.
	Key Key
}

// NewTemporalJoin joins the rows of j.Left with the versions in j.Right.
func NewTemporalJoin(j *Join, times [2]int, key Key) *TemporalJoin {
	return &TemporalJoin{j.timed(slices.Concat(j.Left.Schema(), j.Right.Schema())), times, key}
}

// With implements Plan.
func (t *TemporalJoin) With(in []Plan) Plan { return t.Of(t.Over(t.Kind, in[0], in[1], t.Cond)) }

// Of is the same by another join.
func (t *TemporalJoin) Of(j *Join) Plan { return &TemporalJoin{j, t.Times, t.Key} }

// Changes implements Changer: the kinds of the left input pass, for the versions of a row's time are known when it is
// given. Changes of rows on the left come in the order of their times, so that those of one key may overtake each other.
// A row on the right that is replaced goes when the next one comes.
func (t *TemporalJoin) Changes(in []Changes, _ Need) (Changes, []Need) {
	out := Changes{Kinds: in[0].Kinds, Stays: in[0].Stays}
	if out.Stays {
		out.Keys = in[0].Keys
	}
	return out, []Need{Everything, {Whole: true}}
}

// VersionKeys are the parts of the condition: rows are joined by the key of the versions, and what else must be equal
// is tested afterwards.
func (t *TemporalJoin) VersionKeys() JoinKeys {
	n := len(t.Left.Schema())
	return t.keysAmong(func(e expr.Expr) bool {
		var k JoinKeys
		if !k.take(e, n) || k.NullSafe[0] {
			return false
		}
		c, ok := k.Right[0].(*expr.Column)
		return ok && NewKey(c.Index).In(t.Key)
	})
}

// String implements Plan.
func (t *TemporalJoin) String() string {
	text := "TemporalJoin(type=[" + t.Kind.String() + "], where=["
	if t.Cond != nil {
		text += t.Cond.String()
	}
	left, right := t.Left.Schema(), t.Right.Schema()
	return text + "], times=[" + left[t.Times[0]].Name + ", " + right[t.Times[1]].Name + "])"
}
