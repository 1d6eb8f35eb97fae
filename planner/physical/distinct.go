package physical

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// splitsDistinct tells that an aggregation is done in three phases: it is asked for, and possible. Sets that forget
// keys after a time stay in one place.
func (b *builder) splitsDistinct(x *logical.Aggregate, spec *op.GroupAggregate) bool {
	return b.p.DistinctBuckets > 0 && spec.TTL == 0 && op.SplitsDistinct(x.Calls, spec.Retracts)
}

// distinct is an aggregation with DISTINCT in three phases: the values of a group are divided into buckets, so
// that one with many rows is work for all subtasks.
func (b *builder) distinct(x *logical.Aggregate, spec *op.GroupAggregate) (int, error) {
	local := &op.DistinctLocalAggregate{Keys: x.Keys, Aggs: x.Calls, Names: x.Columns.Names(), Buckets: b.p.DistinctBuckets}
	columns := make([]expr.Expr, len(x.Keys))
	for i, k := range x.Keys {
		columns[i] = &expr.Column{Index: i, Name: x.Columns[i].Name, T: k.Type()}
	}
	incremental := &op.IncrementalAggregate{Keys: columns, Aggs: x.Calls, Names: local.Names}
	e, err := b.upstream("before GROUP BY", func(up *builder) (int, error) {
		e, err := up.upstream("before DISTINCT", func(up *builder) (int, error) {
			return up.behind(local, x.Input)
		})
		if err != nil {
			return 0, err
		}
		e.Types = local.Types()
		e.Names = make([]string, len(e.Types))
		copy(e.Names, append(x.Columns.Names()[:len(x.Keys):len(x.Keys)], "bucket"))
		for i := range len(x.Keys) + 1 {
			e.Keys = append(e.Keys, i)
		}
		return up.over(e, incremental), nil
	})
	if err != nil {
		return 0, err
	}
	return b.final(e, x, spec, incremental.Types()), nil
}
