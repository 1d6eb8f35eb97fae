package logical

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/types"
)

// Key is a set of columns, ascending.
type Key []int

// NewKey sorts columns.
func NewKey(columns ...int) Key {
	k := slices.Clone(columns)
	slices.Sort(k)
	return slices.Compact(k)
}

// In tells that all columns of k are among those of o.
func (k Key) In(o Key) bool {
	for _, c := range k {
		if _, ok := slices.BinarySearch(o, c); !ok {
			return false
		}
	}
	return true
}

// And is the key of the columns of both.
func (k Key) And(o ...int) Key { return NewKey(append(slices.Clone(k), o...)...) }

// Moved is the key over other columns: to says for each column where it went. ok is false when one is gone.
func (k Key) Moved(to func(column int) (int, bool)) (moved Key, ok bool) {
	out := make([]int, len(k))
	for i, c := range k {
		if out[i], ok = to(c); !ok {
			return nil, false
		}
	}
	return NewKey(out...), true
}

// movedKeys are the keys whose columns are left.
func movedKeys(keys []Key, to func(column int) (int, bool)) []Key {
	var out []Key
	for _, k := range keys {
		if m, ok := k.Moved(to); ok {
			out = append(out, m)
		}
	}
	return out
}

// HasKey tells that the columns of some key are all among columns: these too tell rows apart.
func (c Changes) HasKey(columns Key) bool {
	return slices.ContainsFunc(c.Keys, func(k Key) bool { return k.In(columns) })
}

// columnAt finds where a projection shows a column as it is, or cast so that its values stay apart.
func columnAt(exprs []expr.Expr, column int) (int, bool) {
	for i, e := range exprs {
		for {
			call, ok := e.(*expr.Call)
			if !ok || call.Fn.Name != "CAST" || !staysApart(call.List[0].Type(), call.T) {
				break
			}
			e = call.List[0]
		}
		if c, ok := e.(*expr.Column); ok && c.Index == column {
			return i, true
		}
	}
	return 0, false
}

// staysApart tells that a cast makes no two values equal.
func staysApart(from, to types.Type) bool {
	switch {
	case from.Same(to):
		return true
	case from.Kind.IsInteger():
		return to.Kind.IsInteger() && from.Kind < to.Kind || to.Kind == types.Varchar && to.Precision == types.String().Precision
	case from.Kind.IsText():
		return to.Kind == types.Varchar && to.Precision >= from.Precision
	case from.Kind.IsBinary():
		return to.Kind == types.Varbinary && to.Precision >= from.Precision
	}
	return from.Kind == to.Kind && from.Kind.IsTimestamp() && to.Precision >= from.Precision
}

// sequence are the columns from 0 to n-1.
func sequence(n int) Key {
	k := make(Key, n)
	for i := range k {
		k[i] = i
	}
	return k
}
