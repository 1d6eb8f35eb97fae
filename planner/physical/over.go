package physical

import (
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// overAggregate makes the operator of calls with OVER that are no bounded ranks. With parallelism above 1 the rows
// of a partition meet in one subtask.
func (b *builder) overAggregate(x *logical.Over) (int, error) {
	s := x.Input.Schema()
	spec := &op.OverAggregate{Partition: x.Partition, Order: x.Order, Frame: x.Frame, Calls: x.Calls, Types: s.Types(),
		Names: x.Columns.Names(), NoUpdateBefore: !b.changes.Need(x).Before, AtEnd: x.AtEnd}
	if !x.AtEnd {
		spec.TTL = b.p.TTL
	}
	if b.changes.Of(x.Input).Stays {
		spec.Time = map[logical.TimeAttribute]op.OverTime{logical.Rowtime: op.OverRowtime, logical.Proctime: op.OverProctime}[x.Time()]
	}
	for _, bound := range []op.Bound{x.Frame.Start, x.Frame.End} {
		if bound.Offset == nil || x.Frame.Rows {
			continue
		}
		if key, by := x.Order[0].Expr.Type(), bound.Offset.Type(); !op.Reaches(key, by) {
			return 0, syntax.NotSupported(syntax.Span{Pos: x.Pos, End: x.End},
				"RANGE over "+key.WithNull(true).String()+" with a distance of "+by.WithNull(true).String(), "cast the ORDER BY key to DOUBLE or BIGINT")
		}
	}
	in, keys, err := b.byKeys("before OverAggregate", x.Input, x.Partition)
	if err != nil {
		return 0, err
	}
	spec.Partition = keys
	return in(spec), nil
}
