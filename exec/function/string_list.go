package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// textList collects the elements of ARRAY<STRING> values, or of one side of MAPs, in reused memory.
type textList struct {
	text  []byte
	items []textItem
	views []vector.View
}

// textItem is bytes from..to of the list's text, or NULL when from is negative.
type textItem struct{ from, to int }

func (l *textList) len() int            { return len(l.items) }
func (l *textList) reset()              { l.text, l.items = l.text[:0], l.items[:0] }
func (l *textList) cut(n int)           { l.items = l.items[:n] }
func (l *textList) addNull()            { l.items = append(l.items, textItem{-1, -1}) }
func (l *textList) at(i int) []byte     { return l.text[l.items[i].from:l.items[i].to] }
func (l *textList) add(s []byte)        { l.items = append(l.items, l.put(s)) }
func (l *textList) set(i int, s []byte) { l.items[i] = l.put(s) }
func (l *textList) setNull(i int)       { l.items[i] = textItem{-1, -1} }

func (l *textList) put(s []byte) textItem {
	from := len(l.text)
	l.text = append(l.text, s...)
	return textItem{from, len(l.text)}
}

// fill makes c the column of the collected elements.
func (l *textList) fill(c *vector.Column, t types.Type) {
	if cap(l.views) < len(l.items) {
		l.views = make([]vector.View, len(l.items)*2)
	}
	l.views = l.views[:len(l.items)]
	vector.SetViews(c, t, l.views, l.text)
	for i, x := range l.items {
		if x.from < 0 {
			l.views[i] = vector.View{}
			c.SetNull(i)
			continue
		}
		l.views[i] = kernel.MakeView(l.text, 0, x.from, x.to-x.from)
	}
}

// bindList makes the Bind of a function to ARRAY<STRING> from f, which adds the elements of a lane or
// says that it is NULL.
func bindList(f func(l *textList, r *row) bool) func(Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) { return listKernel(b.Result.Elem(), f), nil }
}

func listKernel(elem types.Type, f func(l *textList, r *row) bool) Kernel {
	r, l, offsets := &row{}, &textList{}, []int32(nil)
	return func(c *Call) {
		want := r.open(c)
		l.reset()
		offsets = append(offsets[:0], 0)
		for i := range c.Out.Stored() {
			if r.i = i; kernel.Bit(want, i) {
				n := l.len()
				if !f(l, r) {
					l.cut(n)
					c.Out.SetNull(i)
				}
			}
			offsets = append(offsets, int32(l.len()))
		}
		c.Out.Offsets = offsets
		l.fill(c.Out.OwnChildren(1)[0], elem)
	}
}
