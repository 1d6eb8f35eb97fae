package kernel

import (
	"bytes"
	"encoding/binary"
	"unsafe"
)

// InlineLen is the longest text that a View holds inside itself.
const InlineLen = 12

// View is Arrow's 16-byte string view: a text of at most InlineLen bytes stands in the twelve bytes
// after Len, zero padded; a longer one keeps its first four bytes in Prefix and stands at Off in
// buffer Buf of its column's buffer list. A View never holds a Go pointer.
type View struct {
	Len, Prefix, Buf, Off uint32
}

// MakeView describes b[off:off+n], where b is buffer number buf of the column.
func MakeView(b []byte, buf uint32, off, n int) View {
	if n > InlineLen {
		return LongView(b, buf, off, n)
	}
	return InlineView(b[off : off+n])
}

// LongView is MakeView of more than InlineLen bytes.
func LongView(b []byte, buf uint32, off, n int) View {
	return View{uint32(n), binary.LittleEndian.Uint32(b[off : off+n]), buf, uint32(off)}
}

// InlineView holds t, of at most InlineLen bytes, inside the view.
func InlineView(t []byte) View {
	var w [InlineLen]byte
	copy(w[:], t)
	return View{uint32(len(t)), binary.LittleEndian.Uint32(w[0:]), binary.LittleEndian.Uint32(w[4:]), binary.LittleEndian.Uint32(w[8:])}
}

// Bytes returns the text of v. The result aliases the view itself when the text is inlined and the
// buffer otherwise, so v must point into memory that outlives the use.
func (v *View) Bytes(bufs [][]byte) []byte {
	if v.Len <= InlineLen {
		return unsafe.Slice((*byte)(unsafe.Pointer(&v.Prefix)), InlineLen)[:v.Len:v.Len]
	}
	return bufs[v.Buf][v.Off : v.Off+v.Len : v.Off+v.Len]
}

// WriteInline writes the text inside v, and the zeros behind it, to InlineLen bytes.
func (v *View) WriteInline(dst []byte) {
	*(*[InlineLen]byte)(dst) = *(*[InlineLen]byte)(unsafe.Pointer(&v.Prefix))
}

// EqualView tells whether two texts are the same bytes.
func EqualView(a, b *View, abufs, bbufs [][]byte) bool {
	if a.Len != b.Len || a.Prefix != b.Prefix {
		return false
	}
	if a.Len <= InlineLen {
		return a.Buf == b.Buf && a.Off == b.Off
	}
	return bytes.Equal(a.Bytes(abufs), b.Bytes(bbufs))
}

// CompareView orders two texts by bytes, which for UTF-8 is the order of code points.
func CompareView(a, b *View, abufs, bbufs [][]byte) int {
	return bytes.Compare(a.Bytes(abufs), b.Bytes(bbufs))
}
