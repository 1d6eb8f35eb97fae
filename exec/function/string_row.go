package function

import (
	"math/bits"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// textColumn reads a flat or constant text column by row.
type textColumn struct {
	views []vector.View
	bufs  [][]byte
	step  int
}

func textsOf(c *vector.Column) textColumn {
	return textColumn{vector.Values[vector.View](c), c.Bufs, c.Step()}
}

func (t *textColumn) at(i int) []byte         { return t.views[i*t.step].Bytes(t.bufs) }
func (t textColumn) str(i int) string         { return string(t.at(i)) }
func (t *textColumn) isConstant() bool        { return t.step == 0 }
func (t *textColumn) view(i int) *vector.View { return &t.views[i*t.step] }

// integerColumn reads a flat or constant BIGINT column by row.
type integerColumn struct {
	vals []int64
	step int
}

func integersOf(c *vector.Column) integerColumn {
	return integerColumn{vector.Values[int64](c), c.Step()}
}

func (n *integerColumn) at(i int) int64 { return n.vals[i*n.step] }

// wanted holds the lanes to compute: active ones that are not NULL. Its memory serves every batch.
type wanted struct{ words []uint64 }

func (w *wanted) of(c *Call) []uint64 {
	n := c.Out.Stored()
	words := kernel.Words(n)
	switch {
	case c.Out.Valid == nil && c.Active != nil:
		return c.Active[:words]
	case c.Out.Valid != nil && c.Active == nil:
		if cap(w.words) < words {
			w.words = make([]uint64, words)
		}
		w.words = w.words[:words]
		copy(w.words, c.Out.Valid)
		return w.words
	}
	if cap(w.words) < words {
		w.words = make([]uint64, words)
	}
	w.words = w.words[:words]
	if c.Active != nil {
		kernel.And(w.words, c.Active, c.Out.Valid)
	} else {
		kernel.Fill(w.words, n)
	}
	return w.words
}

// row is one lane of a call as the rarer functions see it.
type row struct {
	c     *Call
	i     int
	texts []textColumn
	ints  []integerColumn
	want  wanted
}

func (r *row) open(c *Call) []uint64 {
	r.c = c
	r.texts, r.ints = r.texts[:0], r.ints[:0]
	for _, a := range c.Args {
		var t textColumn
		var n integerColumn
		switch {
		case a.Type.Physical() == types.PhysView:
			t = textsOf(a)
		case a.Type.Kind == types.BigInt:
			n = integersOf(a)
		}
		r.texts, r.ints = append(r.texts, t), append(r.ints, n)
	}
	return r.want.of(c)
}

func (r *row) has(k int) bool      { return k < len(r.texts) }
func (r *row) text(k int) []byte   { return r.texts[k].at(r.i) }
func (r *row) integer(k int) int64 { return r.ints[k].at(r.i) }
func (r *row) null(k int) bool     { return r.c.Args[k].Null(r.i) }
func (r *row) fail(err error)      { r.c.Fail(r.i, err) }

func (r *row) failWith(why func() error) { r.c.FailWith(r.i, why) }

// bindText makes the Bind of a function to texts from f, which appends the value of a lane or says that
// it is NULL.
func bindText(f func(dst []byte, r *row) ([]byte, bool)) func(Binding) (Kernel, error) {
	return func(Binding) (Kernel, error) { return textKernel(f), nil }
}

func textKernel(f func(dst []byte, r *row) ([]byte, bool)) Kernel {
	r := &row{}
	return func(c *Call) {
		want := r.open(c)
		w := vector.NewText(c.Out)
		for k, m := range want {
			for ; m != 0; m &= m - 1 {
				r.i = k<<6 | bits.TrailingZeros64(m)
				dst, ok := f(w.Begin(), r)
				if ok {
					w.End(r.i, dst)
				} else {
					c.Out.SetNull(r.i)
				}
			}
		}
		w.Finish()
	}
}

// bindPosition makes the Bind of a function to INT.
func bindPosition(f func(r *row) (v int, ok bool)) func(Binding) (Kernel, error) {
	return func(Binding) (Kernel, error) { return positionKernel(f), nil }
}

func positionKernel(f func(r *row) (v int, ok bool)) Kernel {
	r := &row{}
	return func(c *Call) {
		want := r.open(c)
		out := vector.Alloc[int32](c.Out)
		clear(out)
		for k, m := range want {
			for ; m != 0; m &= m - 1 {
				r.i = k<<6 | bits.TrailingZeros64(m)
				v, ok := f(r)
				out[r.i] = int32(v)
				if !ok {
					c.Out.SetNull(r.i)
				}
			}
		}
	}
}

// bindTest makes the Bind of a function to BOOLEAN.
func bindTest(f func(r *row) bool) func(Binding) (Kernel, error) {
	return func(Binding) (Kernel, error) { return testKernel(f), nil }
}

func testKernel(f func(r *row) bool) Kernel {
	r := &row{}
	return func(c *Call) {
		want := r.open(c)
		out := vector.AllocBits(c.Out)
		for k, m := range want {
			var x uint64
			for ; m != 0; m &= m - 1 {
				r.i = k<<6 | bits.TrailingZeros64(m)
				if f(r) {
					x |= m & -m
				}
			}
			out[k] = x
		}
	}
}

// piece is a part of a text argument: bytes from..to, or NULL when ok is false.
type piece struct {
	from, to int
	ok       bool
}

// bindPiece makes the Bind of a function whose value is a part of argument k, shared without a copy.
func bindPiece(k int, f func(r *row) piece) func(Binding) (Kernel, error) {
	return func(Binding) (Kernel, error) { return pieceKernel(k, f), nil }
}

func pieceKernel(k int, f func(r *row) piece) Kernel {
	r := &row{}
	return func(c *Call) {
		want := r.open(c)
		base := c.Out.ShareText(c.Args[k])
		w := vector.NewText(c.Out)
		src := r.texts[k]
		for n, m := range want {
			for ; m != 0; m &= m - 1 {
				r.i = n<<6 | bits.TrailingZeros64(m)
				p := f(r)
				if p.ok {
					w.PutPiece(r.i, src.view(r.i), src.bufs, base, p.from, p.to)
				} else {
					c.Out.SetNull(r.i)
				}
			}
		}
		w.Finish()
	}
}
