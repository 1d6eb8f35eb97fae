package function

import (
	"encoding/hex"
	"math/rand/v2"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "UUID", Volatile: true, Forms: []string{"UUID()"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 0 {
			return Signature{}, Mismatch()
		}
		return Signature{Result: types.CharOf(36).WithNull(false)}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return func(c *Call) {
			w := vector.NewText(c.Out)
			for i := range c.Out.Len {
				w.End(i, appendUUID(w.Begin(), rand.Uint64(), rand.Uint64()))
			}
			w.Finish()
		}, nil
	},
	Doc: Doc{"math", "A random identifier of RFC 4122, version 4.", "CHAR_LENGTH(UUID())", "36"},
})

// appendUUID prints 122 of the 128 bits beside the version and the variant.
func appendUUID(b []byte, hi, lo uint64) []byte {
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 2<<62
	var raw [16]byte
	for i := range 8 {
		raw[i], raw[i+8] = byte(hi>>(56-8*i)), byte(lo>>(56-8*i))
	}
	for i, cut := range [...]int{4, 6, 8, 10, 16} {
		if i > 0 {
			b = append(b, '-')
		}
		from := [...]int{0, 4, 6, 8, 10}[i]
		b = hex.AppendEncode(b, raw[from:cut])
	}
	return b
}
