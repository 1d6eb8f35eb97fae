package bind

import (
	"strconv"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
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
	at, err := descriptor(d, in)
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

// partition are the columns that sessions are parted by. Other windows are the same for all rows.
func (w *work) partition(at syntax.Node, table *syntax.TableArg, in result, win op.Window) ([]int, error) {
	if win.Kind != op.Session {
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
	return logical.NewWindow(plan, win, at, keys), nil
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

// windowParameters are the names and the order of the arguments; a name in brackets may be left out.
var windowParameters = map[string][]string{
	"TUMBLE":   {"DATA", "TIMECOL", "SIZE", "[OFFSET]"},
	"HOP":      {"DATA", "TIMECOL", "SLIDE", "SIZE", "[OFFSET]"},
	"CUMULATE": {"DATA", "TIMECOL", "STEP", "SIZE", "[OFFSET]"},
	"SESSION":  {"DATA", "TIMECOL", "GAP"},
}

var windowForms = map[string]string{
	"TUMBLE":   "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTES)",
	"HOP":      "HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES): the slide, then the size",
	"CUMULATE": "CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '2' MINUTES, INTERVAL '10' MINUTES): the step, then the size",
	"SESSION":  "SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' MINUTES)",
}

// windowArgs gives the arguments by the names of their parameters.
func windowArgs(c *syntax.Call, name string, params []string) (map[string]syntax.Expr, error) {
	out := map[string]syntax.Expr{}
	least := 0
	for _, p := range params {
		if !strings.HasPrefix(p, "[") {
			least++
		}
	}
	if n := len(c.Args); n < least || n > len(params) {
		if n == len(params)+1 && name == "CUMULATE" {
			return nil, syntax.NotSupported(c.Args[n-1].At(), "CUMULATE that gives windows only where rows came",
				"without the last argument it gives each window")
		}
		takes := strconv.Itoa(least)
		if least < len(params) {
			takes += " or " + strconv.Itoa(len(params))
		}
		return nil, failf(c, CodeShape, "%s takes %s arguments, not %d", name, takes, n).WithHint("%s", windowForms[name])
	}
	for i, a := range c.Args {
		p := strings.Trim(params[i], "[]")
		if len(c.ArgNames) > 0 {
			if p = ""; c.ArgNames[i].Name == "" {
				return nil, failf(c.Name, syntax.CodeSyntax, "either all arguments have names or none")
			}
			for _, x := range params {
				if x = strings.Trim(x, "[]"); strings.EqualFold(x, c.ArgNames[i].Name) {
					p = x
				}
			}
			if p == "" {
				return nil, failf(c.ArgNames[i], CodeFunction, "%s has no argument '%s'", name, c.ArgNames[i].Name).
					WithHint("%s", suggest(strings.ToUpper(c.ArgNames[i].Name), "arguments", plainNames(params)))
			}
			if out[p] != nil {
				return nil, failf(c.ArgNames[i], CodeDuplicate, "the argument '%s' stands twice", p)
			}
		}
		out[p] = a
	}
	for _, p := range params[:least] {
		if out[p] == nil {
			return nil, failf(c, CodeShape, "%s needs its argument %s", name, p).WithHint("%s", windowForms[name])
		}
	}
	return out, nil
}

func plainNames(params []string) []string {
	out := make([]string, len(params))
	for i, p := range params {
		out[i] = strings.Trim(p, "[]")
	}
	return out
}

// windowOf reads the lengths of a window.
func (w *work) windowOf(c *syntax.Call, name string, args map[string]syntax.Expr) (op.Window, error) {
	var win op.Window
	for _, x := range []struct {
		name string
		to   *int64
	}{{"SIZE", &win.Size}, {"GAP", &win.Size}, {"SLIDE", &win.Step}, {"STEP", &win.Step}, {"OFFSET", &win.Offset}} {
		if args[x.name] == nil {
			continue
		}
		v, err := w.length(args[x.name], name)
		if err != nil {
			return win, err
		}
		*x.to = v
	}
	switch name {
	case "HOP":
		win.Kind = op.Hop
	case "CUMULATE":
		win.Kind = op.Cumulate
	case "SESSION":
		win.Kind = op.Session
	}
	return win, checkWindow(c, name, win)
}

// length is an interval in milliseconds.
func (w *work) length(e syntax.Expr, name string) (int64, error) {
	x, err := w.expr(e, &scope{})
	if err != nil {
		return 0, err
	}
	switch x.Type().Kind {
	case types.IntervalMonth:
		return 0, failf(e, CodeType, "%s takes seconds, minutes, hours and days, not months", name)
	case types.IntervalDay:
	default:
		return 0, failf(e, CodeType, "%s takes an INTERVAL here, not %s", name, typeText(x)).
			WithHint("%s", windowForms[name])
	}
	k, err := expr.Value(x, w.env)
	if err != nil || k.Value.IsConstNull() {
		return 0, failf(e, CodeType, "%s takes a literal INTERVAL here", name).WithHint("%s", windowForms[name])
	}
	return constMillis(k), nil
}

func checkWindow(at syntax.Node, name string, w op.Window) error {
	switch {
	case w.Kind == op.Session && w.Size <= 0:
		return failf(at, CodeType, "the gap of %s must be positive, but it is %d ms", name, w.Size)
	case w.Kind == op.Session:
		return nil
	case w.Size <= 0:
		return failf(at, CodeType, "the size of %s must be positive, but it is %d ms", name, w.Size)
	case w.Kind != op.Tumble && w.Step <= 0:
		return failf(at, CodeType, "the step of %s must be positive, but it is %d ms", name, w.Step)
	case w.Kind != op.Tumble && w.Size%w.Step != 0:
		return failf(at, CodeType, "the size of %s must be a multiple of its step, but %d ms is none of %d ms", name, w.Size, w.Step).
			WithHint("%s", windowForms[name])
	case w.Offset >= w.Size || -w.Offset >= w.Size:
		return failf(at, CodeType, "the offset of %s must be less than its size, but they are %d ms and %d ms", name, w.Offset, w.Size)
	}
	return nil
}
