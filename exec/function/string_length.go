package function

import (
	"bytes"
	"math/bits"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "CHAR_LENGTH", Aliases: []string{"CHARACTER_LENGTH"}, Forms: []string{"<CHARACTER>"},
	Type: textForm("t", strictly(types.Of(types.Int))),
	Bind: func(Binding) (Kernel, error) {
		var lanes wanted
		return func(c *Call) {
			want := lanes.of(c)
			out := vector.Alloc[int32](c.Out)
			if s := textsOf(c.Args[0]); !s.isConstant() {
				kernel.CountPoints(out, s.views, s.bufs, want)
			} else {
				kernel.Repeat(out, int32(kernel.CodePoints(s.at(0))))
			}
		}, nil
	},
	Doc: Doc{Group: "string", Text: "The number of code points of the text.", Example: "CHAR_LENGTH('Flink')", Value: "5"},
})

var _ = scalar(Scalar{
	Name: "COUNT_CHAR", Forms: []string{"<CHARACTER>, <CHARACTER>"}, Extension: true, Nulls: Custom, Fails: true,
	Type: textForm("tt", always(types.Of(types.BigInt).WithNull(false))),
	Bind: func(Binding) (Kernel, error) {
		r := &row{}
		return func(c *Call) { countChar(c, r) }, nil
	},
	Doc: Doc{Group: "string", Text: "How often the first byte of the second text stands in the first text;" +
		" 0 when the text is NULL. It is what Nexmark's UDF count_char does.", Example: "COUNT_CHAR('abcabc', 'c')", Value: "2"},
})

func countChar(c *Call, r *row) {
	r.open(c)
	out := vector.Alloc[int64](c.Out)
	clear(out)
	if c.Args[0].IsConstNull() {
		return
	}
	want := r.present(c.Args[0])
	text, sep := r.texts[0], r.texts[1]
	if sep.isConstant() && !text.isConstant() && !c.Args[1].IsConstNull() && len(sep.at(0)) > 0 {
		kernel.CountByte(out, text.views, text.bufs, want, sep.at(0)[0])
		return
	}
	for i := range out {
		if !kernel.Bit(want, i) {
			continue
		}
		if c.Args[1].Null(i) || len(sep.at(i)) == 0 {
			c.Fail(i, failure("COUNT_CHAR needs a character to count"))
			continue
		}
		out[i] = int64(bytes.Count(text.at(i), sep.at(i)[:1]))
	}
}

// present is the active lanes on which a, an argument of a Custom function, is not NULL.
func (r *row) present(a *vector.Column) []uint64 {
	want := r.want.of(r.c)
	if a.Valid == nil || a.Enc == vector.Constant {
		return want
	}
	n := len(want)
	if cap(r.want.words) < n {
		r.want.words = make([]uint64, n)
	}
	r.want.words = r.want.words[:n]
	kernel.And(r.want.words, want, a.Valid)
	return r.want.words
}

var _ = scalar(Scalar{
	Name: "ASCII", Forms: []string{"<CHARACTER>"},
	Type: textForm("t", strictly(types.Of(types.Int))),
	Bind: bindPosition(func(r *row) (int, bool) {
		s := r.text(0)
		if len(s) == 0 {
			return 0, true
		}
		return int(int8(s[0])), true
	}),
	Doc: Doc{Group: "string", Text: "The first byte of the text as a signed number; 0 for the empty text.",
		Example: "ASCII('abc')", Value: "97"},
})

var _ = scalar(Scalar{
	Name: "CHR", Forms: []string{"<INTEGER>"},
	Type: textForm("i", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		n := r.integer(0)
		if n < 0 {
			return dst, true
		}
		return append(dst, string(rune(n&255))...), true
	}),
	Doc: Doc{Group: "string", Text: "The character whose code is the number, modulo 256; the empty text for a negative number.",
		Example: "CHR(97)", Value: "a"},
})

