package op

import (
	"strings"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// ConstraintEnforcer stands before a sink with NOT NULL columns whose input may be NULL. A NULL there
// fails the job, or drops the row (`table.exec.sink.not-null-enforcer`).
type ConstraintEnforcer struct {
	Columns []int
	Names   []string // of Columns
	// At are the offsets in the statement of what gives Columns their values; nil, or zeros, where none is known.
	At   [][2]int
	Drop bool
}

// String implements Spec.
func (c *ConstraintEnforcer) String() string {
	mode := "ERROR"
	if c.Drop {
		mode = "DROP"
	}
	return "ConstraintEnforcer(notNull=[" + strings.Join(c.Names, ", ") + "], mode=" + mode + ")"
}

// refuse is the failure at a NULL in the column at i, the k-th of Columns.
func (c *ConstraintEnforcer) refuse(k int, b *vector.Batch, i int) error {
	err := badRow(b, b.Cols[i], "filter such rows out, or SET 'table.exec.sink.not-null-enforcer' = 'DROP'",
		"column '%s' is NOT NULL, but a NULL value is being written into it", c.Names[k])
	if k < len(c.At) {
		err.Pos, err.End = c.At[k][0], c.At[k][1]
	}
	return err
}

// New implements Spec.
func (c *ConstraintEnforcer) New() Operator { return &enforcer{spec: c} }

type enforcer struct {
	spec  *ConstraintEnforcer
	keep  []uint64
	sel   []int32
	kinds []vector.RowKind
	kept  gatherer
	out   vector.Batch
}

func (e *enforcer) Open(*Context) error { return nil }

func (e *enforcer) Process(_ int, b *vector.Batch, out Output) error {
	if len(e.keep) < kernel.Words(b.Len) {
		e.keep = make([]uint64, kernel.Words(b.Len))
	}
	keep, drop := e.keep[:kernel.Words(b.Len)], false
	kernel.Fill(keep, b.Len)
	for k, i := range e.spec.Columns {
		if !clearNulls(keep, b.Cols[i]) {
			continue
		}
		if !e.spec.Drop {
			return e.spec.refuse(k, b, i)
		}
		drop = true
	}
	switch {
	case !drop:
		return out.Emit(b)
	case !kernel.Any(keep):
		return nil
	}
	return e.emitKept(b, keep, out)
}

// clearNulls clears the bits of c's rows that are NULL and tells whether there are any.
func clearNulls(keep []uint64, c *vector.Column) (found bool) {
	switch {
	case c.IsConstNull():
		clear(keep)
		return true
	case c.Enc == vector.Dict:
		for i := range c.Len {
			if c.Null(i) {
				kernel.ClearBit(keep, i)
				found = true
			}
		}
		return found
	case c.Enc == vector.Constant || c.Valid == nil:
		return false
	}
	valid := c.Valid[:len(keep)]
	kernel.And(keep, keep, valid)
	return kernel.Count(valid) < c.Len
}

func (e *enforcer) emitKept(b *vector.Batch, keep []uint64, out Output) error {
	if len(e.sel) < b.Len {
		e.sel = make([]int32, b.Len)
	}
	if len(e.kept.used) != len(b.Cols) {
		e.kept = gathererOf(allColumns(len(b.Cols)))
	}
	sel := e.sel[:kernel.Indices(e.sel, keep)]
	e.kinds = takeKinds(e.kinds, b, sel)
	e.out = vector.Batch{Len: len(sel), Cols: e.kept.take(b, sel)}
	if b.Kinds != nil {
		e.out.Kinds = e.kinds
	}
	return out.Emit(&e.out)
}

func (e *enforcer) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

func (e *enforcer) Close() error { return nil }
