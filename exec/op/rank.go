package op

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Rank keeps of each partition the rows at the places From to To of an order, counted from 1: Top-N. Rows with
// equal keys are in the order in which they came, unless Newest says otherwise. Its output has the first columns
// of the input, then, with Number, the place as a BIGINT.
//
// Per partition and batch it gives the difference that the batch makes. With Number, and where there is one place,
// that is at most a -U and a +U per place; otherwise a row that leaves is a -D, one that comes is a +I, and the
// former stand before the latter. Where rows share places, a row whose place changes is a -U and a +U (tiedRanks).
//
// Of an input of inserts it remembers the rows of the first To places alone.
type Rank struct {
	// Partition and Order are over the input. No order is the one in which rows come.
	Partition []expr.Expr
	Order     []SortKey
	From, To  int64 // math.MaxInt64 is no end
	// Newest puts of rows with equal keys the one first that came last.
	Newest bool
	// Function is ROW_NUMBER, or RANK or DENSE_RANK where rows with equal keys share a place.
	Function string
	Number   bool
	// Types and Names are those of the columns that are kept and given.
	Types []types.Type
	Names []string
	// Retracts says that the input may hold -U and -D.
	Retracts bool
	// NoUpdateBefore leaves -U rows out, where no consumer needs them.
	NoUpdateBefore bool
	// AtEnd gives the rows when the input has ended, those of a partition in order. The input holds inserts only.
	AtEnd bool
	// Windowed gives the rows of a partition once, when the watermark has reached its time: column Time, a
	// window_time. Rows behind that are dropped and counted.
	Windowed bool
	Time     int
	// TTL forgets a partition whose first places did not change for this long by the clock; 0 never does.
	TTL time.Duration
	// Scattered keeps partitions whose keys are integers near each other apart.
	Scattered bool
	// Until bounds the event time until which rows come to the partition of a row, the same for all its rows: once the
	// watermark has passed one of them it is forgotten. The input holds inserts only, and TTL is 0.
	Until []Until
}

// String implements Spec.
func (s *Rank) String() string {
	var b strings.Builder
	if s.Windowed {
		b.WriteString("Window")
	}
	strategy := "AppendFast"
	if s.Retracts {
		strategy = "Retract"
	}
	if s.AtEnd {
		strategy = "Batch"
	}
	fmt.Fprintf(&b, "Rank(strategy=[%s], ", strategy)
	if len(s.Partition) > 0 {
		fmt.Fprintf(&b, "partitionBy=[%s], ", exprText(s.Partition))
	}
	if len(s.Order) > 0 {
		fmt.Fprintf(&b, "orderBy=[%s], ", SortText(s.Order))
	}
	if s.Function != "ROW_NUMBER" {
		fmt.Fprintf(&b, "function=[%s], ", s.Function)
	}
	fmt.Fprintf(&b, "from=[%d]", s.From)
	if s.To != math.MaxInt64 {
		fmt.Fprintf(&b, ", to=[%d]", s.To)
	}
	if s.Number {
		b.WriteString(", number=[true]")
	}
	b.WriteString(scatteredText(s.Scattered))
	if len(s.Until) > 0 {
		b.WriteString(", until=[" + UntilText(s.Until) + "]")
	}
	return b.String() + ")"
}

// New implements Spec.
func (s *Rank) New() Operator { return &rank{spec: s} }

// byPlace tells that a change is one of what stands at a place.
func (s *Rank) byPlace() bool {
	return s.Function == "ROW_NUMBER" && (s.Number || s.From == s.To)
}

// kept is how many rows of a partition are remembered at most; where they share places tiedRanks says it.
func (s *Rank) kept() int64 {
	if s.Retracts || s.Function != "ROW_NUMBER" {
		return math.MaxInt64
	}
	return s.To
}

type rank struct {
	spec  *Rank
	kept  int64
	store *state.Store
	parts *state.Keyed
	*payload
	*ranked
	code *sortCode
	ev   *expr.Evaluator
	// size is the number of rows of a partition. bar is the complement of the least word that a new row needs not
	// have to be turned away: rows with a word of ^bar or above are none of the first.
	size *state.Pages[int64]
	bar  *state.Pages[uint64]
	// by are the columns by which rows are chosen before they come, and lead is the bar of those that were, where there
	// is one place.
	by   []int
	lead *state.Pages[uint64]
	// copies is how many equal rows there are, where rows may be taken back.
	copies *state.Pages[int64]
	tied   *tiedRanks    // or nil
	timers *state.Timers // or nil
	ttl    *state.TTL    // or nil
	clock  func() time.Time
	now    time.Time
	time   types.EventTime
	expiry *rankExpiry // or nil

	changed rankChanges
	groups  []int32
	sel     []int32
	made    []int32 // rows of the batch
	from    *state.Pages[int32]
	gone    []int32
	dropped []int32
	dead    []int32 // partitions that are over
	scratch []byte
	ids     [1]int32
	late    int64
	lost    int64 // retractions without a row

	cut  []vector.Column // the batch without late rows
	cuts []*vector.Column
}

