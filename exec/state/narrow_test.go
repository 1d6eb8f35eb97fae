package state

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// TestNarrow writes and reads columns of all widths and kinds of values.
func TestNarrow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := map[string]func() uint64{
		"equal":    func() uint64 { return 0xDEADBEEF },
		"bytes":    func() uint64 { return 1<<40 + r.Uint64N(200) },
		"shorts":   func() uint64 { return uint64(-30_000 + r.Int64N(60_000)) },
		"ints":     func() uint64 { return uint64(math.MaxInt64 - r.Int64N(1<<32)) },
		"anything": r.Uint64,
		"extremes": func() uint64 { return 1<<63 - r.Uint64N(2) },
		"floats":   func() uint64 { return math.Float64bits(r.NormFloat64()) },
	}
	for name, value := range values {
		for _, width := range []int{1, 2, 3, 4, 8, 12, 16, 24, 32} {
			for _, rows := range []int{1, 2, 3, 255, 256} {
				var c []byte
				for len(c) < rows*width {
					c = binary.LittleEndian.AppendUint64(c, value())
				}
				c = c[:rows*width]
				out := appendNarrow([]byte{7}, c, width)
				if len(out) > 2+len(c) {
					t.Errorf("%s: %d rows of %d bytes take %d", name, rows, width, len(out))
				}
				b := &blockReader{raw: out[1:]}
				if got := b.narrow(rows, width); b.bad || len(b.raw) > 0 || !bytes.Equal(got, c) {
					t.Fatalf("%s: %d rows of %d bytes: %x, want %x", name, rows, width, got, c)
				}
				for cut := range min(len(out)-1, 40) {
					b := &blockReader{raw: out[1 : 1+cut]}
					if b.narrow(rows, width); !b.bad {
						t.Fatalf("%s: %d rows of %d bytes, cut at %d, are read", name, rows, width, cut)
					}
				}
			}
		}
	}
}

func BenchmarkNarrow(b *testing.B) {
	c := make([]byte, 8*spanRows)
	for i := range spanRows {
		binary.LittleEndian.PutUint64(c[8*i:], uint64(1<<30+i*7))
	}
	for name, width := range map[string]int{"words": 8, "views": 16} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(c)))
			var out []byte
			for range b.N {
				out = appendNarrow(out[:0], c, width)
			}
		})
	}
}
