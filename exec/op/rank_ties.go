package op

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// RankTies keeps the rows of each window, or of each part of one, that are first in an order, all those that share the
// place: RANK of 1. It gives them once, when the watermark has reached the window's time, in the order in which they came.
// Rows behind that are dropped and counted. The input holds inserts only.
type RankTies struct {
	// Partition are columns of the input, the bounds of the window among them.
	Partition []expr.Expr
	// Order is a column that TiesOver holds for.
	Order SortKey
	// Time is the position of the window_time. Types and Names are those of all columns.
	Time  int
	Types []types.Type
	Names []string
}

// TiesOver tells the types whose order RankTies goes by: numbers of at most 64 bits, equal ones of which have equal bits.
func TiesOver(t types.Type) bool {
	p := t.Physical()
	return p >= types.PhysInt8 && p <= types.PhysInt64 && (t.Kind != types.Decimal || t.Precision <= narrowDigits)
}

// narrowDigits is the precision up to which every DECIMAL fits 64 bits.
const narrowDigits = 18

// String implements Spec.
func (s *RankTies) String() string {
	return "WindowRank(strategy=[Ties], " + tiesText(s.Partition, s.Order)
}

func tiesText(partition []expr.Expr, order SortKey) string {
	return "partitionBy=[" + exprText(partition) + "], orderBy=[" + order.String() + "], function=[RANK], from=[1], to=[1])"
}

// New implements Spec.
func (s *RankTies) New() Operator { return &rankTies{spec: s} }

type rankTies struct {
	spec  *RankTies
	store *state.Store
	firsts
	*payload
	// last is the row of a partition that came last, plus one; next is the one behind a row, behind the last the first.
	last, next *state.Pages[int32]

	groups, ids []int32
	maxRows     int
	own         []vector.Column
	out         vector.Batch
}

// Open implements Operator.
func (o *rankTies) Open(c *Context) error {
	s := o.spec
	o.store, o.maxRows = c.Store(s), c.MaxRows
	o.time = types.EventTime(o.store.Time("time", int64(types.MinTime)))
	if err := o.open(c, o.store, s.Partition, s.Order, s.Time); err != nil {
		return err
	}
	o.last = state.NewDerived[int32](o.parts)
	o.payload = newPayload(o.parts, "rows", s.Types, s.Partition, false)
	o.next = state.NewDerived[int32](o.payload.rows)
	o.payload.rows.OnRestore(func() {
		for _, v := range o.payload.rows.Groups(nil) {
			o.link(int32(o.payload.rows.Word(0, v)), v)
		}
	})
	o.own, o.out.Cols = owned(len(s.Types))
	return o.store.Open()
}

// link puts a row behind those of a partition.
func (o *rankTies) link(g, v int32) {
	if was := o.last.At(g) - 1; was >= 0 {
		o.next.Set(v, o.next.At(was))
		o.next.Set(was, v)
	} else {
		o.next.Set(v, v)
	}
	o.last.Set(g, v+1)
}

// rowsOf appends the rows of a partition, in their order.
func (o *rankTies) rowsOf(g int32, out []int32) []int32 {
	last := o.last.At(g) - 1
	if last < 0 {
		return out
	}
	for v := o.next.At(last); ; v = o.next.At(v) {
		if out = append(out, v); v == last {
			return out
		}
	}
}

// Process implements Operator.
func (o *rankTies) Process(_ int, b *vector.Batch, _ Output) error {
	rows, err := o.choose(b)
	if err != nil || len(rows) == 0 {
		return err
	}
	o.ids = o.ids[:0]
	for _, g := range o.raised {
		o.ids = o.rowsOf(g, o.ids)
		o.last.Set(g, 0)
	}
	o.payload.rows.Remove(o.ids)
	o.ids, o.groups = o.ids[:0], o.groups[:0]
	for _, r := range rows {
		v, g := o.payload.rows.Reserve(), o.group(r)
		o.link(g, v)
		o.ids, o.groups = append(o.ids, v), append(o.groups, g)
	}
	o.payload.fill(o.ids, o.groups, b.Cols, rows)
	o.payload.rows.Compact()
	return o.store.Err()
}

// Advance implements Operator.
func (o *rankTies) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if t <= o.time {
		return t, nil
	}
	o.store.SetTime("time", int64(t))
	due := o.pass(t)
	if len(due) == 0 {
		return t, nil
	}
	o.ids = o.ids[:0]
	for _, g := range due {
		o.ids = o.rowsOf(g, o.ids)
	}
	for rows := range slices.Chunk(o.ids, o.maxRows) {
		o.lend(o.own, rows)
		o.out.Len = len(rows)
		if err := out.Emit(&o.out); err != nil {
			return t, err
		}
	}
	o.payload.rows.Remove(o.ids)
	o.last.Zero(due)
	o.forget(due)
	o.payload.rows.Compact()
	return t, nil
}

// Close implements Operator.
func (o *rankTies) Close() error { return nil }

// Counters implements Counted.
func (o *rankTies) Counters() []Counter { return []Counter{{"late rows", o.late}} }
