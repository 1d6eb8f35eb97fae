package physical

import (
	"time"

	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
)

// aggregate makes the operator of a GROUP BY without windows.
func (b *builder) aggregate(x *logical.Aggregate) (int, error) {
	quiet := b.noBefore
	b.noBefore = false
	in, err := b.build(x.Input)
	if err != nil {
		return 0, err
	}
	b.keyed = "GROUP BY"
	spec := &op.GroupAggregate{Keys: x.Keys, Aggs: x.Calls, Names: x.Columns.Names(), Retracts: logical.Retracts(x.Input),
		NoUpdateBefore: quiet}
	return b.add(graph.Node{Op: spec, Inputs: []int{in}}), nil
}

// windowAggregate makes the operator of a GROUP BY over windows.
func (b *builder) windowAggregate(x *logical.WindowAggregate) (int, error) {
	in, err := b.build(x.Input)
	if err != nil {
		return 0, err
	}
	b.keyed = "GROUP BY"
	spec := &op.WindowAggregate{Window: x.Window, Time: x.Time, Zone: b.zone(x.Input, x.Time),
		Proctime: x.Input.Schema()[x.Time].Time == logical.Proctime,
		Keys:     x.Keys, Aggs: x.Calls, Columns: x.Shown, Names: x.Columns.Names()}
	return b.add(graph.Node{Op: spec, Inputs: []int{in}}), nil
}

// zone is what windows over a column are cut in: nil where its values are wall-clock times themselves.
func (b *builder) zone(in logical.Plan, column int) *time.Location {
	if in.Schema()[column].Type.Kind == types.TimestampLTZ {
		return b.p.Zone
	}
	return nil
}
