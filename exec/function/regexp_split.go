package function

import (
	"streamsql/exec/regexp"
	"streamsql/exec/types"
)

var _ = scalar(Scalar{
	Name: "REGEXP_SPLIT", Forms: []string{"<CHARACTER>, <CHARACTER>"}, Fails: true, Extension: true,
	Type: regexpForm("tt", always(types.ArrayOf(types.String()))),
	Bind: func(b Binding) (Kernel, error) {
		p, err := patternsOf(b, 1)
		return listKernel(b.Result.Elem(), func(l *textList, r *row) bool {
			x, s := p.of(r), r.text(0)
			if x == nil {
				return false
			}
			last := 0
			for from := 0; from <= len(s); {
				loc := find(r, x, s, from)
				if loc == nil {
					break
				}
				// What is empty and stands at the start separates nothing.
				if loc[1] > 0 {
					l.add(s[last:loc[0]])
					last = loc[1]
				}
				from = regexp.Next(s, loc)
			}
			l.add(s[last:])
			return true
		}), err
	},
	Doc: Doc{Group: "string", Text: "What stands between the places where the regular expression (Java's syntax) matches in the" +
		" text, also where that is empty; NULL for a bad expression.", Example: "REGEXP_SPLIT('a1b22c', '[0-9]+')", Value: "[a, b, c]"},
})
