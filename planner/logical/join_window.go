package logical

import (
	"slices"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/op"
)

// JoinWindows are the windows that a join pairs rows of: Starts and Ends are the columns of either side that are
// window_start and window_end of the same windows, over event time.
type JoinWindows struct {
	Window       op.Window
	At           Column
	Starts, Ends [2]int
}

// Windows finds the windows of a window join: its condition has the starts and the ends of the same windows of both
// sides equal. Sessions are none, for they are not the same for all rows; windows by the clock are none, as in Flink.
func (j *Join) Windows() (out JoinWindows, ok bool) { return j.windows(Rowtime) }

// transit is the longest that a row is expected to be on its way from where its time was read.
const transit = time.Minute

// ProctimeTTL is how long rows of windows by the clock may find partners in theirs, where the condition has the starts and the
// ends equal; 0 where it does not.
func (j *Join) ProctimeTTL() time.Duration {
	w, ok := j.windows(Proctime)
	if !ok || j.AtEnd {
		return 0
	}
	return time.Duration(w.Window.Size)*time.Millisecond + transit
}

// windows finds the windows over times of one kind.
func (j *Join) windows(kind TimeAttribute) (out JoinWindows, ok bool) {
	keys := j.Keys()
	type found struct {
		at     [2]int
		source [2]WindowSource
	}
	var bounds [2][]found
	for i := range keys.Left {
		l, plain := keys.Left[i].(*expr.Column)
		r, also := keys.Right[i].(*expr.Column)
		if !plain || !also {
			continue
		}
		a, is := WindowOf(j.Left, l.Index)
		b, too := WindowOf(j.Right, r.Index)
		if is && too && a.Column == b.Column && a.Column != op.WindowTime && a.alike(b, kind) {
			bounds[a.Column] = append(bounds[a.Column], found{[2]int{l.Index, r.Index}, [2]WindowSource{a, b}})
		}
	}
	for _, s := range bounds[op.WindowStart] {
		for _, e := range bounds[op.WindowEnd] {
			if s.source[0].Depth == e.source[0].Depth && s.source[1].Depth == e.source[1].Depth {
				return JoinWindows{s.source[0].Window, s.source[0].At, s.at, e.at}, true
			}
		}
	}
	return out, false
}

// alike tells that two window columns are of the same windows over times of one kind.
func (s WindowSource) alike(o WindowSource, kind TimeAttribute) bool {
	return s.Window == o.Window && s.Window.Kind != op.Session && s.At.Time == kind && o.At.Time == kind &&
		s.At.Type.Kind == o.At.Type.Kind
}

// Windowed tells that a join of inputs with these changes is a window join: its rows come when their window is over.
func (j *Join) Windowed(in []Changes) bool {
	_, ok := j.Windows()
	return ok && !j.AtEnd && in[0].Stays && in[1].Stays
}

// Others are the keys without the bounds of the windows.
func (w *JoinWindows) Others(k JoinKeys) JoinKeys {
	out := JoinKeys{Residual: k.Residual}
	for i, l := range k.Left {
		c, plain := l.(*expr.Column)
		r, also := k.Right[i].(*expr.Column)
		if plain && also && (c.Index == w.Starts[0] && r.Index == w.Starts[1] || c.Index == w.Ends[0] && r.Index == w.Ends[1]) {
			continue
		}
		out.Left, out.Right = append(out.Left, l), append(out.Right, k.Right[i])
		out.NullSafe = append(out.NullSafe, k.NullSafe[i])
	}
	return out
}

// windowColumn follows column i of a window join to the side that it comes from, unless that is padded.
func (j *Join) windowColumn(i int) (side Plan, at int, ok bool) {
	if _, ok := j.Windows(); !ok || j.AtEnd {
		return nil, 0, false
	}
	n, i := len(j.Left.Schema()), j.Source(i)
	if i < n {
		return j.Left, i, !j.Kind.Pads(0)
	}
	return j.Right, i - n, !j.Kind.Pads(1)
}

// exposeTime gives the join window_time behind its columns, that of the side that column at comes from.
func (j *Join) exposeTime(at int) (Plan, int) {
	n, width := len(j.Left.Schema()), len(j.Columns)
	if at >= n {
		in, i := ExposeTime(j.Right, at-n)
		out := j.Over(j.Kind, j.Left, in, j.Cond)
		out.Columns = append(slices.Clone(j.Columns), in.Schema()[i])
		return out, width
	}
	in, i := ExposeTime(j.Left, at)
	cond := j.Cond
	if cond != nil {
		cond = expr.Rewrite(cond, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok && c.Index >= n {
				return &expr.Column{Index: c.Index + 1, Name: c.Name, T: c.T}
			}
			return x
		})
	}
	out := j.Over(j.Kind, in, j.Right, cond)
	out.Columns = slices.Insert(slices.Clone(j.Columns), n, in.Schema()[i])
	if width == n {
		return out, n
	}
	p := &Project{Input: out, Columns: append(slices.Clone(j.Columns), in.Schema()[i])}
	for k, c := range p.Columns {
		from := k
		switch {
		case k == width:
			from = n
		case k >= n:
			from = k + 1
		}
		p.Exprs = append(p.Exprs, &expr.Column{Index: from, Name: c.Name, T: c.Type})
	}
	return p, width
}
