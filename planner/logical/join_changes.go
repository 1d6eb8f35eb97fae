package logical

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
)

// Changes implements Changer: window and interval joins give inserts only. Otherwise rows that change come as -D
// and +I, and so does a padded row that finds a partner.
func (j *Join) Changes(in []Changes, _ Need) (Changes, []Need) {
	out := Changes{Kinds: Inserts, Stays: true, Keys: j.shown(j.upsertKeys(in))}
	if !j.AtEnd && !j.Windowed(in) && !j.Once(in) {
		inner := j.Kind == op.InnerJoin || j.Kind == op.SemiJoin
		out.Stays = inner && in[0].Stays && in[1].Stays
		if !inner || in[0].Kinds.Updating() || in[1].Kinds.Updating() {
			out.Kinds |= Deletes
		}
	}
	return out, []Need{Everything, Everything}
}

// shown are the keys that the result has the columns of.
func (j *Join) shown(keys []Key) []Key {
	if j.Output == nil {
		return keys
	}
	return movedKeys(keys, func(c int) (int, bool) { return slices.BinarySearch(j.Output, c) })
}

// upsertKeys are the keys of a side whose rows have one partner at most, and otherwise those of both together.
func (j *Join) upsertKeys(in []Changes) []Key {
	k := j.Keys()
	left, right := settled(in[0], k.Left), settled(in[1], k.Right)
	if j.Kind.Halves() {
		return left
	}
	n := len(j.Left.Schema())
	var out []Key
	if in[1].HasKey(Columns(k.Right)) && !j.Kind.Keeps(1) {
		out = append(out, left...)
	}
	if in[0].HasKey(Columns(k.Left)) && !j.Kind.Keeps(0) {
		for _, r := range right {
			out = append(out, shiftedKey(r, n))
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, l := range left {
		for _, r := range right {
			out = append(out, l.And(shiftedKey(r, n)...))
		}
	}
	return out
}

// settled are the keys of an input whose rows are all in one place: where rows may go, a key must have the columns
// that say where they are.
func settled(in Changes, joined []expr.Expr) []Key {
	if !in.Kinds.Updating() {
		return in.Keys
	}
	at := Columns(joined)
	if len(at) < len(joined) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(in.Keys), func(k Key) bool { return !at.In(k) })
}

// Columns are the columns among expressions.
func Columns(list []expr.Expr) Key {
	var cols []int
	for _, e := range list {
		if c, ok := e.(*expr.Column); ok {
			cols = append(cols, c.Index)
		}
	}
	return NewKey(cols...)
}

func shiftedKey(k Key, by int) Key {
	out := make(Key, len(k))
	for i, c := range k {
		out[i] = c + by
	}
	return out
}
