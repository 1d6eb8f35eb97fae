package op

import (
	"strings"

	"streamsql/exec/expr"
)

// SortKey is one item of an ORDER BY.
type SortKey struct {
	Expr expr.Expr
	Desc bool
	// NullsLast says where NULLs stand, whatever the direction. By default they are first when ascending, last
	// when descending: less than every value.
	NullsLast bool
}

// String is the key as EXPLAIN shows it.
func (k *SortKey) String() string {
	text := k.Expr.String()
	if k.Desc {
		text += " DESC"
	}
	switch {
	case k.NullsLast && !k.Desc:
		text += " NULLS LAST"
	case k.Desc && !k.NullsLast:
		text += " NULLS FIRST"
	}
	return text
}

// SortExprs are the expressions of keys.
func SortExprs(keys []SortKey) []expr.Expr {
	out := make([]expr.Expr, len(keys))
	for i, k := range keys {
		out[i] = k.Expr
	}
	return out
}

// MapSort rewrites the expressions of keys.
func MapSort(keys []SortKey, f func(expr.Expr) expr.Expr) []SortKey {
	out := make([]SortKey, len(keys))
	for i, k := range keys {
		k.Expr = f(k.Expr)
		out[i] = k
	}
	return out
}

// SortText lists keys, with commas between them.
func SortText(keys []SortKey) string {
	parts := make([]string, len(keys))
	for i := range keys {
		parts[i] = keys[i].String()
	}
	return strings.Join(parts, ", ")
}
