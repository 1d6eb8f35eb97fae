package function

import (
	"bytes"
	"math/bits"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name:  "SPLIT_INDEX",
	Forms: []string{"<CHARACTER>, <CHARACTER>, <INTEGER>", "<CHARACTER>, <INTEGER>, <INTEGER>"},
	Type: func(args []Arg) (Signature, error) {
		form := "tti"
		if len(args) > 1 && args[1].Type.Kind.IsInteger() {
			form = "tii"
		}
		return textForm(form, always(types.String()))(args)
	},
	Bind: func(b Binding) (Kernel, error) {
		r := &row{}
		if b.Args[1].Type.Kind.IsInteger() {
			return pieceKernel(0, func(r *row) piece {
				var delim [utf8.UTFMax]byte
				n := utf8.EncodeRune(delim[:], rune(r.integer(1)))
				return token(r.text(0), delim[:n], r.integer(2))
			}), nil
		}
		var lost []uint64
		return func(c *Call) {
			delim, index := textsOf(c.Args[1]), integersOf(c.Args[2])
			if n := index.at(0); delim.isConstant() && index.step == 0 && len(delim.at(0)) == 1 && n >= 0 && n < 1<<31 {
				splitAtByte(c, r, &lost, delim.at(0)[0], int(n))
				return
			}
			splitIndex(c, r)
		}, nil
	},
	Doc: Doc{Group: "string", Text: "Piece number n, from 0, of the text cut at a delimiter, which may be given as a character" +
		" code; NULL beyond the last piece and for a negative number.", Example: "SPLIT_INDEX('a/b/c', '/', 1)", Value: "b"},
})

// splitAtByte is SPLIT_INDEX with one delimiter of one byte and one number for all rows.
func splitAtByte(c *Call, r *row, lost *[]uint64, delim byte, n int) {
	want := r.open(c)
	s := r.texts[0]
	if s.isConstant() {
		splitIndex(c, r)
		return
	}
	if cap(*lost) < len(want) {
		*lost = make([]uint64, len(want))
	}
	gone := (*lost)[:len(want)]
	c.Out.ShareText(c.Args[0])
	out := vector.Alloc[vector.View](c.Out)
	clear(out)
	kernel.SplitByte(out, gone, s.views, s.bufs, want, delim, n)
	if !kernel.Any(gone) {
		return
	}
	if c.Out.Valid == nil {
		c.Out.AllocValid()
	}
	kernel.AndNot(c.Out.Valid[:len(want)], c.Out.Valid, gone)
}

func splitIndex(c *Call, r *row) {
	want := r.open(c)
	base := c.Out.ShareText(c.Args[0])
	w := vector.NewText(c.Out)
	s, delim, index := r.texts[0], r.texts[1], r.ints[2]
	for k, m := range want {
		for ; m != 0; m &= m - 1 {
			i := k<<6 | bits.TrailingZeros64(m)
			v := s.view(i)
			p := token(v.Bytes(s.bufs), delim.at(i), index.at(i))
			if !p.ok {
				c.Out.SetNull(i)
				continue
			}
			w.PutPiece(i, v, s.bufs, base, p.from, p.to)
		}
	}
	w.Finish()
}

// token is one piece of s. An empty text has none, and an empty delimiter cuts at white space.
func token(s, delim []byte, n int64) piece {
	switch {
	case n < 0 || n > int64(len(s)) || len(s) == 0:
		return piece{}
	case len(delim) == 0:
		return tokenAtSpace(s, n)
	}
	from, to, ok := kernel.Token(s, delim, int(n))
	return piece{from, to, ok}
}

func tokenAtSpace(s []byte, n int64) piece {
	from := 0
	for {
		k := bytes.IndexAny(s[from:], " \t\n\v\f\r")
		switch {
		case k < 0 && n == 0:
			return piece{from, len(s), true}
		case k < 0:
			return piece{}
		case n == 0:
			return piece{from, from + k, true}
		}
		from, n = from+k+1, n-1
	}
}

var _ = scalar(Scalar{
	Name: "SPLIT", Forms: []string{"<CHARACTER>, <CHARACTER>"},
	Type: textForm("tt", strictly(types.ArrayOf(types.String()))),
	Bind: bindList(func(l *textList, r *row) bool {
		s, delim := r.text(0), r.text(1)
		switch {
		case len(s) == 0:
		case len(delim) == 0:
			splitUnits(l, s)
		default:
			for {
				k := bytes.Index(s, delim)
				if k < 0 {
					l.add(s)
					break
				}
				l.add(s[:k])
				s = s[k+len(delim):]
			}
		}
		return true
	}),
	Doc: Doc{Group: "string", Text: "The pieces of the text cut at a delimiter, or its characters when that is empty; no pieces" +
		" of an empty text.", Example: "SPLIT('a,b', ',')", Value: "[a, b]"},
})

// splitUnits adds each UTF-16 unit as an element; half of a surrogate pair is a question mark.
func splitUnits(l *textList, s []byte) {
	var one [utf8.UTFMax]byte
	for i := range kernel.Units(s) {
		l.add(kernel.AppendUnits(one[:0], s, i, i+1))
	}
}
