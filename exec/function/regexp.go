package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/regexp"
	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "REGEXP", Forms: []string{"<CHARACTER>, <CHARACTER>"}, Fails: true,
	Type: regexpForm("tt", strictly(types.Of(types.Boolean))),
	Bind: func(b Binding) (Kernel, error) {
		p, err := patternsOf(b, 1)
		return testKernel(func(r *row) bool {
			x := p.of(r)
			return x != nil && len(r.text(1)) > 0 && find(r, x, r.text(0), 0) != nil
		}), err
	},
	Doc: Doc{Group: "string", Text: "Whether the text contains a match of the regular expression (Java's syntax); FALSE for a" +
		" bad or empty one.", Example: "REGEXP('foothebar', 'fo+')", Value: "TRUE"},
})

var _ = scalar(Scalar{
	Name: "REGEXP_EXTRACT", Forms: []string{"<CHARACTER>, <CHARACTER>", "<CHARACTER>, <CHARACTER>, <INTEGER>"}, Fails: true,
	Type: regexpForm("ttI", always(types.String())),
	Bind: func(b Binding) (Kernel, error) {
		p, err := patternsOf(b, 1)
		return pieceKernel(0, func(r *row) piece {
			group := int64(0)
			if r.has(2) {
				group = r.integer(2)
			}
			return extract(r, p.of(r), r.text(0), group)
		}), err
	},
	Doc: Doc{Group: "string", Text: "What the regular expression (Java's syntax), or one of its groups, first matches in the" +
		" text; NULL without a match, for a bad expression and for a group that took no part.",
		Example: "REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 2)", Value: "bar"},
})

var _ = scalar(Scalar{
	Name: "REGEXP_SUBSTR", Forms: []string{"<CHARACTER>, <CHARACTER>"}, Fails: true,
	Type: regexpForm("tt", always(types.String())),
	Bind: func(b Binding) (Kernel, error) {
		p, err := patternsOf(b, 1)
		return pieceKernel(0, func(r *row) piece { return extract(r, p.of(r), r.text(0), 0) }), err
	},
	Doc: Doc{Group: "string", Text: "What the regular expression (Java's syntax) first matches in the text; NULL without a" +
		" match and for a bad expression.", Example: "REGEXP_SUBSTR('a12b', '[0-9]+')", Value: "12"},
})

func extract(r *row, x *regexp.Pattern, s []byte, group int64) piece {
	if x == nil || group < 0 || group > int64(x.Groups()) {
		return piece{}
	}
	loc := find(r, x, s, 0)
	if loc == nil || loc[2*group] < 0 {
		return piece{}
	}
	return piece{loc[2*group], loc[2*group+1], true}
}

var _ = scalar(Scalar{
	Name: "REGEXP_REPLACE", Forms: []string{"<CHARACTER>, <CHARACTER>, <CHARACTER>"}, Fails: true,
	Type: regexpForm("ttt", always(types.String())),
	Bind: func(b Binding) (Kernel, error) {
		p, err := patternsOf(b, 1)
		return textKernel(func(dst []byte, r *row) ([]byte, bool) {
			x := p.of(r)
			if x == nil {
				return dst, false
			}
			s, done := r.text(0), 0
			for from := 0; from <= len(s); {
				loc := find(r, x, s, from)
				if loc == nil {
					break
				}
				dst = append(append(dst, s[done:loc[0]]...), r.text(2)...)
				done, from = loc[1], regexp.Next(s, loc)
			}
			return append(dst, s[done:]...), true
		}), err
	},
	Doc: Doc{Group: "string", Text: "The text with every match of the regular expression (Java's syntax) replaced by the third" +
		" text, which is taken literally; NULL for a bad expression.",
		Example: "REGEXP_REPLACE('foobar', 'o+', '0')", Value: "f0bar"},
})

var _ = scalar(Scalar{
	Name: "REGEXP_COUNT", Forms: []string{"<CHARACTER>, <CHARACTER>"}, Fails: true,
	Type: regexpForm("tt", always(types.Of(types.Int))),
	Bind: func(b Binding) (Kernel, error) {
		p, err := patternsOf(b, 1)
		return positionKernel(func(r *row) (int, bool) {
			x, s, n := p.of(r), r.text(0), 0
			if x == nil {
				return 0, false
			}
			for from := 0; from <= len(s); n++ {
				loc := find(r, x, s, from)
				if loc == nil {
					break
				}
				from = regexp.Next(s, loc)
			}
			return n, true
		}), err
	},
	Doc: Doc{Group: "string", Text: "How many matches of the regular expression (Java's syntax) the text contains; NULL for a" +
		" bad expression.", Example: "REGEXP_COUNT('a1b22', '[0-9]+')", Value: "2"},
})

var _ = scalar(Scalar{
	Name: "REGEXP_INSTR", Forms: []string{"<CHARACTER>, <CHARACTER>"}, Fails: true,
	Type: regexpForm("tt", always(types.Of(types.Int))),
	Bind: func(b Binding) (Kernel, error) {
		p, err := patternsOf(b, 1)
		return positionKernel(func(r *row) (int, bool) {
			x := p.of(r)
			if x == nil {
				return 0, false
			}
			loc := find(r, x, r.text(0), 0)
			if loc == nil {
				return 0, true
			}
			return kernel.Units(r.text(0)[:loc[0]]) + 1, true
		}), err
	},
	Doc: Doc{Group: "string", Text: "Where the first match of the regular expression (Java's syntax) starts in the text, in" +
		" UTF-16 units from 1; 0 without a match, NULL for a bad expression.",
		Example: "REGEXP_INSTR('ab12', '[0-9]')", Value: "3"},
})

var _ = scalar(Scalar{
	Name: "REGEXP_EXTRACT_ALL", Forms: []string{"<CHARACTER>, <CHARACTER>", "<CHARACTER>, <CHARACTER>, <INTEGER>"}, Fails: true,
	Type: regexpForm("ttI", always(types.ArrayOf(types.String()))),
	Bind: func(b Binding) (Kernel, error) {
		p, err := patternsOf(b, 1)
		return listKernel(b.Result.Elem(), func(l *textList, r *row) bool {
			group := int64(1)
			if r.has(2) {
				group = r.integer(2)
			}
			x, s := p.of(r), r.text(0)
			if x == nil || group < 0 || group > int64(x.Groups()) {
				return false
			}
			for from := 0; from <= len(s); {
				loc := find(r, x, s, from)
				if loc == nil {
					break
				}
				if loc[2*group] < 0 {
					l.addNull()
				} else {
					l.add(s[loc[2*group]:loc[2*group+1]])
				}
				from = regexp.Next(s, loc)
			}
			return true
		}), err
	},
	Doc: Doc{Group: "string", Text: "All that a group, by default the first, of the regular expression (Java's syntax) matches in" +
		" the text; NULL for a bad expression and a group that it has not.",
		Example: "REGEXP_EXTRACT_ALL('a1b22', '([0-9]+)')", Value: "[1, 22]"},
})
