package rules

import (
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// askUnique asks the sources which of their values tell rows apart.
func askUnique(c *Context, p logical.Plan) logical.Plan {
	if c.Table == nil {
		return p
	}
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		s, ok := p.(*logical.Scan)
		if !ok {
			return p
		}
		source, err := c.Table(s)
		if err != nil { // physical planning says what is wrong
			return p
		}
		u, ok := source.(connector.Unique)
		if !ok {
			return p
		}
		known := *s
		known.Unique = u.Unique()
		return &known
	})
}

// forgetMet finds joins of which a side has no two rows with the same key. A row of the other side that met its partner
// finds no second one, and need not be kept, be it that the condition held or not.
//
// Both inputs hold rows that stay, as with expireJoins.
func forgetMet(c *Context, p logical.Plan) logical.Plan {
	if c.Forgets { // a row that an input forgot it may give again
		return p
	}
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		x := keeping(p)
		if x == nil {
			return p
		}
		unique, ok := uniqueSides(x)
		if !ok {
			return p
		}
		out := x.Over(x.Kind, x.Left, x.Right, x.Cond)
		out.Unique = unique
		return out
	})
}

// uniqueSides are the keys by which the rows of each side are told apart; ok says that there are some, of a side at least.
func uniqueSides(x *logical.Join) (unique [2][]expr.Expr, ok bool) {
	keys := x.Keys()
	if len(keys.Left) == 0 {
		return unique, false
	}
	for side, in := range x.Inputs() {
		changes := logical.ChangesOf(in)
		if !changes.Stays {
			return unique, false
		}
		joined := keys.Left
		if side == 1 {
			joined = keys.Right
		}
		unique[side] = uniqueAmong(joined, keys.NullSafe, changes)
		ok = ok || unique[side] != nil
	}
	return unique, ok
}

// uniqueAmong are those of the keys of a side that tell its rows apart. A value that is unique but for NULL does where NULL
// equals nothing.
func uniqueAmong(joined []expr.Expr, nullSafe []bool, changes logical.Changes) (out []expr.Expr) {
	for _, k := range changes.Keys {
		if len(k) == 0 || !k.In(logical.Columns(joined)) {
			continue
		}
		for _, e := range joined {
			if c, ok := e.(*expr.Column); ok && slices.Contains(k, c.Index) {
				out = append(out, e)
			}
		}
		return out
	}
	for i, e := range joined {
		at, ok := logical.PathOf(e)
		if ok && !nullSafe[i] && slices.ContainsFunc(changes.Unique, func(p connector.Path) bool { return slices.Equal(p, at) }) {
			return []expr.Expr{e}
		}
	}
	return nil
}
