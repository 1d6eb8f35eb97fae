package op

import (
	"slices"
	"time"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// heldAggregate is a GROUP BY that gives the changes of many batches at once. What it was before the first of them it
// remembers beside the state, which it gives before each snapshot.
type heldAggregate struct {
	groupAggregate
	holding
	// held are the groups that rows came to: those that were there before, whose values then are in was, and the others. The
	// mark of each is the operator's now.
	held, made []int32
	was        []*vector.Builder
	all        []vector.Column // of was
	gone       []int32
}

// Open implements Operator.
func (o *heldAggregate) Open(c *Context) error {
	o.open(o.spec.MiniBatch)
	o.now = 1
	o.was, o.all = make([]*vector.Builder, len(o.spec.Aggs)), make([]vector.Column, len(o.spec.Aggs))
	return o.groupAggregate.Open(c)
}

// Process implements Operator.
func (o *heldAggregate) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.eval(b)
	if err != nil {
		return err
	}
	var now time.Time
	if o.ttl != nil {
		now = o.clock()
		if err := o.lapse(o.ttl.Sweep(now), out); err != nil {
			return err
		}
	}
	groups := o.table.Lookup(keys, b.Len)
	fresh := o.table.Fresh()
	o.touch(groups, fresh)
	o.table.Own(o.touched)
	if o.ttl != nil {
		fresh = o.expire(fresh, now)
		o.ttl.Touch(groups, now) // those that are held since an earlier batch, which have not expired
	}
	o.remember()
	o.made = append(o.made, fresh...)
	o.apply(b, groups)
	o.empty(groups)
	if err := o.store.Err(); err != nil {
		return err
	}
	if o.hold(b.Len) {
		return o.Flush(out)
	}
	return nil
}

// lapse forgets groups that have expired. Of those that are held the change is given first.
func (o *heldAggregate) lapse(expired []int32, out Output) error {
	if slices.ContainsFunc(expired, func(g int32) bool { return o.batch.At(g) == o.now }) {
		if err := o.Flush(out); err != nil {
			return err
		}
		slices.Sort(o.gone)
		expired = slices.DeleteFunc(expired, func(g int32) bool {
			_, gone := slices.BinarySearch(o.gone, g)
			return gone
		})
	}
	o.remove(expired)
	return nil
}

// remember keeps the values that groups have before their first row.
func (o *heldAggregate) remember() {
	o.held = append(o.held, o.touched...)
	if o.changes.latest || len(o.touched) == 0 {
		return
	}
	for i, acc := range o.accs {
		c := &o.changes.old[i]
		acc.Value(o.touched, c)
		if o.was[i] == nil {
			o.was[i] = vector.NewBuilder(c.Type)
		}
		for k := range o.touched {
			o.was[i].AppendValue(c, k)
		}
	}
}

// empty forgets what the groups of a batch were whose last row was taken back: what comes to them later begins anew.
func (o *heldAggregate) empty(groups []int32) {
	if o.rows == nil {
		return
	}
	o.gone = o.gone[:0]
	for _, g := range groups {
		if o.rows.At(g) <= 0 {
			o.gone = append(o.gone, g)
		}
	}
	if len(o.gone) == 0 {
		return
	}
	slices.Sort(o.gone)
	o.gone = slices.Compact(o.gone)
	for _, g := range o.gone {
		o.unmatched -= o.rows.At(g)
	}
	o.rows.Zero(o.gone)
	o.clear(o.gone)
}

// Flush implements Holder: it gives the changes.
func (o *heldAggregate) Flush(out Output) error {
	defer o.given()
	if len(o.held)+len(o.made) == 0 {
		return nil
	}
	for i, b := range o.was {
		if b != nil {
			b.Finish(&o.all[i])
		}
	}
	o.gone = o.gone[:0]
	if err := o.give(o.held, true, out); err != nil {
		return err
	}
	if err := o.give(o.made, false, out); err != nil {
		return err
	}
	for _, b := range o.was {
		if b != nil {
			b.Reset()
		}
	}
	o.remove(o.gone)
	o.table.Compact()
	o.held, o.made = o.held[:0], o.made[:0]
	o.now++
	return nil
}

// give emits the changes of groups, a batch at a time; before says that they were there.
func (o *heldAggregate) give(groups []int32, before bool, out Output) error {
	ch := &o.changes
	for from := 0; from < len(groups); from += ch.maxRows {
		part := groups[from:min(from+ch.maxRows, len(groups))]
		if !before {
			ch.start(nil, part)
		} else if ch.start(part, nil); !ch.latest {
			for i := range ch.old {
				vector.Slice(&ch.old[i], &o.all[i], from, len(part))
			}
		}
		o.gone = append(o.gone, o.dead()...)
		for i, acc := range o.accs {
			acc.Value(part, &ch.new[i])
		}
		if err := ch.emit(o.table, out); err != nil {
			return err
		}
	}
	return nil
}

// Tick implements Clocked.
func (o *heldAggregate) Tick(now types.EventTime, out Output) error {
	if o.ticked(now) {
		return o.Flush(out)
	}
	return nil
}

// Advance implements Operator. As the output has no event time, watermarks need not wait for what is held.
func (o *heldAggregate) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if t == types.MaxTime {
		return t, o.Flush(out)
	}
	return t, nil
}
