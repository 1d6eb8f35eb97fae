package function

import (
	"fmt"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

func padFunction(name, text, example, value string, left bool) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{"<CHARACTER>, <INTEGER>, <CHARACTER>"}, Fails: true,
		Type: textForm("tit", always(types.String())),
		Bind: bindText(func(dst []byte, r *row) ([]byte, bool) {
			s, n, with := r.text(0), r.integer(1), r.text(2)
			switch {
			case n < 0 || len(with) == 0:
				return dst, false
			case n > longestText:
				r.failWith(func() error {
					return fmt.Errorf("%s: a text of more than %d characters", name, longestText)
				})
				return dst, true
			}
			have := kernel.Units(s)
			if have >= int(n) {
				return kernel.AppendUnits(dst, s, 0, int(n)), true
			}
			if !left {
				dst = append(dst, s...)
			}
			dst = appendPadding(dst, with, int(n)-have)
			if left {
				dst = append(dst, s...)
			}
			return dst, true
		}),
		Doc: Doc{Group: "string", Text: text, Example: example, Value: value},
	})
}

var (
	_ = padFunction("LPAD", "The text, filled up on the left or cut to a number of UTF-16 units; NULL for a negative"+
		" number and for an empty filling.", "LPAD('7', 3, '0')", "007", true)
	_ = padFunction("RPAD", "The text, filled up on the right or cut to a number of UTF-16 units; NULL for a negative"+
		" number and for an empty filling.", "RPAD('ab', 5, '*')", "ab***", false)
)

// appendPadding appends n UTF-16 units of the repeated filling.
func appendPadding(dst, with []byte, n int) []byte {
	units := kernel.Units(with)
	for ; n >= units; n -= units {
		dst = append(dst, with...)
	}
	return kernel.AppendUnits(dst, with, 0, n)
}
