package expr

import (
	"fmt"
	"slices"
)

// Walk visits e and its subexpressions, parents first, while visit answers true.
func Walk(e Expr, visit func(Expr) bool) {
	if !visit(e) {
		return
	}
	for _, a := range e.Args() {
		Walk(a, visit)
	}
}

// Rewrite rebuilds e bottom-up: f sees each node with its rewritten arguments and returns the node to
// put there.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	args := e.Args()
	if len(args) > 0 {
		changed := false
		out := make([]Expr, len(args))
		for i, a := range args {
			out[i] = Rewrite(a, f)
			changed = changed || out[i] != a
		}
		if changed {
			e = e.With(out)
		}
	}
	return f(e)
}

// Columns lists the input columns that e reads, ascending, each once.
func Columns(list ...Expr) []int {
	var out []int
	for _, e := range list {
		Walk(e, func(x Expr) bool {
			if c, ok := x.(*Column); ok {
				out = append(out, c.Index)
			}
			return true
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Remap replaces column i by column to[i].
func Remap(e Expr, to map[int]int) Expr {
	return Rewrite(e, func(x Expr) Expr {
		if c, ok := x.(*Column); ok {
			k, found := to[c.Index]
			if !found {
				panic(fmt.Sprintf("expr: column %d (%s) has no place", c.Index, c.Name))
			}
			return &Column{k, c.Name, c.T}
		}
		return x
	})
}

// Inline replaces column i by list[i]: the expression over a projection becomes one over its input.
func Inline(e Expr, list []Expr) Expr {
	return Rewrite(e, func(x Expr) Expr {
		if c, ok := x.(*Column); ok {
			return list[c.Index]
		}
		return x
	})
}

// Pure tells that e has no volatile function.
func Pure(e Expr) bool {
	pure := true
	Walk(e, func(x Expr) bool {
		if c, ok := x.(*Call); ok && c.Fn.Volatile {
			pure = false
		}
		return pure
	})
	return pure
}

// CanFail tells that a lane of e may fail.
func CanFail(e Expr) bool {
	fails := false
	Walk(e, func(x Expr) bool {
		if c, ok := x.(*Call); ok && c.Fn.Fails {
			fails = true
		}
		return !fails
	})
	return fails
}

// Equal tells that two expressions compute the same.
func Equal(a, b Expr) bool { return Key(a) == Key(b) }