// Open implements Operator.
func (o *rank) Open(c *Context) error {
	s := o.spec
	exprs := append(slices.Clone(s.Partition), SortExprs(s.Order)...)
	var err error
	if o.ev, err = expr.New(exprs, c.Env); err != nil {
		return err
	}
	o.kept, o.code, o.store = s.kept(), newSortCode(s.Order), c.Store(s)
	keys := make([]types.Type, len(s.Partition))
	for i, e := range s.Partition {
		keys[i] = e.Type()
	}
	o.parts = o.store.Keyed("partitions", nil, keys)
	if s.Scattered {
		o.parts.Scatter()
	}
	if s.Windowed {
		o.timers = state.NewTimers(o.parts, 1)
		o.time = types.EventTime(o.store.Time("time", int64(types.MinTime)))
	}
	if s.TTL > 0 {
		o.ttl, o.clock = state.NewTTL(o.parts, s.TTL), c.Env.Now
	}
	o.size, o.bar = state.NewDerived[int64](o.parts), state.NewDerived[uint64](o.parts)
	o.openChoice()
	o.payload = newPayload(o.parts, "rows", s.Types, s.Partition, s.Retracts)
	o.ranked = newRankedOf(o.parts, o.payload.rows, o.kept)
	o.newest, o.tied = s.Newest, newTiedRanks(o)
	o.from = state.NewDerived[int32](o.payload.rows)
	if s.Retracts {
		o.copies = state.NewPages[int64](o.payload.rows)
	}
	o.changed.open(o, c.MaxRows)
	if err := o.openExpiry(c); err != nil {
		return err
	}
	o.payload.rows.OnRestore(func() { o.restored(c.MaxRows) })
	return o.store.Open()
}

// restored makes what snapshots leave out.
func (o *rank) restored(maxRows int) {
	o.relink()
	for _, v := range o.payload.rows.Groups(nil) {
		g := int32(o.payload.rows.Word(0, v))
		o.size.Set(g, o.size.At(g)+1)
	}
	for _, g := range o.parts.Groups(nil) {
		switch {
		case o.tied == nil:
			o.raise(g)
		case o.size.At(g) > 0:
			o.tied.restored(g)
		}
	}
	if o.expiry != nil {
		o.requeue(maxRows)
	}
}

// Process implements Operator.
func (o *rank) Process(_ int, b *vector.Batch, out Output) error {
	if o.spec.Windowed {
		if b = o.timely(b); b == nil {
			return nil
		}
	}
	o.changed.start()
	if o.ttl != nil {
		o.now = o.clock()
		for _, g := range o.ttl.Sweep(o.now) {
			o.drop(g)
			o.ids[0] = g
			o.parts.Remove(o.ids[:])
		}
	}
	err := o.read(b.Cols, b.Len)
	if err != nil {
		return err
	}
	if o.timers != nil {
		o.arm(b)
	}
	if o.spec.Retracts {
		err = o.revise(b)
	} else {
		err = o.append(b)
	}
	if err == nil {
		err = o.store.Err()
	}
	if err != nil {
		return err
	}
	if !o.spec.AtEnd && !o.spec.Windowed {
		if err := o.changed.emit(out); err != nil {
			return err
		}
	}
	o.forget()
	return nil
}

// read looks the partitions of n rows up and makes their words.
func (o *rank) read(cols []*vector.Column, n int) error {
	keys, err := o.ev.Eval(cols, n)
	if err != nil {
		return err
	}
	k := len(o.spec.Partition)
	o.groups = append(o.groups[:0], o.parts.Lookup(keys[:k], n)...)
	o.code.load(keys[k:], n)
	return nil
}

// forget removes the rows that left in the batch, and partitions without rows.
func (o *rank) forget() {
	o.payload.rows.Remove(o.gone)
	o.gone = o.gone[:0]
	o.payload.rows.Compact()
	if !o.spec.Retracts {
		return
	}
	for _, g := range o.changed.dirty {
		if o.root.At(g) == 0 {
			o.ids[0] = g
			o.parts.Remove(o.ids[:])
		}
	}
	o.parts.Compact()
}

// drop forgets the rows of a partition at once.
func (o *rank) drop(g int32) {
	o.dropped = o.walk(g, o.dropped[:0], math.MaxInt64)
	o.payload.rows.Remove(o.dropped)
	o.root.Set(g, 0)
	o.size.Set(g, 0)
	o.bar.Set(g, 0)
	if o.tied != nil {
		o.tied.forget(g)
	}
}

// Close implements Operator.
func (o *rank) Close() error { return nil }

// Counters implements Counted.
func (o *rank) Counters() []Counter {
	var out []Counter
	if o.spec.Windowed {
		out = append(out, Counter{"late rows", o.late})
	}
	if o.spec.Retracts {
		out = append(out, Counter{"unmatched retractions", o.lost})
	}
	return out
}
