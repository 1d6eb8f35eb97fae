package function

import (
	"bytes"
	"strconv"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// unwrapVariants casts what a VARIANT holds: a truth value to BOOLEAN, a number to any number that has room for it, and
// anything to a text, which of a JSON string is what stands in its quotes. JSON's null is NULL.
func unwrapVariants(to types.Type) func(c *conversion) {
	var (
		doc  jsonDocument
		text vector.Column
		kid  *conversion
	)
	return func(c *conversion) {
		if kid == nil {
			kid = newConversion(types.String(), to, c.env)
		}
		in := vector.Values[vector.View](c.in)
		text.Reset(types.String(), c.n)
		w := vector.NewText(&text)
		for i := range in {
			if c.skip(i) {
				continue
			}
			t := c.read(in, i)
			if t[0] == 'n' {
				c.out.SetNull(i)
				continue
			}
			w.End(i, appendUnwrapped(w.Begin(), t, to, &doc))
		}
		w.Finish()
		kid.run(c.out, &text)
		c.failed, c.bad = kid.failed, kid.bad
		for i := range in {
			if !c.skip(i) && !variantIs(c.read(in, i)[0], to.Kind) {
				c.fail(i)
			}
		}
	}
}

// variantIs tells that a value that begins with a byte is one that casts to a kind.
func variantIs(first byte, k types.Kind) bool {
	switch {
	case k.IsText():
		return true
	case k == types.Boolean:
		return first == 't' || first == 'f'
	}
	return first == '-' || first >= '0' && first <= '9'
}

// appendUnwrapped writes the text that is cast in place of a VARIANT: a string without its quotes, and a number for an
// exact type without an exponent.
func appendUnwrapped(dst, t []byte, to types.Type, doc *jsonDocument) []byte {
	switch {
	case t[0] == '"' && doc.parse(t):
		return append(dst, doc.nodes[0].text...)
	case to.Kind.IsExact() && variantIs(t[0], to.Kind) && bytes.IndexByte(t, 'E') > 0:
		f, _ := strconv.ParseFloat(string(t), 64)
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	return append(dst, t...)
}
