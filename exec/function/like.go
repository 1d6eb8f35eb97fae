package function

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "LIKE", Forms: []string{"<STRING> LIKE <STRING> [ESCAPE <STRING>]"}, Special: true, Fails: true,
	Type: likeType(func(pattern string, escape rune) error {
		_, err := kernel.CompileLike(pattern, escape)
		return err
	}),
	Bind: bindLike,
	Doc: Doc{Group: "string", Text: "Whether the text is like a pattern, in which % stands for any text and _ for one character." +
		" There is no escape character unless ESCAPE names one.", Example: "'Flink' LIKE 'F%k'", Value: "TRUE"},
})

// likeType checks a text, a pattern and an escape character; what is known at planning is read by try.
func likeType(try func(pattern string, escape rune) error) func([]Arg) (Signature, error) {
	form := textForm("ttT", strictly(types.Of(types.Boolean)))
	return func(args []Arg) (Signature, error) {
		sig, err := form(args)
		if err != nil {
			return sig, err
		}
		escape := rune(-1)
		if len(args) == 3 {
			e, ok := literalText(args, 2)
			if ok && utf8.RuneCountInString(e) != 1 {
				return sig, Refuse("invalid escape character '%s'", e)
			}
			if !ok {
				return sig, nil
			}
			escape, _ = utf8.DecodeRuneInString(e)
		}
		if p, ok := literalText(args, 1); ok {
			if err := try(p, escape); err != nil {
				return sig, Refuse("invalid pattern '%s': %v", p, err)
			}
		}
		return sig, nil
	}
}

// escapeOf is the escape character of lane r, or -1.
func escapeOf(r *row) (escape rune, ok bool) {
	if !r.has(2) {
		return -1, true
	}
	e, size := utf8.DecodeRune(r.text(2))
	if size != len(r.text(2)) || size == 0 {
		r.failWith(func() error {
			return fmt.Errorf("invalid escape character '%s'", r.text(2))
		})
		return 0, false
	}
	return e, true
}

func bindLike(b Binding) (Kernel, error) {
	pattern, known := literalText(b.Args, 1)
	if known && len(b.Args) == 2 {
		like, err := kernel.CompileLike(pattern, -1)
		if err != nil {
			return nil, err
		}
		r := &row{}
		return func(c *Call) {
			want := r.open(c)
			out := vector.AllocBits(c.Out)
			if s := r.texts[0]; !s.isConstant() {
				kernel.MatchLike(out, s.views, s.bufs, want, like)
			} else {
				clear(out)
				if like.Match(s.at(0)) {
					copy(out, want)
				}
			}
		}, nil
	}
	compiled := cache[*kernel.Like]{}
	return testKernel(func(r *row) bool {
		escape, ok := escapeOf(r)
		if !ok {
			return false
		}
		like, err := compiled.get(r.text(1), escape, func(p string) (*kernel.Like, error) { return kernel.CompileLike(p, escape) })
		if err != nil {
			r.failWith(func() error {
				return fmt.Errorf("invalid pattern '%s': %v", r.text(1), err)
			})
			return false
		}
		return like.Match(r.text(0))
	}), nil
}

var _ = scalar(Scalar{
	Name: "STARTSWITH", Forms: []string{"<CHARACTER>, <CHARACTER>"},
	Type: textForm("xx", strictly(types.Of(types.Boolean))),
	Bind: bindTest(func(r *row) bool { return bytes.HasPrefix(r.text(0), r.text(1)) }),
	Doc: Doc{Group: "string", Text: "Whether the first text starts with the second.",
		Example: "STARTSWITH('hello', 'he')", Value: "TRUE"},
})

var _ = scalar(Scalar{
	Name: "ENDSWITH", Forms: []string{"<CHARACTER>, <CHARACTER>"},
	Type: textForm("xx", strictly(types.Of(types.Boolean))),
	Bind: bindTest(func(r *row) bool { return bytes.HasSuffix(r.text(0), r.text(1)) }),
	Doc: Doc{Group: "string", Text: "Whether the first text ends with the second.",
		Example: "ENDSWITH('hello', 'lo')", Value: "TRUE"},
})
