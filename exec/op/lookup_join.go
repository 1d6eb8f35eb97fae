package op

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// LookupJoin joins each row with those that a table has for it. The output has the input's columns, then the
// table's, and the kinds of the input; what is taken back finds the same rows again.
type LookupJoin struct {
	// Kind is InnerJoin or LeftJoin.
	Kind JoinKind
	// Keys, over the input, are compared with those of the table.
	Keys  []expr.Expr
	Table *LookupTable
	// Residual are further conjuncts, over the columns of both.
	Residual []expr.Expr
	// Width is the number of the input's columns; Names are the output's.
	Width int
	Names []string
}

// String implements Spec.
func (s *LookupJoin) String() string {
	parts := make([]string, len(s.Keys))
	for i, k := range s.Keys {
		parts[i] = s.Table.Keys[i].String() + " = " + k.String()
	}
	text := "LookupJoin(table=[" + s.Table.Name + "], joinType=[" + s.Kind.String() + "], lookup=[" + strings.Join(parts, ", ") + "]"
	for _, c := range s.Table.Steps {
		if len(c.Where) > 0 {
			text += ", tableWhere=[" + expr.And(c.Where...).String() + "]"
		}
	}
	if len(s.Residual) > 0 {
		text += ", where=[" + expr.And(s.Residual...).String() + "]"
	}
	return text + ", select=[" + strings.Join(s.Names, ", ") + "])"
}

// New implements Spec.
func (s *LookupJoin) New() Operator { return &lookupJoin{spec: s} }

type lookupJoin struct {
	spec    *LookupJoin
	rows    *lookupRows
	eval    *expr.Evaluator
	keys    *vector.Keys
	filter  *expr.Filter
	used    []int // columns that the filter reads
	maxRows int

	found  []int32
	hashes []uint64
	// at and codes are pairs: a row of the batch, and one of the table.
	at, codes []int32
	kept      []int32
	own       []vector.Column
	cols      []*vector.Column
	tested    []*vector.Column
	kinds     []vector.RowKind
	out       vector.Batch
}

// Open implements Operator.
func (o *lookupJoin) Open(c *Context) (err error) {
	s := o.spec
	if o.rows, err = s.Table.load(c); err != nil {
		return err
	}
	if o.eval, err = expr.New(s.Keys, c.Env); err != nil {
		return err
	}
	if len(s.Residual) > 0 {
		if o.filter, err = expr.NewFilter(s.Residual, c.Env); err != nil {
			return err
		}
		o.used = expr.Columns(s.Residual...)
	}
	o.keys, o.maxRows = vector.NewKeys(s.Table.KeyTypes), c.MaxRows
	o.own, o.tested = owned(s.Width + len(s.Table.Types))
	o.cols = make([]*vector.Column, len(o.own))
	return nil
}

// Process implements Operator.
func (o *lookupJoin) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.eval.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	o.keys.Load(keys, b.Len)
	if cap(o.found) < b.Len {
		o.found, o.hashes = make([]int32, b.Len), make([]uint64, b.Len)
	}
	o.found = o.found[:b.Len]
	o.rows.find(o.found, o.keys, o.hashes[:b.Len])
	if o.rows.single && o.filter == nil {
		return o.one(b, out)
	}
	return o.many(b, out)
}

// one is the way of a table whose keys have one row each.
func (o *lookupJoin) one(b *vector.Batch, out Output) error {
	if o.spec.Kind == LeftJoin {
		for i, k := range o.found {
			if k < 0 {
				o.found[i] = o.rows.absent
			}
		}
		return o.emit(b, nil, o.found, out)
	}
	o.at, o.codes = o.at[:0], o.codes[:0]
	for i, k := range o.found {
		if k >= 0 {
			o.at, o.codes = append(o.at, int32(i)), append(o.codes, k)
		}
	}
	switch len(o.at) {
	case 0:
		return nil
	case b.Len:
		return o.emit(b, nil, o.found, out)
	}
	return o.emit(b, o.at, o.codes, out)
}

