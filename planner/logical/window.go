package logical

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// Window is a windowing table function: every row once per window that it is in, with the columns
// window_start, window_end and window_time behind its own.
type Window struct {
	Input  Plan
	Window op.Window
	// Time is the position of the time attribute.
	Time int
	// Keys are the columns that sessions are parted by.
	Keys    []int
	Columns Schema
}

// NewWindow assigns the rows of input to windows by column time, which is no time attribute behind it. Sessions are
// those of keys.
func NewWindow(input Plan, w op.Window, time int, keys []int) *Window {
	s := append(Schema(nil), input.Schema()...)
	at := s[time]
	for i := range s {
		s[i].Time = NoTime
	}
	for k := op.WindowStart; k <= op.WindowTime; k++ {
		s = append(s, WindowColumn(k, at))
	}
	return &Window{input, w, time, keys, s}
}

// WindowColumn is a window column over the time attribute at.
func WindowColumn(k op.WindowColumn, at Column) Column {
	c := Column{Name: k.String(), Type: types.TimestampOf(3).WithNull(false)}
	if k == op.WindowTime {
		c.Type, c.Time = at.Type.WithNull(false), at.Time
	}
	return c
}

// KeyExprs are the keys as expressions over the input.
func (w *Window) KeyExprs() []expr.Expr {
	out := make([]expr.Expr, len(w.Keys))
	for i, k := range w.Keys {
		out[i] = &expr.Column{Index: k, Name: w.Columns[k].Name, T: w.Columns[k].Type}
	}
	return out
}

// Schema implements Plan.
func (w *Window) Schema() Schema { return w.Columns }

// Inputs implements Plan.
func (w *Window) Inputs() []Plan { return []Plan{w.Input} }

// With implements Plan.
func (w *Window) With(in []Plan) Plan { return &Window{in[0], w.Window, w.Time, w.Keys, w.Columns} }

// Changes implements Changer: a row may be in several windows, of which no two end together.
func (w *Window) Changes(in []Changes, reader Need) (Changes, []Need) {
	out := in[0]
	out.Keys, out.Unique = nil, nil
	for _, k := range in[0].Keys {
		out.Keys = append(out.Keys, k.And(len(w.Columns)-1-int(op.WindowTime-op.WindowEnd)))
	}
	return out, []Need{reader}
}

// String implements Plan.
func (w *Window) String() string {
	text := "WindowTableFunction(" + windowText(w.Input, w.Window, w.Time)
	for i, k := range w.Keys {
		if i == 0 {
			text += ", partition=["
		} else {
			text += ", "
		}
		text += w.Columns[k].Name
	}
	if len(w.Keys) > 0 {
		text += "]"
	}
	return text + ")"
}

func windowText(in Plan, w op.Window, time int) string {
	return "window=[" + w.String() + "], time=[" + in.Schema()[time].Name + "]"
}

// WindowAggregate is GROUP BY keys and window: a row per key and window, once, when the watermark has passed
// the window. Rows behind that are dropped.
type WindowAggregate struct {
	Input  Plan
	Window op.Window
	// Time is the position of the time attribute.
	Time int
	// Keys and the calls' expressions are over the input.
	Keys  []expr.Expr
	Calls []op.AggregateCall
	// Shown are the window columns that the result has, behind those of keys and calls.
	Shown   []op.WindowColumn
	Columns Schema
}

// NewWindowAggregate groups input by keys and windows.
func NewWindowAggregate(input Plan, w op.Window, time int, keys []expr.Expr, calls []op.AggregateCall,
	shown []op.WindowColumn) *WindowAggregate {
	s := aggregateColumns(keys, calls)
	for _, k := range shown {
		s = append(s, WindowColumn(k, input.Schema()[time]))
	}
	return &WindowAggregate{input, w, time, keys, calls, shown, s}
}

// Schema implements Plan.
func (a *WindowAggregate) Schema() Schema { return a.Columns }

// Inputs implements Plan.
func (a *WindowAggregate) Inputs() []Plan { return []Plan{a.Input} }

// With implements Plan.
func (a *WindowAggregate) With(in []Plan) Plan {
	c := *a
	c.Input = in[0]
	return &c
}

// Changes implements Changer: each row comes once, told apart by the keys and a bound that no two windows share.
func (a *WindowAggregate) Changes([]Changes, Need) (Changes, []Need) {
	out := Changes{Kinds: Inserts, Stays: true}
	for i, c := range a.Shown {
		if c != op.WindowStart {
			out.Keys = append(out.Keys, sequence(len(a.Keys)).And(a.Width()+i))
		}
	}
	return out, []Need{Everything}
}

// String implements Plan.
func (a *WindowAggregate) String() string {
	text := "WindowAggregate(" + windowText(a.Input, a.Window, a.Time)
	if g := groupText(a.Keys, a.Calls); g != "" {
		text += ", " + g
	}
	for i, k := range a.Shown {
		if i == 0 {
			text += ", columns=["
		} else {
			text += ", "
		}
		text += k.String()
	}
	if len(a.Shown) > 0 {
		text += "]"
	}
	return text + ")"
}

