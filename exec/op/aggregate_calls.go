package op

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// calls is the compiled part of an aggregation: which expressions a batch is evaluated to, and what each
// aggregate takes of them. It is shared by all tables of an operator.
type calls struct {
	keys    []expr.Expr
	aggs    []AggregateCall
	retract bool
	// removes says that groups may be removed; lasts says that the sets of values stay as long as the operator.
	removes, lasts bool

	exprs *expr.Evaluator // keys, then distinct arguments, then distinct filters
	plans []callPlan
	args  int // number of argument columns
	sets  []setPlan
	// filters are the columns of filters, behind the arguments.
	filters int

	keyCols []*vector.Column
	flat    []vector.Column // arguments, flat
	masks   [][]uint64      // by filter: the rows that pass, nil for all
	truths  [][]uint64
	bools   []vector.Column
}

// callPlan is what one aggregate reads.
type callPlan struct {
	args   []int // argument columns
	filter int   // -1 for none
	set    int   // its distinct set, -1 for none
	slot   int   // in the set
	cols   []*vector.Column
}

// setPlan is a distinct set: one per argument list, with a slot per filter.
type setPlan struct {
	args    []int
	types   []types.Type
	filters []int
	// like is an earlier set with the same filters, or -1.
	like int
}

// newCalls compiles calls over rows.
func newCalls(keys []expr.Expr, aggs []AggregateCall, retract bool, env *function.Env) (*calls, error) {
	c, list := planCalls(keys, aggs, retract)
	return c.compile(list, env)
}

// compile makes what evaluates the keys and the expressions that planSets listed.
func (c *calls) compile(list []expr.Expr, env *function.Env) (*calls, error) {
	c.flat = make([]vector.Column, c.args)
	c.bools, c.masks, c.truths = make([]vector.Column, c.filters), make([][]uint64, c.filters), make([][]uint64, c.filters)
	var err error
	c.exprs, err = expr.New(append(append([]expr.Expr{}, c.keys...), list...), env)
	return c, err
}

// planCalls says what each aggregate reads of the expressions of list: arguments, then filters.
func planCalls(keys []expr.Expr, aggs []AggregateCall, retract bool) (c *calls, list []expr.Expr) {
	return planSets(keys, aggs, retract, false)
}

// planSets is planCalls with a set for each DISTINCT call, or with those that calls share.
func planSets(keys []expr.Expr, aggs []AggregateCall, retract, apart bool) (c *calls, list []expr.Expr) {
	c = &calls{keys: keys, aggs: aggs, retract: retract}
	var args, filters []expr.Expr
	argAt, filterAt, setAt := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range aggs {
		a := &aggs[i]
		p := callPlan{filter: -1, set: -1}
		name := ""
		for _, e := range a.Args {
			p.args = append(p.args, place(argAt, &args, e))
			name += expr.Key(e) + ";"
		}
		if a.Filter != nil {
			p.filter = place(filterAt, &filters, a.Filter)
		}
		if apart {
			name += numberOf(i)
		}
		if a.Distinct && len(a.Args) > 0 && !insensitive(a.Fn) {
			p.set = c.set(setAt, name, a, p.args)
			p.slot = c.sets[p.set].slot(p.filter)
		}
		p.cols = make([]*vector.Column, len(p.args))
		c.plans = append(c.plans, p)
	}
	for i := range c.sets {
		c.sets[i].like = slices.IndexFunc(c.sets[:i], func(s setPlan) bool { return slices.Equal(s.filters, c.sets[i].filters) })
	}
	c.args, c.filters = len(args), len(filters)
	return c, append(args, filters...)
}

// newMerges compiles calls over the output of a LocalAggregate, of which keys are the first columns.
func newMerges(keys []expr.Expr, aggs []AggregateCall, retract bool, env *function.Env) (*calls, error) {
	c := &calls{keys: keys, aggs: aggs, retract: retract}
	var err error
	c.exprs, err = expr.New(keys, env)
	return c, err
}

// insensitive tells the aggregates that DISTINCT does not change.
func insensitive(f *function.Aggregate) bool { return f.Name == "MIN" || f.Name == "MAX" }

// place gives equal expressions one place.
func place(at map[string]int, list *[]expr.Expr, e expr.Expr) int {
	k := expr.Key(e)
	i, ok := at[k]
	if !ok {
		i = len(*list)
		at[k] = i
		*list = append(*list, e)
	}
	return i
}

func (c *calls) set(at map[string]int, name string, a *AggregateCall, args []int) int {
	i, ok := at[name]
	if ok && len(c.sets[i].filters) < maxSlots {
		return i
	}
	s := setPlan{args: args}
	for _, e := range a.Args {
		s.types = append(s.types, e.Type())
	}
	at[name] = len(c.sets)
	c.sets = append(c.sets, s)
	return at[name]
}

// slot is the place of a filter in the set.
func (s *setPlan) slot(filter int) int {
	for i, f := range s.filters {
		if f == filter {
			return i
		}
	}
	s.filters = append(s.filters, filter)
	return len(s.filters) - 1
}

// keyTypes are the types of the keys.
func (c *calls) keyTypes() []types.Type {
	out := make([]types.Type, len(c.keys))
	for i, k := range c.keys {
		out[i] = k.Type()
	}
	return out
}

