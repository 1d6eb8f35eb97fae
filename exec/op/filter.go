package op

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Filter passes on the rows on which all conditions are TRUE.
type Filter struct {
	Conds []expr.Expr
	// Keep lists the input columns to pass on; nil means all.
	Keep []int
}

// String implements Spec.
func (s *Filter) String() string {
	return "Filter(" + expr.And(s.Conds...).String() + ")"
}

// New implements Spec.
func (s *Filter) New() Operator { return &filter{spec: s} }

type filter struct {
	spec  *Filter
	conds *expr.Filter
	out   vector.Batch
	own   []vector.Column
	cols  []*vector.Column // all of own
	kinds []vector.RowKind
}

func (f *filter) Open(c *Context) (err error) {
	f.conds, err = expr.NewFilter(f.spec.Conds, c.Env)
	return err
}

func (f *filter) Process(_ int, b *vector.Batch, out Output) error {
	sel, all, err := f.conds.Select(b.Cols, b.Len)
	switch {
	case err != nil:
		return err
	case all && f.spec.Keep == nil:
		return out.Emit(b)
	case all:
		f.out = vector.Batch{Len: b.Len, Kinds: b.Kinds, Cols: f.out.Cols[:0]}
		for _, k := range f.spec.Keep {
			f.out.Cols = append(f.out.Cols, b.Cols[k])
		}
		return out.Emit(&f.out)
	case len(sel) == 0:
		return nil
	}
	f.take(b, sel)
	return out.Emit(&f.out)
}

func (f *filter) take(b *vector.Batch, sel []int32) {
	n := len(b.Cols)
	if f.spec.Keep != nil {
		n = len(f.spec.Keep)
	}
	f.out = vector.Batch{Len: len(sel), Cols: f.columns(n)}
	for i, o := range f.out.Cols {
		k := i
		if f.spec.Keep != nil {
			k = f.spec.Keep[i]
		}
		vector.Take(o, b.Cols[k], sel)
	}
	if b.Kinds != nil {
		if cap(f.kinds) < len(sel) {
			f.kinds = make([]vector.RowKind, b.Len)
		}
		f.out.Kinds = f.kinds[:len(sel)]
		kernel.Take(f.out.Kinds, b.Kinds, sel)
	}
}

// columns are n columns that the filter owns.
func (f *filter) columns(n int) []*vector.Column {
	if len(f.own) != n {
		f.own, f.cols = owned(n)
	}
	return f.cols
}

func owned(n int) (own []vector.Column, cols []*vector.Column) {
	own, cols = make([]vector.Column, n), make([]*vector.Column, n)
	for i := range own {
		cols[i] = &own[i]
	}
	return own, cols
}

func (f *filter) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

func (f *filter) Close() error { return nil }

func texts(list []expr.Expr, names []string) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = e.String()
		if i < len(names) && names[i] != "" && names[i] != parts[i] {
			parts[i] += " AS " + names[i]
		}
	}
	return strings.Join(parts, ", ")
}
