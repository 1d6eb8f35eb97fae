package physical

import (
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// match makes the operator of a MATCH_RECOGNIZE. With parallelism above 1 the rows of a partition meet in one subtask.
func (b *builder) match(x *logical.Match) (int, error) {
	spec := &op.MatchRecognize{RowPattern: x.RowPattern, Order: x.Order, Time: op.OverRowtime, Measures: x.Measures,
		Timed: x.Columns.Rowtime() >= len(x.Partition), Types: x.Input.Schema().Types(), Names: x.Columns.Names()}
	if x.Time() == logical.Proctime {
		spec.Time = op.OverProctime
	}
	in, keys, err := b.byKeys("before MATCH_RECOGNIZE", x.Input, x.Partition)
	if err != nil {
		return 0, err
	}
	spec.Partition = keys
	return in(spec), nil
}
