package function

import (
	"fmt"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// castStep chooses the loop of a pair of types that castable allows.
func castStep(from, to types.Type) func(c *conversion) {
	f, t := from.Kind, to.Kind
	switch {
	case f == types.Null:
		return (*conversion).nothing
	case from.Same(to):
		return (*conversion).share
	case f.IsComposite() && f == t:
		if f == types.Row {
			return (*conversion).fields
		}
		return (*conversion).elements
	case f == types.Variant:
		return unwrapVariants(to)
	case t.IsText():
		return castToText(from, to)
	case t.IsBinary():
		return (*conversion).binary
	case f.IsText():
		return castFromText(to)
	case t == types.Boolean:
		return castToBoolean(from)
	case t == types.Decimal:
		return castToDecimal(from)
	case f == types.Boolean:
		return (*conversion).booleanToNumber
	case f == types.Decimal:
		return castFromDecimal(to)
	case f.IsNumeric():
		return castNumber(from)
	}
	return castTemporal(from, to)
}

// nothing is the cast of NULL.
func (c *conversion) nothing() {
	n := c.out.Len
	c.out.SetConstNull(c.to, n)
}

// child converts a child column of n rows into out. The child may have any encoding.
func (c *conversion) child(out, in *vector.Column) {
	if in.Enc == vector.Dict {
		vector.Flatten(&c.flat, in)
		in = &c.flat
	}
	if in.IsConstNull() {
		c.failed = false
		out.SetConstNull(c.to, in.Len)
		return
	}
	stored := in.Stored()
	out.Reset(c.to, stored)
	if in.Valid != nil {
		copy(out.AllocValid(), in.Valid)
	}
	c.run(out, in)
	if in.Enc == vector.Constant {
		out.Enc, out.Len = vector.Constant, in.Len
	}
}

// badAt tells that row i of the child column has no value.
func (c *conversion) badAt(i int) bool {
	if c.in != nil && c.in.Enc == vector.Constant {
		i = 0
	}
	return c.failed && kernel.Bit(c.bad, i)
}

// fields converts a ROW field by field; it has no value where a field has none.
func (c *conversion) fields() {
	own := c.out.OwnChildren(len(c.kids))
	for k, kid := range c.kids {
		kid.child(own[k], c.in.Children[k])
		if !kid.failed {
			continue
		}
		for i := range c.n {
			if kid.badAt(i) {
				c.fail(i)
			}
		}
	}
}

// elements converts an ARRAY, MAP or MULTISET element by element.
func (c *conversion) elements() {
	c.out.Offsets = c.in.Offsets
	own := c.out.OwnChildren(len(c.in.Children))
	for k, child := range c.in.Children {
		if k == len(c.kids) { // the counts of a MULTISET
			own[k].Alias(child)
			continue
		}
		kid := c.kids[k]
		kid.child(own[k], child)
		if !kid.failed {
			continue
		}
		for i := range c.n {
			if _, found := c.badElement(kid, i); found {
				c.fail(i)
			}
		}
	}
}

func (c *conversion) badElement(kid *conversion, i int) (int, bool) {
	for e := c.in.Offsets[i]; e < c.in.Offsets[i+1]; e++ {
		if kid.badAt(int(e)) {
			return int(e), true
		}
	}
	return 0, false
}

// refusal says why lane i, which failed, has no value.
func (c *conversion) refusal(i int) error {
	if c.in.Enc == vector.Constant {
		i = 0
	}
	for _, kid := range c.kids {
		if !kid.failed {
			continue
		}
		if c.from.Kind == types.Row && kid.badAt(i) {
			return kid.refusal(i)
		}
		if c.from.Kind != types.Row {
			if e, found := c.badElement(kid, i); found {
				return kid.refusal(e)
			}
		}
	}
	shown := text.Append(nil, c.in, i, zoneOf(c.env))
	switch t := c.to.Kind; {
	case c.from.Kind.IsTimestamp() && c.to.Kind.IsTimestamp():
		return fmt.Errorf("cannot cast %s to %s: %s", shown, c.to.WithNull(true), text.OutOfRange)
	case !c.from.Kind.IsText():
		return fmt.Errorf("cannot cast %s to %s", shown, c.to.WithNull(true))
	case t == types.Boolean:
		return fmt.Errorf("cannot parse '%s' as BOOLEAN", shown)
	default:
		return fmt.Errorf("cannot parse '%s' as %s: %s", shown, c.to.WithNull(true), c.fault(shown))
	}
}
