package vector

import (
	"encoding/binary"

	"streamsql/exec/kernel"
)

// TextWriter fills a text or binary column row by row into its reused arena. Rows may be set in any
// order; a row never set holds the empty text.
type TextWriter struct {
	c     *Column
	views []View
	own   uint32 // buffer number of the arena
	mark  int    // arena position where the text being built starts
}

// NewText prepares c, just Reset or with Stored rows known, to be written. Bufs already in c (from
// ShareText) are kept and the arena becomes the next buffer.
func NewText(c *Column) TextWriter {
	v := Alloc[View](c)
	clear(v)
	w := TextWriter{c: c, views: v, own: uint32(len(c.Bufs))}
	c.arena = c.arena[:0]
	c.Bufs = append(c.Bufs, c.arena)
	return w
}

// ShareText lets c refer to the buffers of src, so that PutView may store pieces of src's texts. It
// returns the buffer number to add. Call it before NewText.
func (c *Column) ShareText(src *Column) uint32 {
	base := uint32(len(c.Bufs))
	c.Bufs, c.Lasting = append(c.Bufs, src.Bufs...), c.Lasting|src.Lasting&(1<<len(src.Bufs)-1)<<base
	return base
}

// Put copies t as the value of row i.
func (w *TextWriter) Put(i int, t []byte) {
	if len(t) <= kernel.InlineLen {
		w.views[i] = kernel.InlineView(t)
		return
	}
	off := len(w.c.arena)
	w.c.arena = append(w.c.arena, t...)
	w.views[i] = kernel.MakeView(w.c.arena, w.own, off, len(t))
}

// PutView copies the text of v as the value of row i.
func (w *TextWriter) PutView(i int, v *View, bufs [][]byte) {
	if v.Len <= kernel.InlineLen {
		w.views[i] = *v
		return
	}
	w.Put(i, v.Bytes(bufs))
}

// PutInteger makes the digits of n the value of row i.
func (w *TextWriter) PutInteger(i int, n int64) {
	var d kernel.Digits
	if t := d.Of(n); len(t) > kernel.InlineLen {
		w.Put(i, t)
	} else {
		w.views[i] = d.View(len(t))
	}
}

// PutString copies s as the value of row i.
func (w *TextWriter) PutString(i int, s string) {
	off := len(w.c.arena)
	w.c.arena = append(w.c.arena, s...)
	w.views[i] = kernel.MakeView(w.c.arena, w.own, off, len(s))
	if len(s) <= kernel.InlineLen {
		w.c.arena = w.c.arena[:off]
	}
}

// Repeat makes the values of rows from..to that of row src, which was set before.
func (w *TextWriter) Repeat(from, to, src int) { kernel.Repeat(w.views[from:to], w.views[src]) }

// PutPiece stores bytes from..to of v, a view of a column shared at base, without a copy when the piece
// is long.
func (w *TextWriter) PutPiece(i int, v *View, bufs [][]byte, base uint32, from, to int) {
	n := to - from
	if n <= kernel.InlineLen {
		w.views[i] = kernel.InlineView(v.Bytes(bufs)[from:to])
		return
	}
	off := int(v.Off) + from
	w.views[i] = View{Len: uint32(n), Prefix: binary.LittleEndian.Uint32(bufs[v.Buf][off:]), Buf: v.Buf + base, Off: uint32(off)}
}

// CutASCII is kernel.CutASCII for the rows of word k, of a column v shared at base.
func (w *TextWriter) CutASCII(k int, want uint64, v []View, bufs [][]byte, base uint32, from, to int) (left uint64) {
	return kernel.CutASCII(w.views[k<<6:], v[k<<6:], bufs, base, want, from, to)
}

// PutLent makes n bytes at off of a buffer, one that c had before NewText, the value of row i.
func (w *TextWriter) PutLent(i int, buf uint32, off, n int) {
	w.views[i] = kernel.MakeView(w.c.Bufs[buf], buf, off, n)
}

// Begin returns the arena to append a text to; End(i, b) makes what was appended the value of row i.
func (w *TextWriter) Begin() []byte {
	w.mark = len(w.c.arena)
	return w.c.arena
}

// End takes the arena back with the appended text.
func (w *TextWriter) End(i int, b []byte) {
	w.c.arena = b
	n := len(b) - w.mark
	w.views[i] = kernel.MakeView(b, w.own, w.mark, n)
	if n <= kernel.InlineLen {
		w.c.arena = b[:w.mark]
	}
}

// Finish must be called after the last row: it publishes the arena, which may have moved.
func (w *TextWriter) Finish() { w.c.Bufs[w.own] = w.c.arena }
