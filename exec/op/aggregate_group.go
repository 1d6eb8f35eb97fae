package op

import (
	"slices"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// New implements Spec.
func (s *GroupAggregate) New() Operator {
	if s.MiniBatch.Latency > 0 {
		return &heldAggregate{groupAggregate: groupAggregate{spec: s}}
	}
	return &groupAggregate{spec: s}
}

type groupAggregate struct {
	spec  *GroupAggregate
	store *state.Store
	table *state.Keyed
	*aggregation
	// rows is how many rows a group has, where they may be taken back.
	rows *state.Pages[int64]
	// batch is the number of the batch that touched a group last.
	batch *state.Pages[uint32]
	now   uint32
	ttl   *state.TTL // or nil
	clock func() time.Time
	// expiry is that of groups to which no row comes any more, or nil.
	expiry *groupExpiry

	changes   changes
	touched   []int32
	renewed   []int32 // fresh groups, with those that had expired
	adds      []uint64
	takes     []uint64
	unmatched int64
}

// Open implements Operator.
func (o *groupAggregate) Open(c *Context) error {
	calls, err := o.spec.compile(c.Env)
	if err != nil {
		return err
	}
	calls.removes, calls.lasts = o.spec.Retracts || o.spec.TTL > 0 || len(o.spec.Until) > 0, !o.spec.Scattered
	o.store = c.Store(o.spec)
	o.table = o.store.Keyed("groups", nil, calls.keyTypes())
	if o.spec.Scattered {
		o.table.Scatter()
	}
	o.batch = state.NewDerived[uint32](o.table)
	if o.spec.Retracts {
		o.rows = state.NewPages[int64](o.table)
	}
	if o.spec.TTL > 0 {
		o.ttl, o.clock = state.NewTTL(o.table, o.spec.TTL), c.Env.Now
	}
	if err := o.openExpiry(c); err != nil {
		return err
	}
	o.aggregation = calls.bind(o.table)
	o.changes.open(c.MaxRows, len(o.spec.Keys), len(o.spec.Aggs), !o.spec.NoUpdateBefore, o.spec.TTL > 0 || o.spec.alwaysChanges())
	o.changes.latest = o.changes.always && o.spec.NoUpdateBefore && !o.spec.Retracts
	return o.store.Open()
}

// compile makes the calls.
func (s *GroupAggregate) compile(env *function.Env) (*calls, error) {
	if s.Phase == Final {
		return newMerges(s.Keys, s.Aggs, s.Retracts, env)
	}
	c, list := planSets(s.Keys, s.Aggs, s.Retracts, s.Apart)
	return c.compile(list, env)
}

// alwaysChanges tells that every row changes its group's result: it is counted.
func (s *GroupAggregate) alwaysChanges() bool {
	return !s.Retracts && slices.ContainsFunc(s.Aggs, func(a AggregateCall) bool {
		return a.Fn.Name == "COUNT" && len(a.Args) == 0 && a.Filter == nil
	})
}

// Process implements Operator.
func (o *groupAggregate) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.eval(b)
	if err != nil {
		return err
	}
	var now time.Time
	if o.ttl != nil {
		now = o.clock()
		o.remove(o.ttl.Sweep(now))
	}
	groups := o.table.Lookup(keys, b.Len)
	if o.spec.AtEnd {
		o.table.Own(groups)
		o.apply(b, groups)
		return o.store.Err()
	}
	fresh := o.table.Fresh()
	if o.expiry != nil {
		if err := o.expiry.queue(o.table, fresh); err != nil {
			return err
		}
	}
	o.now++
	o.touch(groups, fresh)
	o.table.Own(o.touched)
	if o.ttl != nil {
		fresh = o.expire(fresh, now)
	}
	ch := &o.changes
	for i, acc := range o.accs {
		if !ch.latest {
			acc.Value(o.touched, &ch.old[i])
		}
	}
	o.apply(b, groups)
	if err := o.store.Err(); err != nil {
		return err
	}
	ch.start(o.touched, fresh)
	dead := o.dead()
	for i, acc := range o.accs {
		acc.Value(ch.groups, &ch.new[i])
	}
	if err := ch.emit(o.table, out); err != nil {
		return err
	}
	o.remove(dead)
	o.table.Compact() // of texts that were replaced, too
	return nil
}

// remove forgets groups.
func (o *groupAggregate) remove(groups []int32) {
	if len(groups) == 0 {
		return
	}
	o.clear(groups)
	o.table.Remove(groups)
}

