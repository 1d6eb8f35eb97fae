package function

import (
	"fmt"
	"math/bits"
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "||", Forms: []string{"<STRING> || <STRING>"}, Special: true,
	Type: joinType,
	Bind: joinBind,
	Doc:  Doc{Group: "string", Text: "Both texts, or binaries, in a row.", Example: "'ab' || 'cd'", Value: "abcd"},
})

// joinType: two CHAR make a CHAR, texts otherwise a VARCHAR; binaries likewise.
func joinType(args []Arg) (Signature, error) {
	if len(args) == 2 && (args[0].Type.Kind.IsBinary() || args[1].Type.Kind.IsBinary()) {
		kind := types.Varbinary
		if args[0].Type.Kind == types.Binary && args[1].Type.Kind == types.Binary {
			kind = types.Binary
		}
		sig, err := textForm("bb", joinedLength(kind))(args)
		return sig, err
	}
	kind := types.Varchar
	if len(args) == 2 && args[0].Type.Kind == types.Char && args[1].Type.Kind == types.Char {
		kind = types.Char
	}
	return textForm("tt", joinedLength(kind))(args)
}

// joinBind is a kernel that writes all texts of a lane in a row.
func joinBind(Binding) (Kernel, error) {
	r := &row{}
	return func(c *Call) {
		want := r.open(c)
		w := vector.NewText(c.Out)
		for k, m := range want {
			for ; m != 0; m &= m - 1 {
				i := k<<6 | bits.TrailingZeros64(m)
				dst, n := w.Begin(), kernel.InlineLen
				for j := range r.texts {
					n += int(r.texts[j].view(i).Len)
				}
				dst = slices.Grow(dst, n)
				for j := range r.texts {
					t := &r.texts[j]
					v := t.view(i)
					at := len(dst)
					dst = dst[:at+int(v.Len)]
					if v.Len <= kernel.InlineLen {
						v.WriteInline(dst[at : at+kernel.InlineLen])
					} else {
						copy(dst[at:], v.Bytes(t.bufs))
					}
				}
				w.End(i, dst)
			}
		}
		w.Finish()
	}, nil
}

var _ = scalar(Scalar{
	Name: "CONCAT", Forms: []string{"<CHARACTER>, ..."},
	Type: textForm("t*", strictly(types.String())),
	Bind: joinBind,
	Doc: Doc{Group: "string", Text: "All texts in a row.",
		Example: "CONCAT('a', 'b', 'c')", Value: "abc"},
})

var _ = scalar(Scalar{
	Name: "CONCAT_WS", Forms: []string{"<CHARACTER>, <CHARACTER>, ..."}, Nulls: Custom,
	Type: textForm("tt*", always(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		if r.null(0) {
			return dst, false
		}
		first := true
		for k := 1; r.has(k); k++ {
			if r.null(k) {
				continue
			}
			if !first {
				dst = append(dst, r.text(0)...)
			}
			first = false
			dst = append(dst, r.text(k)...)
		}
		return dst, true
	}),
	Doc: Doc{Group: "string", Text: "The texts that are not NULL, with the first one between them; NULL when the first is NULL.",
		Example: "CONCAT_WS('-', 'a', 'b')", Value: "a-b"},
})

// longestText bounds what REPEAT and the PADs make of one value.
const longestText = 1 << 30

var _ = scalar(Scalar{
	Name: "REPEAT", Forms: []string{"<CHARACTER>, <INTEGER>"}, Fails: true,
	Type: textForm("ti", strictly(types.String())),
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		s, n := r.text(0), r.integer(1)
		if len(s) == 0 || n <= 0 {
			return dst, true
		}
		if n > longestText/int64(len(s)) {
			r.failWith(func() error {
				return fmt.Errorf("REPEAT: a text of more than %d bytes", longestText)
			})
			return dst, true
		}
		for ; n > 0; n-- {
			dst = append(dst, s...)
		}
		return dst, true
	}),
	Doc: Doc{Group: "string", Text: "The text a number of times in a row; empty for a number below 1.",
		Example: "REPEAT('ab', 3)", Value: "ababab"},
})

var _ = scalar(Scalar{
	Name: "ELT", Forms: []string{"<INTEGER>, <CHARACTER>, ..."}, Nulls: Custom,
	Type: func(args []Arg) (Signature, error) {
		form, t := "it*", types.String()
		if len(args) > 1 && args[1].Type.Kind.IsBinary() {
			form, t = "ib*", types.Bytes()
		}
		if len(args) < 2 {
			return Signature{}, Mismatch()
		}
		return textForm(form, always(t))(args)
	},
	Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
		if r.null(0) {
			return dst, false
		}
		k := r.integer(0)
		if k < 1 || k >= int64(len(r.texts)) || r.null(int(k)) {
			return dst, false
		}
		return append(dst, r.text(int(k))...), true
	}),
	Doc: Doc{Group: "string", Text: "The text of that number among those that follow; NULL beyond them.",
		Example: "ELT(2, 'a', 'b', 'c')", Value: "b"},
})
