package physical

import (
	"time"

	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// aggregate makes the operators of a GROUP BY without windows.
func (b *builder) aggregate(x *logical.Aggregate) (int, error) {
	spec := &op.GroupAggregate{Keys: x.Keys, Aggs: x.Calls, Names: x.Columns.Names(), Retracts: !b.changes.Of(x.Input).Stays,
		NoUpdateBefore: !b.changes.Need(x).Before, AtEnd: x.AtEnd,
		Apart: b.p.Off[sharedDistinct], Scattered: b.p.Off[clusteredKeys]}
	if !x.AtEnd {
		spec.TTL = b.p.TTL
	}
	if spec.TTL == 0 {
		spec.Until = x.Until
	}
	if changing := spec.Retracts || len(x.Calls) > 0; changing && !x.AtEnd && len(spec.Until) == 0 { // as for partials
		spec.MiniBatch = b.p.MiniBatch
	}
	switch {
	case b.stays(x.Input, x.Keys):
		return b.chain(x.Input, spec, x.Keys)
	case len(spec.Until) > 0: // its rows come as the watermark says, partials are held back a little
	case op.Splits(x.Calls, spec.Retracts) && !b.p.Off[localAggregation]:
		return b.partials(x, spec)
	case b.splitsDistinct(x, spec):
		return b.distinct(x, spec)
	}
	e, err := b.raw("before GROUP BY", x.Input, x.Keys, logical.CallExprs(x.Calls))
	if err != nil {
		return 0, err
	}
	spec.Keys, spec.Aggs = e.keys, logical.MapCalls(x.Calls, e.moved)
	return b.over(e.Edge, spec), nil
}

// windowAggregate makes the operator of a GROUP BY over windows.
func (b *builder) windowAggregate(x *logical.WindowAggregate) (int, error) {
	spec := &op.WindowAggregate{Window: x.Window, Time: x.Time, Zone: b.zone(x.Input.Schema()[x.Time]),
		Proctime: x.Input.Schema()[x.Time].Time == logical.Proctime, Drain: b.p.Drain,
		Keys: x.Keys, Aggs: x.Calls, Columns: x.Shown, Names: x.Columns.Names()}
	if b.stays(x.Input, x.Keys) {
		return b.chain(x.Input, spec, x.Keys)
	}
	if op.SplitsWindow(spec) && !b.p.Off[localAggregation] {
		return b.windowPartials(x, spec)
	}
	e, err := b.raw("before GROUP BY", x.Input, x.Keys, logical.CallExprs(x.Calls), x.Time)
	if err != nil {
		return 0, err
	}
	spec.Time, spec.Keys, spec.Aggs = e.to[x.Time], e.keys, logical.MapCalls(x.Calls, e.moved)
	return b.over(e.Edge, spec), nil
}

// window makes the operator of a window function by itself. Sessions are those of keys, whose rows meet in one
// subtask.
func (b *builder) window(x *logical.Window) (int, error) {
	spec := &op.WindowTable{Window: x.Window, Time: x.Time, Zone: b.zone(x.Input.Schema()[x.Time])}
	sessions := x.Window.Kind == op.Session
	if x.Window.OnUpdate {
		return 0, syntax.NotSupported(syntax.Span{}, "emitOnlyOnUpdate of CUMULATE without GROUP BY window_start, window_end above it",
			"leave it out: each row comes in each of its windows")
	}
	if sessions {
		s := x.Input.Schema()
		spec.Keys, spec.Types = x.KeyExprs(), s.Types()
		spec.Proctime, spec.Drain = s[x.Time].Time == logical.Proctime, b.p.Drain
	}
	if !sessions || b.alone() {
		return b.behind(spec, x.Input)
	}
	e, err := b.raw("before SESSION", x.Input, spec.Keys, x.Input.Schema().Exprs())
	if err != nil {
		return 0, err
	}
	return b.over(e.Edge, spec), nil
}

// zone is what windows over a time are cut in: nil where its values are wall-clock times themselves.
func (b *builder) zone(time logical.Column) *time.Location {
	if time.Type.Kind == types.TimestampLTZ {
		return b.p.Zone
	}
	return nil
}
