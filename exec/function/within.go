package function

import (
	"fmt"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// AtMostOne is TRUE for a number of rows up to one and for NULL, and fails for others. Plans call it where a query
// stands as a value; statements have no name for it.
var AtMostOne = &Scalar{
	Name: "AT MOST ONE", Special: true, Nulls: Custom, Fails: true, Nameless: true,
	Type: func(args []Arg) (Signature, error) {
		return Signature{Args: []types.Type{args[0].Type}, Result: types.Of(types.Boolean).WithNull(false)}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return func(c *Call) {
			out, n := vector.AllocBits(c.Out), c.Args[0]
			for w := range out {
				out[w] = all(true)
			}
			for i := range c.Out.Len {
				if !n.Null(i) && vector.Values[int64](n)[i*n.Step()] > 1 {
					c.Fail(i, errSeveral)
				}
			}
		}, nil
	},
}

// maxCopies is how often a row of INTERSECT ALL and EXCEPT ALL may occur.
const maxCopies = 1 << 20

// Copies is an ARRAY of so many elements. Plans call it to give a row several times; statements have no name for it.
var Copies = &Scalar{
	Name: "COPIES", Special: true, Fails: true, Nameless: true,
	Type: func(args []Arg) (Signature, error) {
		t := types.ArrayOf(types.Of(types.Boolean).WithNull(false)).WithNull(false)
		return Signature{Args: []types.Type{args[0].Type}, Result: t}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			at, k := c.Args[0].At(i)
			n := vector.Values[int64](at)[k]
			if n > maxCopies {
				c.Fail(i, failure(fmt.Sprintf("a row occurs more than %d times", maxCopies)))
				n = 0
			}
			for range n {
				out.Child(0).AppendBool(true)
			}
			out.AppendList()
		}), nil
	},
}
