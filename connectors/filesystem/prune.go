package filesystem

import (
	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/vector"
)

// pruner tells by its path that a file has no row of interest: conditions on partition keys are the same for all its
// rows. The engine applies them all the same.
type pruner struct {
	source *source
	keys   []int // that conditions read
	filter *expr.Filter
	cols   []*vector.Column
}

// pruned keeps the conditions that a path decides.
func pruned(t *connector.Table, filters []expr.Expr) (out []expr.Expr) {
	for _, f := range filters {
		keys := expr.Columns(f)
		decided := len(keys) > 0 && expr.Pure(f)
		for _, k := range keys {
			decided = decided && isKey(t, k)
		}
		if decided {
			out = append(out, f)
		}
	}
	return out
}

func (s *source) pruner() (*pruner, error) {
	if len(s.filters) == 0 {
		return nil, nil
	}
	f, err := expr.NewFilter(s.filters, s.table.Env)
	if err != nil {
		return nil, err
	}
	return &pruner{s, expr.Columns(s.filters...), f, make([]*vector.Column, len(s.table.Columns))}, nil
}

// drops tells that no row of a file is wanted. A path that cannot be read is for the reader to complain of.
func (p *pruner) drops(path string) (bool, error) {
	if p == nil {
		return false, nil
	}
	for _, k := range p.keys {
		c, err := p.source.partitionValue(p.source.table.Columns[k], path)
		if err != nil {
			return false, nil
		}
		p.cols[k] = c
	}
	sel, all, err := p.filter.Select(p.cols, 1)
	return !all && len(sel) == 0, err
}