// indexFrom is the 1-based code point at which sub is found in s at or after code point from, or 0.
func indexFrom(s, sub []byte, from int64) int {
	if len(sub) == 0 {
		return 1
	}
	from = max(from, 1)
	if from > int64(len(s)) {
		return 0
	}
	at := kernel.Offset(s, int(from-1))
	k := bytes.Index(s[at:], sub)
	if k < 0 {
		return 0
	}
	return kernel.CodePoints(s[:at+k]) + 1
}

var _ = scalar(Scalar{
	Name: "POSITION", Forms: []string{"<CHARACTER> IN <CHARACTER>"}, Special: true,
	Type: textForm("ttI", strictly(types.Of(types.Int))),
	Bind: locateBind,
	Doc: Doc{Group: "string", Text: "Where the first text stands in the second, counted from 1; 0 when it doesn't.",
		Example: "POSITION('l' IN 'hello')", Value: "3"},
})

var _ = scalar(Scalar{
	Name: "LOCATE", Forms: []string{"<CHARACTER>, <CHARACTER>", "<CHARACTER>, <CHARACTER>, <INTEGER>"},
	Type: textForm("ttI", strictly(types.Of(types.Int))),
	Bind: locateBind,
	Doc: Doc{Group: "string", Text: "Where the first text stands in the second at or after a position, counted from 1;" +
		" 0 when it doesn't.", Example: "LOCATE('l', 'hello', 4)", Value: "4"},
})

func locateBind(b Binding) (Kernel, error) {
	if sub, known := literalText(b.Args, 0); known && sub != "" && len(b.Args) == 2 {
		return locateConstant([]byte(sub)), nil
	}
	return positionKernel(locate), nil
}

// locateConstant looks for one text, which is not empty, from the start on.
func locateConstant(sub []byte) Kernel {
	var lanes wanted
	return func(c *Call) {
		s, want := textsOf(c.Args[1]), lanes.of(c)
		out := vector.Alloc[int32](c.Out)
		clear(out)
		for k, m := range want {
			for ; m != 0; m &= m - 1 {
				i := k<<6 | bits.TrailingZeros64(m)
				t := s.at(i)
				if at := bytes.Index(t, sub); at >= 0 {
					out[i] = int32(kernel.CodePoints(t[:at]) + 1)
				}
			}
		}
	}
}

func locate(r *row) (int, bool) {
	from := int64(1)
	if r.has(2) {
		from = r.integer(2)
	}
	return indexFrom(r.text(1), r.text(0), from), true
}

var _ = scalar(Scalar{
	Name: "INSTR", Forms: []string{"<CHARACTER>, <CHARACTER>", "<CHARACTER>, <CHARACTER>, <INTEGER>",
		"<CHARACTER>, <CHARACTER>, <INTEGER>, <INTEGER>"}, Fails: true,
	Type: textForm("ttII", strictly(types.Of(types.Int))),
	Bind: func(Binding) (Kernel, error) {
		var s, sub []byte
		return positionKernel(func(r *row) (int, bool) {
			from, nth := int64(1), int64(1)
			if r.has(2) {
				from = r.integer(2)
			}
			if r.has(3) {
				nth = r.integer(3)
			}
			if nth <= 0 {
				r.fail(failure("INSTR: the number of the occurrence must be positive"))
				return 0, true
			}
			if from >= 0 {
				return nthIndex(r.text(0), r.text(1), from, nth), true
			}
			s, sub = appendReverse(s[:0], r.text(0)), appendReverse(sub[:0], r.text(1))
			k := nthIndex(s, sub, -from, nth)
			if k == 0 {
				return 0, true
			}
			return kernel.CodePoints(s) + 2 - k - kernel.CodePoints(sub), true
		}), nil
	},
	Doc: Doc{Group: "string", Text: "Where the second text stands in the first, counted from 1; 0 when it doesn't. A start" +
		" position and the number of the occurrence may follow; a negative start searches backwards from the end.",
		Example: "INSTR('hello', 'l')", Value: "3"},
})

func nthIndex(s, sub []byte, from, nth int64) int {
	k := 0
	for ; nth > 0; nth-- {
		k = indexFrom(s, sub, from)
		if k == 0 || len(sub) == 0 {
			return k
		}
		from = int64(k + 1)
	}
	return k
}
