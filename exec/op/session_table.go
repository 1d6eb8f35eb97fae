package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// sessionTable is a WindowTable of sessions: it holds rows until their session closes, for only then its bounds are
// known. Rows of a session are a ring in the order in which they came.
type sessionTable struct {
	spec *WindowTable
	ev   *expr.Evaluator
	sessions
	held    *payload
	at      *state.Pages[int64] // the time of each row, on the axis
	next    *state.Pages[int32] // of each row, plus one
	tail    *state.Pages[int32] // of each session, plus one
	maxRows int

	rows, from, of, keysOf []int32
	own                    []vector.Column
	out                    vector.Batch
	dropped                int64 // late rows
	unended                int64 // rows of sessions that the end of input dropped
}

// Open implements Operator.
func (o *sessionTable) Open(c *Context) error {
	var err error
	if o.ev, err = expr.New(o.spec.Keys, c.Env); err != nil {
		return err
	}
	keyTypes := make([]types.Type, len(o.spec.Keys))
	for i, k := range o.spec.Keys {
		keyTypes[i] = k.Type()
	}
	o.maxRows = c.MaxRows
	o.sessions.declare(c.Store(o.spec), o.spec.Window, newAxis(o.spec.Window, o.spec.Zone), keyTypes)
	o.tail = state.NewDerived[int32](o.table)
	o.held = newPayload(o.keys, "rows", o.spec.Types, o.spec.Keys, false)
	o.sessionSpec = sessionSpec{proctime: o.spec.Proctime, drain: o.spec.Drain, end: o.give, counted: o.held.rows}
	o.at, o.next = state.NewPages[int64](o.held.rows), state.NewDerived[int32](o.held.rows)
	o.held.rows.OnRestore(o.rejoin)
	o.own, o.out.Cols = owned(len(o.spec.Types) + 3)
	return o.store.Open()
}

// rejoin finds the sessions of restored rows.
func (o *sessionTable) rejoin() {
	for _, r := range o.held.rows.Groups(nil) {
		v := o.last.At(int32(o.held.rows.Word(0, r))) - 1
		for o.bounds.At(v).start > o.at.At(r) {
			v = o.before.At(v) - 1
		}
		o.link(r, v)
	}
}

// link puts a row at the end of a session.
func (o *sessionTable) link(r, v int32) {
	first := r + 1
	if t := o.tail.At(v); t != 0 {
		first = o.next.At(t - 1)
		o.next.Set(t-1, r+1)
	}
	o.next.Set(r, first)
	o.tail.Set(v, r+1)
}

// Process implements Operator.
func (o *sessionTable) Process(_ int, b *vector.Batch, _ Output) error {
	if b.Kinds != nil && changed(b.Kinds) {
		return errWindowRetracts
	}
	keys, err := o.ev.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	times, err := o.points(b.Cols[o.spec.Time])
	if err != nil {
		return err
	}
	groups := o.keys.Lookup(keys, b.Len)
	o.place(groups, times)
	gone, to := o.settle()
	for i, v := range gone {
		o.append(v, to[i])
	}
	o.forget(gone)
	o.hold(b, groups, times)
	if o.late > 0 {
		o.idle(append([]int32(nil), o.keys.Fresh()...))
	}
	return o.store.Err()
}

// append puts the rows of a session behind those of another one.
func (o *sessionTable) append(v, to int32) {
	t, u := o.tail.At(v), o.tail.At(to)
	switch {
	case t == 0:
		return
	case u != 0:
		first := o.next.At(u - 1)
		o.next.Set(u-1, o.next.At(t-1))
		o.next.Set(t-1, first)
	}
	o.tail.Set(to, t)
}

// hold keeps the rows of a batch that are not late.
func (o *sessionTable) hold(b *vector.Batch, groups []int32, times []int64) {
	o.rows, o.from, o.keysOf = o.rows[:0], o.from[:0], o.keysOf[:0]
	for i, v := range o.ids {
		if v < 0 {
			continue
		}
		r := o.held.rows.Reserve()
		o.at.Set(r, times[i])
		o.link(r, v)
		o.rows, o.from, o.keysOf = append(o.rows, r), append(o.from, int32(i)), append(o.keysOf, groups[i])
	}
	o.held.fill(o.rows, o.keysOf, b.Cols, o.from)
}

// give emits the rows of sessions and forgets them; without an output it drops them.
func (o *sessionTable) give(list []int32, out Output) error {
	o.rows, o.of = o.rows[:0], o.of[:0]
	for _, v := range list {
		last := o.tail.At(v)
		for r := o.next.At(last - 1); ; r = o.next.At(r - 1) {
			o.rows, o.of = append(o.rows, r-1), append(o.of, v)
			if r == last {
				break
			}
		}
	}
	for from := 0; from < len(o.rows) && out != nil; from += o.maxRows {
		to := min(from+o.maxRows, len(o.rows))
		if err := o.emit(o.rows[from:to], o.of[from:to], out); err != nil {
			return err
		}
	}
	o.held.rows.Remove(o.rows)
	o.held.rows.Compact()
	return nil
}

func (o *sessionTable) emit(rows, of []int32, out Output) error {
	k := len(o.spec.Types)
	o.held.values(o.own, rows)
	for c := WindowStart; c <= WindowTime; c++ {
		col := &o.own[k+int(c)]
		col.Reset(windowColumnType(c, o.spec.Zone), len(rows))
		o.column(vector.Alloc[int64](col), c, of)
	}
	o.out.Len = len(rows)
	return out.Emit(&o.out)
}

// Close implements Operator.
func (o *sessionTable) Close() error { return nil }

// Counters implements Counted.
func (o *sessionTable) Counters() []Counter {
	if o.spec.Proctime {
		return []Counter{{"rows of open windows dropped", o.unended}}
	}
	return []Counter{{"late rows dropped", o.dropped}}
}
