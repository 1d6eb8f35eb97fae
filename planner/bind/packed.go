package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
)

// keyable tells that rows can be grouped by values of a type, as they are or packed.
func keyable(t types.Type) bool {
	return vector.KeyType(t) || t.Kind == types.Null || function.Packs(t)
}

// packed is a key in the form in which rows are grouped by it.
func packed(e expr.Expr) expr.Expr {
	if t := e.Type(); function.Packs(t) {
		return logical.Packed(e)
	}
	return e
}

// packedKeys are keys as rows are grouped by them; some says that they differ from those given.
func packedKeys(keys []expr.Expr) (out []expr.Expr, some bool) {
	for _, k := range keys {
		out = append(out, packed(k))
	}
	return out, !slices.Equal(out, keys)
}

// unpacked gives grouped rows the keys as they were.
func unpacked(plan logical.Plan, keys []expr.Expr) logical.Plan {
	s := plan.Schema()
	exprs, names := columnsOf(s), s.Names()
	for i, k := range keys {
		if t := k.Type(); function.Packs(t) {
			exprs[i] = &expr.Call{Fn: function.Unpacked(t), List: []expr.Expr{exprs[i]}, T: t.WithNull(exprs[i].Type().Nullable()), Pos: -1}
			names[i] = k.String()
		}
	}
	p := logical.NewProject(plan, exprs, names)
	for i := range p.Columns {
		p.Columns[i].Time = s[i].Time
	}
	return p
}
