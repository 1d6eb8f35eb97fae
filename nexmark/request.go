package nexmark

import (
	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// wish is what is left to do of a request: which columns and kinds are delivered, and the watermark.
type wish struct {
	// need has, for each column of the table, the fields that are read; nil where the column is not.
	need  [][]bool
	keep  kindSet
	draw  Columns
	delay int64 // of the watermark; negative when the source makes none
}

// kindSet is a set of kinds, a bit for each.
type kindSet uint8

const allKinds kindSet = 1<<kinds - 1

// everything asks for all columns of all kinds.
func everything(cols []tableColumn) wish {
	w := wish{keep: allKinds, delay: -1}
	for i := range cols {
		w.read(cols, connector.Path{i})
	}
	return w
}

// read adds the column or field that a path names.
func (w *wish) read(cols []tableColumn, p connector.Path) {
	if w.need == nil {
		w.need = make([][]bool, len(cols))
	}
	c := &cols[p[0]]
	if w.need[p[0]] == nil {
		w.need[p[0]] = make([]bool, len(c.fields))
	}
	for i, f := range c.fields {
		if len(p) == 1 || p[1] == i {
			w.need[p[0]][i] = true
			w.draw |= f.bit
		}
	}
}

// push takes what it can of a request.
func (s *source) Push(r connector.Request) connector.Accepted {
	if r.Need != nil {
		s.wish = wish{keep: allKinds, delay: -1, need: make([][]bool, len(s.cols))}
		for _, p := range r.Need {
			s.wish.read(s.cols, p)
		}
	}
	a := connector.Accepted{Filters: make([]bool, len(r.Filters))}
	for i, f := range r.Filters {
		kinds, ok := s.kindsOf(f)
		if ok {
			s.wish.keep &= kinds
			a.Filters[i] = true
		}
	}
	// With a positive delay no row of a stream in order stands at or behind the watermark.
	if r.Rowtime != nil && r.Delay > 0 && s.isEventTime(r.Rowtime, allKinds) {
		s.wish.delay = r.Delay
		a.Watermark = true
	}
	return a
}

// kindsOf tells for which kinds of events a condition holds. It reports false for one that reads more than the event
// type.
func (s *source) kindsOf(cond expr.Expr) (kindSet, bool) {
	cols := expr.Columns(cond)
	if len(cols) != 1 || !s.cols[cols[0]].isType || !expr.Pure(cond) || expr.CanFail(cond) {
		return 0, false
	}
	e, err := expr.New([]expr.Expr{cond}, s.env)
	if err != nil {
		return 0, false
	}
	in := make([]*vector.Column, cols[0]+1)
	in[cols[0]] = vector.OfSlice(integer, []int32{int32(Person), int32(Auction), int32(Bid)})
	out, err := e.Eval(in, int(kinds))
	if err != nil {
		return 0, false
	}
	var set kindSet
	for k := range kinds {
		if !out[0].Null(int(k)) && vector.Bool(out[0], int(k)) {
			set |= 1 << k
		}
	}
	return set, true
}

// isEventTime tells that e is, for each of some kinds of events, the time of that kind: its field, or a CASE over the
// event type that comes to it.
func (s *source) isEventTime(e expr.Expr, of kindSet) bool {
	switch x := e.(type) {
	case *expr.Field:
		c, ok := x.Row.(*expr.Column)
		if !ok || s.cols[c.Index].isType || s.cols[c.Index].fields[x.Index].name != timeField {
			return of == 0
		}
		return of&^(1<<s.cols[c.Index].kind) == 0
	case *expr.Case:
		for _, w := range x.Whens {
			taken, ok := s.kindsOf(w.Cond)
			if !ok || !s.isEventTime(w.Then, of&taken) {
				return false
			}
			of &^= taken
		}
		return s.isEventTime(x.Else, of)
	}
	return of == 0
}

// watermark is what the source promises after an event of some time.
func (w *wish) watermark(t int64) types.EventTime {
	return types.EventTime(t - w.delay)
}
