package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// groupWindow is a window in a GROUP BY clause: TUMBLE(ts, size), HOP(ts, slide, size), SESSION(ts, gap).
type groupWindow struct {
	window op.Window
	time   *expr.Column
	attr   logical.Column
	name   string
}

// windowRef stands for a bound of the group window, as TUMBLE_START gives it, until the rows are grouped. It
// never leaves the package.
type windowRef struct {
	column op.WindowColumn
	t      types.Type
}

func (e *windowRef) Type() types.Type           { return e.t }
func (e *windowRef) String() string             { return e.column.String() }
func (e *windowRef) Args() []expr.Expr          { return nil }
func (e *windowRef) With([]expr.Expr) expr.Expr { return e }

func (g *groupWindow) columns() logical.Schema {
	var out logical.Schema
	for k := op.WindowStart; k <= op.WindowTime; k++ {
		out = append(out, logical.WindowColumn(k, g.attr))
	}
	return out
}

// read is a bound as a column of the grouped rows, the first of which stands at.
func (g *groupWindow) read(at int, r *windowRef) expr.Expr {
	return &expr.Column{Index: at + int(r.column), Name: r.column.String(), T: r.t}
}

func constMillis(k *expr.Const) int64 { return vector.Value[int64](k.Value, 0) }

// windowName splits TUMBLE_START and its like; ok is false for other functions.
func windowName(name string) (base, part string, ok bool) {
	base, part, _ = strings.Cut(name, "_")
	switch base {
	case "TUMBLE", "HOP", "SESSION":
	default:
		return "", "", false
	}
	switch part {
	case "", "START", "END", "ROWTIME", "PROCTIME":
		return base, part, true
	}
	return "", "", false
}

// windowKey binds an item of GROUP BY that is a group window.
func (w *work) windowKey(x syntax.Expr, s *scope, g *grouping) (bool, error) {
	c, ok := x.(*syntax.Call)
	if !ok || len(c.Name.Parts) > 1 {
		return false, nil
	}
	base, part, ok := windowName(strings.ToUpper(c.Name.Last()))
	if !ok || part != "" {
		return false, nil
	}
	if g.window != nil {
		return true, failf(x, CodeAggregate, "GROUP BY takes one window").WithHint("group by TUMBLE(…) once, or use window table functions")
	}
	win, err := w.legacyWindow(c, base, s)
	if err != nil {
		return true, err
	}
	g.window = win
	return true, nil
}

// legacyWindow binds TUMBLE(ts, size), HOP(ts, slide, size) and SESSION(ts, gap).
func (w *work) legacyWindow(c *syntax.Call, base string, s *scope) (*groupWindow, error) {
	args, err := w.exprs(c.Args, s)
	if err != nil {
		return nil, err
	}
	want := 2
	if base == "HOP" {
		want = 3
	}
	if len(args) != want {
		return nil, failf(c, CodeShape, "%s takes %d arguments in GROUP BY, not %d", base, want, len(args)).
			WithHint("use the window table function: TABLE(%s)", windowForms[base])
	}
	col, ok := args[0].(*expr.Column)
	at := logical.Column{}
	if ok {
		at = s.schema()[col.Index]
	}
	if ok && w.anyTime(at) {
		at.Time = logical.Rowtime
	}
	if at.Time == logical.NoTime {
		return nil, failf(c.Args[0], CodeWatermark, "%s takes a time attribute, and this is %s", base, typeText(args[0])).
			WithHint("declare WATERMARK FOR the column in its table, or use a PROCTIME() column")
	}
	named := map[string]syntax.Expr{"SIZE": c.Args[want-1]}
	if base == "HOP" {
		named["SLIDE"] = c.Args[1]
	}
	win, err := w.windowOf(c, base, named)
	if err != nil {
		return nil, err
	}
	if base == "SESSION" {
		if err := w.sessions(c); err != nil {
			return nil, err
		}
	}
	return &groupWindow{win, col, at, base}, nil
}

