package vector

import "streamsql/exec/kernel"

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
	t := v.Bytes(bufs)[from:to]
	if len(t) <= kernel.InlineLen {
		w.views[i] = kernel.InlineView(t)
		return
	}
	w.views[i] = kernel.MakeView(bufs[v.Buf], v.Buf+base, int(v.Off)+from, to-from)
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
