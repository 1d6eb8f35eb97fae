package op

import (
	"fmt"
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
	Drop    bool
}

// String implements Spec.
func (c *ConstraintEnforcer) String() string {
	mode := "ERROR"
	if c.Drop {
		mode = "DROP"
	}
	return "ConstraintEnforcer(notNull=[" + strings.Join(c.Names, ", ") + "], mode=" + mode + ")"
}

// New implements Spec.
func (c *ConstraintEnforcer) New() Operator { return &enforcer{spec: c} }

type enforcer struct {
	spec *ConstraintEnforcer
	keep []uint64
	sel  []int32
	cols []vector.Column
	list []*vector.Column
	out  vector.Batch
}

func (e *enforcer) Open(*Context) error { return nil }

func (e *enforcer) Process(_ int, b *vector.Batch, out Output) error {
	drop := false
	for k, i := range e.spec.Columns {
		row := firstNull(b.Cols[i], b.Len)
		if row < 0 {
			continue
		}
		if !e.spec.Drop {
			return fmt.Errorf("column '%s' is NOT NULL, but a NULL value is being written into it; filter such rows out, or "+
				"set 'table.exec.sink.not-null-enforcer' = 'DROP'", e.spec.Names[k])
		}
		drop = true
	}
	if !drop {
		return out.Emit(b)
	}
	return e.emitKept(b, out)
}

// firstNull is the first NULL row of c, or -1.
func firstNull(c *vector.Column, n int) int {
	if c.Enc == vector.Flat && c.Valid == nil && c.Type.Kind != types.Null {
		return -1
	}
	for i := range n {
		if c.Null(i) {
			return i
		}
	}
	return -1
}

func (e *enforcer) emitKept(b *vector.Batch, out Output) error {
	if len(e.keep) < kernel.Words(b.Len) {
		e.keep = make([]uint64, kernel.Words(b.Len))
	}
	keep := e.keep[:kernel.Words(b.Len)]
	kernel.Fill(keep, b.Len)
	for _, i := range e.spec.Columns {
		for row := range b.Len {
			if b.Cols[i].Null(row) {
				kernel.ClearBit(keep, row)
			}
		}
	}
	if !kernel.Any(keep) {
		return nil
	}
	e.sel = append(e.sel[:0], make([]int32, b.Len)...)
	sel := e.sel[:kernel.Indices(e.sel, keep)]
	e.cols = make([]vector.Column, len(b.Cols))
	e.list = e.list[:0]
	for i, c := range b.Cols {
		vector.Take(&e.cols[i], c, sel)
		e.list = append(e.list, &e.cols[i])
	}
	e.out = vector.Batch{Len: len(sel), Cols: e.list}
	if b.Kinds != nil {
		for _, i := range sel {
			e.out.Kinds = append(e.out.Kinds, b.Kinds[i])
		}
	}
	return out.Emit(&e.out)
}

func (e *enforcer) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

func (e *enforcer) Close() error { return nil }
