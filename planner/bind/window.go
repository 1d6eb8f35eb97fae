package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// windowed groups rows. Where the start and the end of the same windows are keys, the rows of a window are
// grouped until it is over (logical.WindowAggregate); otherwise it is an ordinary aggregation. The windows are
// told by their time, so that whatever stands between the window function and the grouping may.
func (w *work) windowed(in logical.Plan, keys []expr.Expr, calls []op.AggregateCall) logical.Plan {
	if packed, some := packedKeys(keys); some {
		return unpacked(w.windowed(in, packed, calls), keys)
	}
	at, source := windowKeys(in, keys)
	if at < 0 || logical.Retracts(in) {
		out := logical.NewAggregate(in, keys, calls)
		out.AtEnd = w.batch()
		return out
	}
	in, time := logical.ExposeTime(in, at)
	out := logical.NewWindowAggregate(in, logical.Slices(source.Window), time, keys, calls, nil)
	for i, k := range keys {
		if c, ok := k.(*expr.Column); ok {
			if s, ok := logical.WindowOf(in, c.Index); ok && s.Column == op.WindowTime && s.Depth == source.Depth {
				out.Columns[i].Time = source.At.Time
			}
		}
	}
	return out
}

// windowKeys finds start and end of the same windows among keys: the column of one of them, or -1.
func windowKeys(in logical.Plan, keys []expr.Expr) (int, logical.WindowSource) {
	type seen struct{ start, end bool }
	have := map[int]seen{}
	for _, k := range keys {
		c, ok := k.(*expr.Column)
		if !ok {
			continue
		}
		s, ok := logical.WindowOf(in, c.Index)
		if !ok {
			continue
		}
		h := have[s.Depth]
		h.start, h.end = h.start || s.Column == op.WindowStart, h.end || s.Column == op.WindowEnd
		if have[s.Depth] = h; h.start && h.end {
			return c.Index, s
		}
	}
	return -1, logical.WindowSource{}
}

// tableFunction binds the window functions.
func (w *work) tableFunction(t *syntax.TableFunction, s *scope) (logical.Plan, error) {
	name := strings.ToUpper(t.Call.Name.String())
	if format, ok := w.reads(name); ok {
		return w.readFunction(t, format, s)
	}
	params := windowParameters[name]
	if params == nil {
		return nil, w.unknownTableFunction(t, s)
	}
	args, err := windowArgs(t.Call, name, params)
	if err != nil {
		return nil, err
	}
	table, ok := args["DATA"].(*syntax.TableArg)
	if !ok {
		return nil, failf(t.Call, CodeType, "the first argument of %s is a table", name).
			WithHint("%s", windowForms[name])
	}
	in, err := w.tableArg(table, &scope{outer: s.outer})
	if err != nil {
		return nil, err
	}
	d, ok := args["TIMECOL"].(*syntax.Descriptor)
	if !ok || len(d.Columns) != 1 {
		return nil, failf(t.Call, CodeType, "%s takes its time column as DESCRIPTOR(column)", name).
			WithHint("%s", windowForms[name])
	}
	at, err := w.descriptor(d, in)
	if err != nil {
		return nil, err
	}
	win, err := w.windowOf(t.Call, name, args)
	if err != nil {
		return nil, err
	}
	keys, err := w.partition(t, table, in, win)
	if err != nil {
		return nil, err
	}
	plan, err := w.windowTable(t, in, win, at, keys)
	if err != nil {
		return nil, err
	}
	return plan, w.add(s, result{plan, plan.Schema()}, "", nil, t.Alias)
}

// partition are the columns that sessions are parted by.
func (w *work) partition(at syntax.Node, table *syntax.TableArg, in result, win op.Window) ([]int, error) {
	switch {
	case win.Kind == op.Session:
	case len(table.PartitionBy) > 0:
		return nil, failf(table.PartitionBy[0], CodeShape, "only SESSION takes PARTITION BY: other windows are the same for all rows").
			WithHint("leave it out, and GROUP BY or PARTITION BY what windows are made of")
	default:
		return nil, nil
	}
	if err := w.sessions(at); err != nil {
		return nil, err
	}
	s := &scope{}
	if err := w.add(s, in, "", nil, nil); err != nil {
		return nil, err
	}
	var keys []int
	for _, e := range table.PartitionBy {
		k, err := w.expr(e, s)
		if err != nil {
			return nil, err
		}
		c, ok := k.(*expr.Column)
		if !ok {
			return nil, failf(e, CodeShape, "PARTITION BY takes columns of the table here").
				WithHint("compute them in a query: SESSION((SELECT …) PARTITION BY k, …)")
		}
		keys = append(keys, c.Index)
	}
	return keys, nil
}

// sessions says that batch mode has none, as in Flink.
func (w *work) sessions(at syntax.Node) error {
	if !w.batch() {
		return nil
	}
	return failf(at, CodeShape, "session windows do not run in batch mode").
		WithHint("SET 'execution.runtime-mode' = 'streaming'")
}

// windowTable puts the function over its input, whose names are those of the text.
func (w *work) windowTable(t syntax.Node, in result, win op.Window, at int, keys []int) (logical.Plan, error) {
	if w.missing != nil {
		s := logical.NewWindow(&stub{in.schema}, win, at, keys).Columns
		return &stub{s}, nil
	}
	if logical.ChangelogOf(in.plan).Updating() {
		return nil, syntax.NotSupported(t.At(), "windows over an updating table", "a window takes rows that stay")
	}
	plan := w.project(in.plan, columnsOf(in.plan.Schema()), in.schema.Names())
	at, err := w.clocked(t, plan.Schema(), at)
	if err != nil {
		return nil, err
	}
	from := plan.Schema()[at].Type
	plan, at, cut, err := w.windowTime(t, plan, at)
	if err != nil {
		return nil, err
	}
	out := logical.NewWindow(plan, win, at, keys)
	if cut {
		return w.uncut(t, out, at, from)
	}
	return out, nil
}

// clocked is the column that windows over column at go by: the event time, where processing time follows it.
func (w *work) clocked(t syntax.Node, s logical.Schema, at int) (int, error) {
	if s[at].Time != logical.Proctime || w.cat.Settings().Clock != "rowtime" {
		return at, nil
	}
	if r := s.Rowtime(); r >= 0 {
		return r, nil
	}
	return 0, failf(t, CodeWatermark, "'streamsql.clock' = 'rowtime' needs an event time, and this table has none").
		WithHint("declare a WATERMARK, or RESET 'streamsql.clock'")
}
