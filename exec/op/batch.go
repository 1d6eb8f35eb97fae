package op

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// owned are n columns of an operator's own, as a batch of them is made of.
func owned(n int) (own []vector.Column, cols []*vector.Column) {
	own, cols = make([]vector.Column, n), make([]*vector.Column, n)
	for i := range own {
		cols[i] = &own[i]
	}
	return own, cols
}

// gatherer takes the rows of a selection from the columns that somebody reads.
type gatherer struct {
	used []int
	kept []vector.Column
	cols []*vector.Column
}

// newGatherer reads the columns that expressions do.
func newGatherer(exprs []expr.Expr) gatherer { return gathererOf(expr.Columns(exprs...)) }

// gathererOf reads columns by position.
func gathererOf(used []int) gatherer {
	return gatherer{used: used, kept: make([]vector.Column, len(used))}
}

// take are the rows of a selection; columns that nobody reads are nil. They are lent until the next call.
func (g *gatherer) take(b *vector.Batch, sel []int32) []*vector.Column {
	if len(g.cols) != len(b.Cols) {
		g.cols = make([]*vector.Column, len(b.Cols))
	}
	for k, i := range g.used {
		vector.Take(&g.kept[k], b.Cols[i], sel)
		g.cols[i] = &g.kept[k]
	}
	return g.cols
}

// picked are rows of all columns.
type picked struct {
	own  []vector.Column
	cols []*vector.Column
}

// take are some rows of columns. They are lent until the next call.
func (p *picked) take(cols []*vector.Column, rows []int32) []*vector.Column {
	if len(p.own) < len(cols) {
		p.own, p.cols = owned(len(cols))
	}
	for i, c := range cols {
		vector.Take(p.cols[i], c, rows)
	}
	return p.cols[:len(cols)]
}

// allColumns are the positions of n columns.
func allColumns(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// changed tells that there are others than inserts.
func changed(kinds []vector.RowKind) bool {
	for _, k := range kinds {
		if k != vector.Insert {
			return true
		}
	}
	return false
}

// exprText lists expressions as EXPLAIN shows them.
func exprText(list []expr.Expr) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = e.String()
	}
	return strings.Join(parts, ", ")
}

// anyNull tells that a column with marks of its NULLs has some.
func anyNull(c *vector.Column) bool { return kernel.Count(c.Valid) < c.Len }

// sized is a list of n elements, which have any values.
func sized[T any](list []T, n int) []T {
	if cap(list) < n {
		list = make([]T, n+n/2)
	}
	return list[:n]
}

// zeros is a list of n zeros. Append of a made slice would cost memory where the compiler instruments.
func zeros[T any](list []T, n int) []T {
	list = sized(list, n)
	clear(list)
	return list
}
