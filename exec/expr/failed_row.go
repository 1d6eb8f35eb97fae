package expr

import (
	"errors"
	"slices"
	"unicode/utf8"

	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// A failure shows at most shownColumns values of its row, each cut to shownRunes characters.
const (
	shownColumns = 12
	shownRunes   = 40
)

// inRow adds the values of the failing row to err: the columns that the evaluator's expressions read, by name. One
// that runs over the entries of a dictionary has no row; the evaluator around it adds them.
func (e *Evaluator) inRow(err error) error {
	var at *Error
	if !errors.As(err, &at) || at.Row < 0 || at.Row >= e.in.n {
		return err
	}
	var out []byte
	shown := 0
	for _, c := range columnsOf(e.exprs) {
		if out != nil {
			out = append(out, ", "...)
		}
		if shown == shownColumns {
			out = append(out, "…"...)
			break
		}
		shown++
		out = append(append(out, c.Name...), " = "...)
		out = e.appendShort(out, e.in.cols[c.Index], at.Row)
	}
	at.Values = string(out)
	return err
}

// appendShort writes row i of c as a reader would write it in a statement, cut short.
func (e *Evaluator) appendShort(dst []byte, c *vector.Column, i int) []byte {
	v := text.Append(nil, c, i, e.env.Zone)
	for n, at := 0, 0; at < len(v); n++ {
		if n == shownRunes {
			v = append(v[:at:at], "…"...)
			break
		}
		_, size := utf8.DecodeRune(v[at:])
		at += size
	}
	if k := c.Type.Kind; c.Null(i) || !(k.IsText() || k == types.Symbol) {
		return append(dst, v...)
	}
	return append(append(append(dst, '\''), v...), '\'')
}

// columnsOf lists the columns that the expressions read, in the order in which they stand there, each once.
func columnsOf(list []Expr) []*Column {
	var out []*Column
	for _, x := range list {
		Walk(x, func(x Expr) bool {
			if c, ok := x.(*Column); ok && !slices.ContainsFunc(out, func(o *Column) bool { return o.Index == c.Index }) {
				out = append(out, c)
			}
			return true
		})
	}
	return out
}
