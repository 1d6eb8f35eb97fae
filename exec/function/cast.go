package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Cast declares CAST(x AS to), or TRY_CAST, for values of type from; it is called with one argument of
// exactly that type. A refused pair is a *TypeError. The result is nullable where x is, under TRY_CAST,
// and where a number may be too large for a DECIMAL, which gives NULL.
func Cast(from, to types.Type, try bool) (*Scalar, error) {
	if err := castable(from, to); err != nil {
		return nil, err
	}
	result := to.WithNull(from.Nullable() || try || castMakesNull(from, to))
	s := &Scalar{
		Name: "CAST", Special: true, Fails: !try && castFails(from, to),
		Type: func(args []Arg) (Signature, error) {
			if len(args) != 1 {
				return Signature{}, Mismatch()
			}
			return Signature{Args: []types.Type{from}, Result: result}, nil
		},
		Bind: func(b Binding) (Kernel, error) {
			return castKernel(from, to, b.Env, try || (b.Env != nil && b.Env.LegacyCast)), nil
		},
		Doc: Doc{
			Group: "conversion", Example: "CAST('12' AS INT)", Value: "12",
			Text: "The value in another type. A text that is no value of the type fails the job; integers wrap, " +
				"floats saturate, a number too large for a DECIMAL is NULL.",
		},
	}
	if try {
		s.Name = "TRY_CAST"
		s.Doc = Doc{Group: "conversion", Text: "As CAST, but NULL where that fails.",
			Example: "TRY_CAST('x' AS INT)", Value: "NULL"}
	}
	return s, nil
}

func castKernel(from, to types.Type, env *Env, try bool) Kernel {
	conv := newConversion(from, to, env)
	return func(c *Call) {
		in, n := c.Args[0], c.Out.Len
		if in.Enc == vector.Constant {
			// One row is converted and stands for all.
			c.Out.Len = 1
		}
		conv.run(c.Out, in)
		if c.Out.Len = n; in.Enc == vector.Constant && n != 1 {
			c.Out.Enc = vector.Constant
		}
		if !conv.failed {
			return
		}
		if !try {
			conv.report(c)
			return
		}
		if c.Out.Valid == nil {
			c.Out.AllocValid()
		}
		kernel.AndNot(c.Out.Valid[:len(conv.bad)], c.Out.Valid, conv.bad)
	}
}

// report fails the call with the first row that is wanted. Under a constant the one row stands for all.
func (c *conversion) report(call *Call) {
	for i := range c.n {
		if kernel.Bit(c.bad, i) && call.Wanted(i) {
			call.Fail(i, asTry(c.refusal(i)))
			return
		}
	}
}

// conversion is a bound cast of columns, with the conversions of its children below it.
type conversion struct {
	from, to types.Type
	step     func(c *conversion)
	zone     *kernel.Zone
	env      *Env
	kids     []*conversion

	in, out *vector.Column // of the present batch: in is flat or a single row
	n       int
	failed  bool
	bad     []uint64 // lanes that have no value, when failed

	flat    vector.Column // in without its dictionary
	local   vector.Column // instants as wall-clock times
	wide    []vector.Int128
	ticks   []int64
	scratch []byte
}

func newConversion(from, to types.Type, env *Env) *conversion {
	c := &conversion{from: from, to: to, env: env, step: castStep(from, to), zone: kernel.NewZone(zoneOf(env))}
	if from.Kind == to.Kind && from.Kind.IsComposite() && !from.Same(to) {
		for i := range from.Fields {
			c.kids = append(c.kids, newConversion(from.Fields[i].Type, to.Fields[i].Type, env))
		}
	}
	return c
}

// run converts the Stored values of in into out, which was Reset to the type with as many rows and whose
// validity is set.
func (c *conversion) run(out, in *vector.Column) {
	c.in, c.out, c.n, c.failed = in, out, in.Stored(), false
	c.step(c)
}

// fail marks lane i as having no value, unless it is NULL anyway.
func (c *conversion) fail(i int) {
	if c.skip(i) {
		return
	}
	if !c.failed {
		c.failed = true
		w := kernel.Words(c.n)
		if cap(c.bad) < w {
			c.bad = make([]uint64, w)
		}
		c.bad = c.bad[:w]
		clear(c.bad)
	}
	kernel.SetBit(c.bad, i)
}

// skip tells that lane i is NULL, so that its value need not be looked at.
func (c *conversion) skip(i int) bool { return c.out.Valid != nil && !kernel.Bit(c.out.Valid, i) }

// share makes out show the values of in, which have the same form.
func (c *conversion) share() {
	c.out.Data, c.out.Wide, c.out.Offsets = c.in.Data, c.in.Wide, c.in.Offsets
	c.out.Bufs, c.out.Lasting = append(c.out.Bufs[:0], c.in.Bufs...), c.in.Lasting
	c.out.Children = append(c.out.Children[:0], c.in.Children...)
}