// many lists the pairs of rows until there are enough of them. Those of one row stay together: it must be known
// whether any is left.
func (o *lookupJoin) many(b *vector.Batch, out Output) error {
	first, left := o.rows.first, o.spec.Kind == LeftJoin
	o.at, o.codes = o.at[:0], o.codes[:0]
	for i, k := range o.found {
		switch {
		case k >= 0:
			for v := first[k]; v < first[k+1]; v++ {
				o.at, o.codes = append(o.at, int32(i)), append(o.codes, v)
			}
		case left:
			o.at, o.codes = append(o.at, int32(i)), append(o.codes, o.rows.absent)
		}
		if len(o.at) >= o.maxRows {
			if err := o.pass(b, out); err != nil {
				return err
			}
		}
	}
	return o.pass(b, out)
}

// pass gives the pairs that the residual condition keeps, in pieces.
func (o *lookupJoin) pass(b *vector.Batch, out Output) error {
	if len(o.at) == 0 {
		return nil
	}
	if err := o.test(b); err != nil {
		return err
	}
	for from := 0; from < len(o.at); from += o.maxRows {
		to := min(from+o.maxRows, len(o.at))
		if err := o.emit(b, o.at[from:to], o.codes[from:to], out); err != nil {
			return err
		}
	}
	o.at, o.codes = o.at[:0], o.codes[:0]
	return nil
}

// test drops the pairs that the condition does not keep. A row that has none left is paired with NULLs where the
// join keeps it.
func (o *lookupJoin) test(b *vector.Batch) error {
	if o.filter == nil {
		return nil
	}
	for _, i := range o.used {
		o.load(&o.own[i], b, i, o.at, o.codes)
	}
	sel, all, err := o.filter.Select(o.tested, len(o.at))
	if err != nil || all && o.spec.Kind != LeftJoin {
		return err
	}
	o.kept = o.kept[:0]
	if all {
		for i := range o.at {
			o.kept = append(o.kept, int32(i))
		}
	} else {
		o.kept = append(o.kept, sel...)
	}
	if o.spec.Kind != LeftJoin {
		for k, i := range o.kept {
			o.at[k], o.codes[k] = o.at[i], o.codes[i]
		}
		o.at, o.codes = o.at[:len(o.kept)], o.codes[:len(o.kept)]
		return nil
	}
	o.keepLeft()
	return nil
}

// keepLeft keeps of each row the pairs in kept, or one with NULLs. No row gets more pairs than it had.
func (o *lookupJoin) keepLeft() {
	n, k := 0, 0
	for i := 0; i < len(o.at); {
		row, some := o.at[i], false
		for ; i < len(o.at) && o.at[i] == row; i++ {
			if k < len(o.kept) && o.kept[k] == int32(i) {
				k++
				if o.codes[i] != o.rows.absent {
					o.at[n], o.codes[n] = row, o.codes[i]
					n++
					some = true
				}
			}
		}
		if !some {
			o.at[n], o.codes[n] = row, o.rows.absent
			n++
		}
	}
	o.at, o.codes = o.at[:n], o.codes[:n]
}

// load makes out column i of pairs.
func (o *lookupJoin) load(out *vector.Column, b *vector.Batch, i int, at, codes []int32) {
	if i < o.spec.Width {
		vector.Take(out, b.Cols[i], at)
		return
	}
	out.SetDict(o.spec.Table.Types[i-o.spec.Width], codes, o.rows.columns[i-o.spec.Width])
}

// emit gives pairs; without positions every row of the batch is in one.
func (o *lookupJoin) emit(b *vector.Batch, at, codes []int32, out Output) error {
	for i := range o.own {
		if at == nil && i < o.spec.Width {
			o.cols[i] = b.Cols[i]
			continue
		}
		o.load(&o.own[i], b, i, at, codes)
		o.cols[i] = &o.own[i]
	}
	o.out.Len, o.out.Cols, o.out.Kinds = len(codes), o.cols, b.Kinds
	if at != nil && b.Kinds != nil {
		o.kinds = takeKinds(o.kinds, b, at)
		o.out.Kinds = o.kinds
	}
	return out.Emit(&o.out)
}

// Advance implements Operator.
func (o *lookupJoin) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *lookupJoin) Close() error { return nil }
