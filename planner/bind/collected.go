package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// collected refuses ARRAY(query) and its kin, and says what gives the same. The type is what theirs would be.
func (w *work) collected(e *syntax.Collection, s logical.Schema) (expr.Expr, error) {
	want, name, hint := 1, "ARRAY", "(SELECT ARRAY_AGG(x) FROM (…) AS t (x))"
	switch e.Kind {
	case syntax.Map:
		want, name, hint = 2, "MAP", "(SELECT MAP_FROM_ARRAYS(ARRAY_AGG(k), ARRAY_AGG(v)) FROM (…) AS t (k, v))"
	case syntax.Multiset:
		name, hint = "MULTISET", "(SELECT COLLECT(x) FROM (…) AS t (x))"
	}
	if len(s) != want {
		return nil, failf(e, CodeShape, "%s of a query takes %d columns, not %d", name, want, len(s)).WithHint("%s", hint)
	}
	w.lack(e, name+" of a query", "write "+hint)
	t := types.ArrayOf(s[0].Type)
	switch e.Kind {
	case syntax.Map:
		t = types.MapOf(s[0].Type, s[1].Type)
	case syntax.Multiset:
		t = types.MultisetOf(s[0].Type)
	}
	return &unbuilt{name + "(…)", t}, nil
}