// groupWindow binds TUMBLE_START and its like over the window of GROUP BY.
func (w *work) groupWindow(e *syntax.Call, name string, s *scope) (expr.Expr, bool, error) {
	base, part, ok := windowName(name)
	switch {
	case !ok:
		return nil, false, nil
	case part == "" || s.clause != "" || s.group == nil || s.inAggregate:
		return nil, true, failf(e, CodeAggregate, "%s cannot stand here", name).
			WithHint("%s stands in GROUP BY, %s_START and %s_END in SELECT and HAVING of the same query", base, base, base)
	}
	inner := *s
	inner.group = nil
	win, err := w.legacyWindow(e, base, &inner)
	if err != nil {
		return nil, true, err
	}
	g := s.group.window
	if g == nil || g.window != win.window || g.name != base || g.time.Index != win.time.Index {
		return nil, true, failf(e, CodeAggregate, "%s has no window of the same arguments in GROUP BY", name).
			WithHint("GROUP BY %s(…) with the same time and lengths", base)
	}
	ref := &windowRef{column: op.WindowStart}
	switch part {
	case "END":
		ref.column = op.WindowEnd
	case "ROWTIME", "PROCTIME":
		ref.column = op.WindowTime
		if want := map[string]logical.TimeAttribute{"ROWTIME": logical.Rowtime, "PROCTIME": logical.Proctime}[part]; g.attr.Time != want {
			goesBy := [...]string{logical.Rowtime: "event time", logical.Proctime: "processing time"}[g.attr.Time]
			other := map[string]string{"ROWTIME": "PROCTIME", "PROCTIME": "ROWTIME"}[part]
			return nil, true, failf(e, CodeWatermark, "%s: the window goes by %s", name, goesBy).WithHint("write %s_%s(…)", base, other)
		}
	}
	ref.t = logical.WindowColumn(ref.column, g.attr).Type
	return ref, true, nil
}

// groupWindowed groups by the group window and the other keys. Keys, aggregates and the window's bounds are
// the columns, in this order.
func (w *work) groupWindowed(at syntax.Node, in logical.Plan, g *grouping, keys []expr.Expr) (logical.Plan, error) {
	time, err := w.clocked(at, in.Schema(), g.window.time.Index)
	if err != nil {
		return nil, err
	}
	if logical.ChangelogOf(in).Updating() {
		return nil, syntax.NotSupported(at.At(), "windows over an updating table", "a window takes rows that stay")
	}
	in, time, cut, err := w.windowTime(at, in, time)
	if err != nil {
		return nil, err
	}
	var out logical.Plan
	if g.window.window.Sliced() {
		out = logical.NewWindowAggregate(in, g.window.window, time, keys, g.calls,
			[]op.WindowColumn{op.WindowStart, op.WindowEnd, op.WindowTime})
	} else {
		out = w.unslicedWindows(in, g, time, keys)
	}
	if cut {
		return w.uncut(at, out, -1, g.window.attr.Type)
	}
	return out, nil
}

// unslicedWindows groups by windows that are no runs of whole slices: each row is copied into the windows that it is in.
func (w *work) unslicedWindows(in logical.Plan, g *grouping, time int, keys []expr.Expr) logical.Plan {
	n := len(in.Schema())
	in = logical.NewWindow(in, g.window.window, time, nil)
	for i := range 3 {
		c := in.Schema()[n+i]
		keys = append(keys[:len(keys):len(keys)], &expr.Column{Index: n + i, Name: c.Name, T: c.Type})
	}
	out := w.windowed(in, keys, g.calls)
	columns := out.Schema().Exprs()
	k := len(keys) - 3
	bounds := append([]expr.Expr(nil), columns[k:k+3]...)
	exprs := append(append(columns[:k:k], columns[k+3:]...), bounds...)
	names := make([]string, len(exprs))
	for i, e := range exprs {
		names[i] = e.(*expr.Column).Name
	}
	return logical.NewProject(out, exprs, names)
}
