package function

import (
	"bytes"
	"math/bits"
	"strconv"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "INET_ATON", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", always(types.Of(types.BigInt))),
	Bind: func(Binding) (Kernel, error) {
		r := &row{}
		return func(c *Call) {
			want := r.open(c)
			out := vector.Alloc[int64](c.Out)
			clear(out)
			for k, m := range want {
				for ; m != 0; m &= m - 1 {
					r.i = k<<6 | bits.TrailingZeros64(m)
					v, ok := addressNumber(r.text(0))
					out[r.i] = v
					if !ok {
						c.Out.SetNull(r.i)
					}
				}
			}
		}, nil
	},
	Doc: Doc{Group: "string", Text: "The number of an IPv4 address; NULL for a bad one. In an address of less than four parts the" +
		" last one fills the rest.", Example: "INET_ATON('127.0.0.1')", Value: "2130706433"},
})

// addressNumber reads a.b.c.d, a.b.c, a.b or a.
func addressNumber(s []byte) (v int64, ok bool) {
	for part := 0; ; part++ {
		k := bytes.IndexByte(s, '.')
		item := s
		if k >= 0 {
			item = s[:k]
		}
		n := int64(0)
		for _, c := range item {
			if c < '0' || c > '9' || len(item) > 10 {
				return 0, false
			}
			n = n*10 + int64(c-'0')
		}
		room := 8
		if k < 0 {
			room = 32 - 8*part
		}
		if len(item) == 0 || part > 3 || n >= 1<<room {
			return 0, false
		}
		v = v<<room | n
		if k < 0 {
			return v, true
		}
		s = s[k+1:]
	}
}

var _ = scalar(Scalar{
	Name: "INET_NTOA", Forms: []string{"<INTEGER>"},
	Type: textForm("i", always(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		v := r.integer(0)
		if v < 0 || v > 1<<32-1 {
			return dst, false
		}
		for shift := 24; shift >= 0; shift -= 8 {
			dst = strconv.AppendInt(dst, v>>shift&255, 10)
			if shift > 0 {
				dst = append(dst, '.')
			}
		}
		return dst, true
	}),
	Doc: Doc{Group: "string", Text: "The IPv4 address of a number; NULL for one that is none.",
		Example: "INET_NTOA(2130706433)", Value: "127.0.0.1"},
})