// expire stamps the groups of a batch. Those that had expired are emptied, and are fresh again.
func (o *groupAggregate) expire(fresh []int32, now time.Time) []int32 {
	o.ttl.Touch(fresh, now)
	expired := o.ttl.Touch(o.touched, now)
	if len(expired) == 0 {
		return fresh
	}
	o.clear(expired)
	if o.rows != nil {
		o.rows.Zero(expired)
	}
	o.renewed = append(append(o.renewed[:0], fresh...), expired...)
	o.touched = slices.DeleteFunc(o.touched, func(g int32) bool { // expired has them in the same order
		was := len(expired) > 0 && expired[0] == g
		if was {
			expired = expired[1:]
		}
		return was
	})
	return o.renewed
}

// touch lists the groups of the batch that were there before it, each once, and not those that have the mark now already.
func (o *groupAggregate) touch(groups, fresh []int32) {
	o.touched = o.touched[:0]
	pages, now := o.batch.All(), o.now
	for _, g := range fresh {
		pages[g>>state.PageShift][g&state.PageMask] = now
	}
	for _, g := range groups {
		if at := &pages[g>>state.PageShift][g&state.PageMask]; *at != now {
			*at = now
			o.touched = append(o.touched, g)
		}
	}
}

// apply adds what a batch brings, then takes back what it takes: a row and its retraction may come together.
func (o *groupAggregate) apply(b *vector.Batch, groups []int32) {
	if o.spec.Phase == Final {
		n := o.mergeRows(b, groups)
		if o.spec.Retracts {
			addLongs(o.rows.All(), groups, n)
		}
		return
	}
	if !o.spec.Retracts {
		o.update(groups, nil, false)
		return
	}
	rows := o.rows.All()
	if b.Kinds == nil {
		for _, g := range groups {
			rows[g>>state.PageShift][g&state.PageMask]++
		}
		o.update(groups, nil, false)
		return
	}
	o.adds, o.takes = split(b.Kinds, o.adds, o.takes)
	for i, g := range groups {
		by := int64(-1)
		if b.Kinds[i].Adds() {
			by = 1
		}
		rows[g>>state.PageShift][g&state.PageMask] += by
	}
	o.update(groups, o.adds, false)
	o.update(groups, o.takes, true)
}

func addLongs(pages [][]int64, groups []int32, v []int64) {
	v = v[:len(groups)]
	for i, g := range groups {
		pages[g>>state.PageShift][g&state.PageMask] += v[i]
	}
}

// split makes the masks of the rows that add and of those that take back.
func split(kinds []vector.RowKind, adds, takes []uint64) (a, t []uint64) {
	w := (len(kinds) + 63) / 64
	if cap(adds) < w {
		adds, takes = make([]uint64, w+w/2), make([]uint64, w+w/2)
	}
	adds, takes = adds[:w], takes[:w]
	clear(adds)
	clear(takes)
	for i, k := range kinds {
		bit := uint64(1) << (uint(i) & 63)
		if k.Adds() {
			adds[i>>6] |= bit
		} else {
			takes[i>>6] |= bit
		}
	}
	return adds, takes
}

// dead lists the groups without rows, and tells the changes.
func (o *groupAggregate) dead() []int32 {
	ch := &o.changes
	ch.dead = ch.dead[:0]
	if !o.spec.Retracts {
		return nil
	}
	for i, g := range ch.groups {
		if n := o.rows.At(g); n <= 0 {
			o.unmatched -= n
			ch.die(i, g)
		}
	}
	return ch.dead
}

// Advance implements Operator.
func (o *groupAggregate) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if o.expiry != nil && t != types.MaxTime {
		o.over(t)
		return t, nil
	}
	if !o.spec.AtEnd || t != types.MaxTime {
		return t, nil
	}
	o.touched = o.table.Groups(o.touched[:0])
	for from := 0; from < len(o.touched); from += o.changes.maxRows {
		ch := &o.changes
		ch.start(nil, o.touched[from:min(from+ch.maxRows, len(o.touched))])
		for i, acc := range o.accs {
			acc.Value(ch.groups, &ch.new[i])
		}
		if err := ch.emit(o.table, out); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Close implements Operator.
func (o *groupAggregate) Close() error { return nil }

// Counters implements Counted.
func (o *groupAggregate) Counters() []Counter {
	return []Counter{{"unmatched retractions", o.unmatched}}
}