// eval computes keys, arguments and filters of a batch; keys are lent until the next.
func (c *calls) eval(b *vector.Batch) ([]*vector.Column, error) {
	cols, err := c.exprs.Eval(b.Cols, b.Len)
	if err != nil {
		return nil, err
	}
	k := len(c.keys)
	for i := range c.flat {
		vector.Flatten(&c.flat[i], cols[k+i])
	}
	k += c.args
	for i := range c.masks {
		c.masks[i] = c.truth(i, cols[k+i])
	}
	c.keyCols = append(c.keyCols[:0], cols[:len(c.keys)]...)
	return c.keyCols, nil
}

// truth is the rows on which filter i is TRUE, nil for all.
func (c *calls) truth(i int, col *vector.Column) []uint64 {
	vector.Flatten(&c.bools[i], col)
	b := &c.bools[i]
	bits := vector.Bits(b)
	if b.Valid == nil {
		return bits
	}
	w := kernel.Words(b.Len)
	if cap(c.truths[i]) < w {
		c.truths[i] = make([]uint64, w+w/2)
	}
	c.truths[i] = c.truths[i][:w]
	kernel.And(c.truths[i], bits[:w], b.Valid[:w])
	return c.truths[i]
}

// aggregation is the aggregates of the groups of one table.
type aggregation struct {
	*calls
	table *state.Keyed
	accs  []function.Accumulator
	sets  []*distinct
	mask  []uint64
	// partial are the columns of a batch of partials.
	partial  []vector.Column
	partials []*vector.Column
}

// bind declares the columns of all aggregates in a table.
func (c *calls) bind(t *state.Keyed) *aggregation {
	a := &aggregation{calls: c, table: t}
	for i := range c.aggs {
		call := &c.aggs[i]
		b := function.AggregateBinding{Result: call.T, IgnoreNulls: call.IgnoreNulls, State: t,
			Name: t.Name() + " " + call.Fn.Name + numberOf(i)}
		for _, e := range call.Args {
			b.Args = append(b.Args, argOf(e))
		}
		// A set makes every row of its aggregate the first or the last of its value.
		b.Retracts = c.retract
		acc := a.shared(i, b)
		if acc == nil {
			acc = call.Fn.New(b)
		}
		a.accs = append(a.accs, acc)
	}
	for i := range c.sets {
		a.sets = append(a.sets, newDistinct(t, i, &c.sets[i], c))
	}
	return a
}

// shared is the accumulator of call i where that of an earlier call over the same rows keeps what it needs, or nil.
func (a *aggregation) shared(i int, b function.AggregateBinding) function.Accumulator {
	call := &a.aggs[i]
	if call.Fn.Shared == nil {
		return nil
	}
	for k, kept := range a.accs {
		if call.sameRows(&a.aggs[k]) {
			if acc := call.Fn.Shared(kept, b); acc != nil {
				return acc
			}
		}
	}
	return nil
}

// sameRows tells that calls take the same values of the same rows.
func (c *AggregateCall) sameRows(d *AggregateCall) bool {
	if c.Distinct != d.Distinct || len(c.Args) != len(d.Args) || (c.Filter == nil) != (d.Filter == nil) {
		return false
	}
	for i, e := range c.Args {
		if expr.Key(e) != expr.Key(d.Args[i]) {
			return false
		}
	}
	return c.Filter == nil || expr.Key(c.Filter) == expr.Key(d.Filter)
}

func argOf(e expr.Expr) function.Arg {
	a := function.Arg{Type: e.Type()}
	if c, ok := e.(*expr.Const); ok {
		a.Const = c.Value
	}
	return a
}

func numberOf(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return numberOf(i/10) + numberOf(i%10)
}

// update applies the evaluated batch: rows is the mask of those that are added, nil for all; with retract
// they are taken back.
func (a *aggregation) update(groups []int32, rows []uint64, retract bool) {
	for _, s := range a.sets {
		s.apply(a, groups, rows, retract)
	}
	uniform := sameGroup(groups)
	for i := range a.plans {
		p := &a.plans[i]
		for k, arg := range p.args {
			p.cols[k] = &a.flat[arg]
		}
		mask := rows
		switch {
		case p.set >= 0:
			mask = a.sets[p.set].fresh[p.slot]
		case p.filter >= 0:
			mask = a.both(a.masks[p.filter], rows, len(groups))
		}
		if mask != nil && !kernel.Any(mask) {
			continue
		}
		switch one, ok := a.accs[i].(function.OneGroup); {
		case retract:
			a.accs[i].Retract(groups, p.cols, mask)
		case ok && uniform:
			one.UpdateOne(groups[0], len(groups), p.cols, mask)
		default:
			a.accs[i].Update(groups, p.cols, mask)
		}
	}
}

// sameGroup tells that all rows are of one group.
func sameGroup(groups []int32) bool {
	first := groups[0]
	if groups[len(groups)-1] != first || groups[len(groups)/2] != first {
		return false
	}
	for _, g := range groups {
		if g != first {
			return false
		}
	}
	return true
}

// both is the rows in two masks.
func (a *aggregation) both(x, y []uint64, n int) []uint64 {
	if x == nil || y == nil {
		if x == nil {
			return y
		}
		return x
	}
	w := kernel.Words(n)
	if cap(a.mask) < w {
		a.mask = make([]uint64, w+w/2)
	}
	a.mask = a.mask[:w]
	kernel.And(a.mask, x[:w], y[:w])
	return a.mask
}

// clear makes groups empty.
func (a *aggregation) clear(groups []int32) {
	for _, x := range a.accs {
		x.Clear(groups)
	}
	for _, s := range a.sets {
		s.clear(groups)
	}
}
