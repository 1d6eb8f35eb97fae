package physical

import (
	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// rank makes the operator of a Rank. With parallelism above 1 the rows of a partition meet in one subtask; without
// partitions all of them do.
func (b *builder) rank(x *logical.Rank) (int, error) {
	s := x.Input.Schema()
	switch {
	case x.Ties():
		return b.rankTies(x)
	case b.limits(x):
		in, _, err := b.byKeys("before Limit", x.Input, nil)
		if err != nil {
			return 0, err
		}
		return in(&op.Limit{From: x.From, To: x.To}), nil
	}
	spec := &op.Rank{Partition: x.Partition, Order: x.Order, From: x.From, To: x.To, Function: x.Function, Number: x.Number,
		Newest: x.Newest, Types: s.Types(), Names: x.Columns.Names(), Retracts: !b.changes.Of(x.Input).Stays,
		NoUpdateBefore: !b.changes.Need(x).Before, AtEnd: x.AtEnd, Windowed: x.Windowed(), Time: x.Time}
	if x.Windowed() && s[x.Time].Time == logical.Proctime {
		return 0, syntax.NotSupported(syntax.Span{Pos: x.Pos, End: x.End}, "ranks in windows over processing time", "")
	}
	if !x.AtEnd && !x.Windowed() {
		spec.TTL = b.p.TTL
	}
	if spec.TTL == 0 {
		spec.Until = x.Until
	}
	if spec.Scattered = b.p.Off[clusteredKeys]; b.p.Off[appendRank] && !x.AtEnd && !x.Windowed() {
		spec.Retracts, spec.Until = true, nil
	}
	in, keys, err := b.byKeys("before Rank", x.Input, x.Partition)
	if err != nil {
		return 0, err
	}
	spec.Partition = keys
	return in(spec), nil
}

// limits tells that rows are kept as they come, and stay: a LIMIT in no order.
func (b *builder) limits(x *logical.Rank) bool {
	return len(x.Partition)+len(x.Order) == 0 && !x.Number && !x.Windowed() && b.changes.Of(x.Input).Stays
}

// rankTies makes the operator of a Rank that Ties. In front of an exchange few rows are left.
func (b *builder) rankTies(x *logical.Rank) (int, error) {
	s := x.Input.Schema()
	spec := &op.RankTies{Partition: x.Partition, Order: x.Order[0], Time: x.Time, Types: s.Types(), Names: s.Names()}
	if b.stays(x.Input, x.Partition) {
		return b.chain(x.Input, spec, x.Partition)
	}
	e, err := b.upstream("before Rank", func(up *builder) (int, error) {
		return up.behind(&op.LocalRankTies{RankTies: *spec}, x.Input)
	})
	if err != nil {
		return 0, err
	}
	e.Types, e.Names = s.Types(), s.Names()
	for i, c := range s {
		if c.Time == logical.Rowtime {
			e.Rowtimes = append(e.Rowtimes, i)
		}
	}
	for _, k := range x.Partition {
		e.Keys = append(e.Keys, k.(*expr.Column).Index)
	}
	return b.over(e, spec), nil
}

// deduplicate makes the operator of a Deduplicate.
func (b *builder) deduplicate(x *logical.Deduplicate) (int, error) {
	s := x.Schema()
	spec := &op.Deduplicate{Keys: x.Keys, Time: x.Time, Last: x.Last, Proctime: s[x.Time].Time == logical.Proctime,
		Types: s.Types(), Names: s.Names(), NoUpdateBefore: !b.changes.Need(x).Before, TTL: b.p.TTL,
		Scattered: b.p.Off[clusteredKeys]}
	in, keys, err := b.byKeys("before Deduplicate", x.Input, x.Keys)
	if err != nil {
		return 0, err
	}
	spec.Keys = keys
	return in(spec), nil
}

// temporalSort makes the operator of an ORDER BY by event time.
func (b *builder) temporalSort(x *logical.TemporalSort) (int, error) {
	s := x.Schema()
	in, _, err := b.byKeys("before ORDER BY", x.Input, nil)
	if err != nil {
		return 0, err
	}
	return in(&op.TemporalSort{Order: x.Order, Types: s.Types(), Names: s.Names()}), nil
}

// byKeys builds the input of an operator whose rows of one key meet in one subtask: with all its columns in their
// places, and keys over what comes. add puts the operator behind it.
func (b *builder) byKeys(name string, in logical.Plan, keys []expr.Expr) (add func(op.Spec) int, moved []expr.Expr, err error) {
	if b.stays(in, keys) {
		hashed := b.divides(in, keys)
		n, err := b.build(in)
		return func(spec op.Spec) int { return b.add(graph.Node{Op: spec, Inputs: []int{n}, Hashed: hashed}) }, keys, err
	}
	columns, _ := whole(in.Schema())
	e, err := b.raw(name, in, keys, columns)
	return func(spec op.Spec) int { return b.over(e.Edge, spec) }, e.keys, err
}