// Width is the number of columns in front of the window columns.
func (a *WindowAggregate) Width() int { return len(a.Keys) + len(a.Calls) }

// Slices are windows that tell those of w apart by their window_time: windows of w that end at different times end in
// different ones.
func Slices(w op.Window) op.Window {
	switch w.Kind {
	case op.Tumble:
		return w
	case op.Session: // they end at any millisecond
		return op.Window{Kind: op.Tumble, Size: 1}
	}
	return op.Window{Kind: op.Tumble, Size: w.Step, Offset: (w.Offset + w.Size) % w.Step} // they end with windows
}

// WindowSource is what a window column shows: which column of which windows.
type WindowSource struct {
	Column op.WindowColumn
	Window op.Window
	// At is the time attribute that the windows are over.
	At Column
	// Depth is how far below the node stands that made the column.
	Depth int
}

// WindowOf follows column i of p down to the node that made it a window column. ok is false for all others.
func WindowOf(p Plan, i int) (s WindowSource, ok bool) {
	for depth := 0; ; depth++ {
		switch x := p.(type) {
		case *Project:
			c, plain := x.Exprs[i].(*expr.Column)
			if !plain {
				return s, false
			}
			p, i = x.Input, c.Index
		case *Filter:
			p = x.Input
		case *Rank:
			if !x.Windowed() || i >= x.Width() {
				return s, false
			}
			p = x.Input
		case *Expand:
			at, ok := x.passes(i)
			if !ok {
				return s, false
			}
			p, i = x.Input, at
		case *Join:
			side, at, ok := x.windowColumn(i)
			if !ok {
				return s, false
			}
			p, i = side, at
		case *Window:
			k := i - len(x.Input.Schema())
			return WindowSource{op.WindowColumn(k), x.Window, x.Input.Schema()[x.Time], depth}, k >= 0
		case *WindowAggregate:
			if k := i - x.Width(); k >= 0 {
				return WindowSource{x.Shown[k], x.Window, x.Input.Schema()[x.Time], depth}, true
			}
			c, plain := (*expr.Column)(nil), false
			if i < len(x.Keys) {
				c, plain = x.Keys[i].(*expr.Column)
			}
			if !plain {
				return s, false
			}
			p, i = x.Input, c.Index
		default:
			return s, false
		}
	}
}

// TimeOf is the time attribute of column i of p. The column that a window function goes by is still one for
// what orders rows by it.
func TimeOf(p Plan, i int) TimeAttribute {
	if t := p.Schema()[i].Time; t != NoTime {
		return t
	}
	switch x := p.(type) {
	case *Project:
		if c, plain := x.Exprs[i].(*expr.Column); plain {
			return TimeOf(x.Input, c.Index)
		}
	case *Filter:
		return TimeOf(x.Input, i)
	case *Window:
		if i == x.Time {
			return x.Input.Schema()[i].Time
		}
	}
	return NoTime
}

// ExposeTime gives a plan over the same rows that has window_time among its columns, behind those of p where
// it is not one of them, and its position. at is any window column of p.
func ExposeTime(p Plan, at int) (Plan, int) {
	for i, n := 0, len(p.Schema()); i < n; i++ {
		if s, ok := WindowOf(p, i); ok && s.Column == op.WindowTime {
			if o, _ := WindowOf(p, at); o.Depth == s.Depth {
				return p, i
			}
		}
	}
	switch x := p.(type) {
	case *Project:
		in, i := ExposeTime(x.Input, x.Exprs[at].(*expr.Column).Index)
		c := in.Schema()[i]
		return &Project{in, append(x.Exprs[:len(x.Exprs):len(x.Exprs)], &expr.Column{Index: i, Name: c.Name, T: c.Type}),
			append(x.Columns[:len(x.Columns):len(x.Columns)], c)}, len(x.Exprs)
	case *Filter:
		in, i := ExposeTime(x.Input, at)
		return &Filter{in, x.Cond}, i
	case *Expand:
		below, _ := x.passes(at)
		in, i := ExposeTime(x.Input, below)
		c := in.Schema()[i]
		out := &Expand{in, make([][]expr.Expr, len(x.Sets)), append(x.Columns[:len(x.Columns):len(x.Columns)], c)}
		for k, set := range x.Sets {
			out.Sets[k] = append(set[:len(set):len(set)], &expr.Column{Index: i, Name: c.Name, T: c.Type})
		}
		return out, len(x.Columns)
	case *Join:
		return x.exposeTime(at)
	case *WindowAggregate:
		c := *x
		c.Shown = append(x.Shown[:len(x.Shown):len(x.Shown)], op.WindowTime)
		c.Columns = append(x.Columns[:len(x.Columns):len(x.Columns)], WindowColumn(op.WindowTime, x.Input.Schema()[x.Time]))
		return &c, len(x.Columns)
	}
	panic("logical: no windows below " + p.String())
}
