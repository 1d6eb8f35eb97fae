package function

import (
	"math"
	"math/bits"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "SUBSTRING", Aliases: []string{"SUBSTR"},
	Forms: []string{"<CHARACTER>, <INTEGER>", "<CHARACTER>, <INTEGER>, <INTEGER>"},
	Type:  textForm("tiI", varying(0, true)),
	Bind: func(Binding) (Kernel, error) {
		r := &row{}
		return func(c *Call) { substring(c, r) }, nil
	},
	Doc: Doc{Group: "string", Text: "The text from a position on, counted from 1, of at most a number of code points. Position" +
		" 0 is 1; a negative one counts from the end; beyond either end the result is empty. NULL for a negative length.",
		Example: "SUBSTRING('hello', 2, 3)", Value: "ell"},
})

// toTheEnd is the length of SUBSTRING without one.
var toTheEnd = []int64{math.MaxInt64}

func substring(c *Call, r *row) {
	want := r.open(c)
	base := c.Out.ShareText(c.Args[0])
	w := vector.NewText(c.Out)
	s, pos := &r.texts[0], &r.ints[1]
	length := &integerColumn{toTheEnd, 0}
	if r.has(2) {
		length = &r.ints[2]
	}
	fixed, start := s.step == 1 && pos.step == 0 && length.step == 0 && pos.vals[0] >= 0 && length.vals[0] >= 0, int64(0)
	if fixed {
		start = min(max(pos.vals[0]-1, 0), types.MaxLength)
	}
	for k, m := range want {
		if fixed {
			m = w.CutASCII(k, m, s.views, s.bufs, base, int(start), int(start+min(length.vals[0], types.MaxLength)))
		}
		for ; m != 0; m &= m - 1 {
			i := k<<6 | bits.TrailingZeros64(m)
			n := length.at(i)
			if n < 0 {
				c.Out.SetNull(i)
				continue
			}
			v := s.view(i)
			from, to := kernel.Substring(v.Bytes(s.bufs), pos.at(i), n)
			w.PutPiece(i, v, s.bufs, base, from, to)
		}
	}
	w.Finish()
}

var _ = scalar(Scalar{
	Name: "LEFT", Forms: []string{"<CHARACTER>, <INTEGER>"},
	Type: textForm("ti", always(types.String())),
	Bind: bindPiece(0, func(r *row) piece {
		from, to := kernel.Substring(r.text(0), 1, max(r.integer(1), 0))
		return piece{from, to, true}
	}),
	Doc: Doc{Group: "string", Text: "The first code points of the text; empty for a negative number.",
		Example: "LEFT('hello', 2)", Value: "he"},
})

var _ = scalar(Scalar{
	Name: "RIGHT", Forms: []string{"<CHARACTER>, <INTEGER>"},
	Type: textForm("ti", always(types.String())),
	Bind: bindPiece(0, func(r *row) piece {
		s, n := r.text(0), max(r.integer(1), 0)
		have := int64(kernel.CodePoints(s))
		return piece{kernel.Offset(s, int(max(have-n, 0))), len(s), true}
	}),
	Doc: Doc{Group: "string", Text: "The last code points of the text; empty for a negative number.",
		Example: "RIGHT('hello', 2)", Value: "lo"},
})

var _ = scalar(Scalar{
	Name:  "OVERLAY",
	Forms: []string{"<CHARACTER> PLACING <CHARACTER> FROM <INTEGER> [FOR <INTEGER>]"}, Special: true,
	Type: textForm("ttiI", joinedLength(types.Varchar)),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		s, with, start := r.text(0), r.text(1), r.integer(2)
		n, length := int64(kernel.Units(s)), int64(kernel.Units(with))
		if r.has(3) {
			length = r.integer(3)
		}
		if start <= 0 || start > n {
			return append(dst, s...), true
		}
		dst = kernel.AppendUnits(dst, s, 0, int(start-1))
		dst = append(dst, with...)
		// A length below 1 drops the rest of the text, as in Flink.
		if length > 0 && length <= n-start {
			dst = kernel.AppendUnits(dst, s, int(start-1+length), int(n))
		}
		return dst, true
	}),
	Doc: Doc{Group: "string", Text: "The text with a part from a position on, of the given length or that of the second text," +
		" replaced by the second text.", Example: "OVERLAY('abcdef' PLACING 'XY' FROM 2 FOR 3)", Value: "aXYef"},
})

// joinedLength is a text as long as the first two arguments together.
func joinedLength(kind types.Kind) func([]Arg) types.Type {
	return func(args []Arg) types.Type {
		t := types.Type{Kind: kind, Precision: types.MaxLength}
		if n := args[0].Type.Precision + args[1].Type.Precision; n < types.MaxLength {
			t.Precision = n
		}
		if args[0].Type.Kind == types.Null || args[1].Type.Kind == types.Null {
			t.Precision = types.MaxLength
		}
		return t.WithNull(anyNullable(args))
	}
}
