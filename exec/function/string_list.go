package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// textList collects the elements of ARRAY<STRING> values, or of one side of MAPs, in reused memory.
type textList struct {
	text  []byte
	ends  []int
	nulls []int
	views []vector.View
}

func (l *textList) reset() { l.text, l.ends, l.nulls = l.text[:0], l.ends[:0], l.nulls[:0] }

func (l *textList) add(s []byte) {
	l.text = append(l.text, s...)
	l.ends = append(l.ends, len(l.text))
}

func (l *textList) addNull() {
	l.nulls = append(l.nulls, len(l.ends))
	l.ends = append(l.ends, len(l.text))
}

// fill makes c the column of the collected elements.
func (l *textList) fill(c *vector.Column, t types.Type) {
	if cap(l.views) < len(l.ends) {
		l.views = make([]vector.View, len(l.ends)*2)
	}
	l.views = l.views[:len(l.ends)]
	from := 0
	for i, end := range l.ends {
		l.views[i] = kernel.MakeView(l.text, 0, from, end-from)
		from = end
	}
	vector.SetViews(c, t, l.views, l.text)
	for _, i := range l.nulls {
		c.SetNull(i)
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
				n, k, m := len(l.ends), len(l.nulls), len(l.text)
				if !f(l, r) {
					l.ends, l.nulls, l.text = l.ends[:n], l.nulls[:k], l.text[:m]
					c.Out.SetNull(i)
				}
			}
			offsets = append(offsets, int32(len(l.ends)))
		}
		c.Out.Offsets = offsets
		l.fill(c.Out.OwnChildren(1)[0], elem)
	}
}
