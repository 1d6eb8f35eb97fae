package function

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "TYPEOF", Nulls: Custom, Forms: []string{"TYPEOF(<ANY>)", "TYPEOF(<ANY>, <BOOLEAN>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) == 0 || len(args) > 2 || (len(args) == 2 && args[1].Type.Kind != types.Boolean) {
			return Signature{}, Mismatch()
		}
		sig := Signature{Result: types.String()}
		for _, a := range args {
			sig.Args = append(sig.Args, a.Type)
		}
		return sig, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		text := b.Args[0].Type.String()
		return func(c *Call) {
			w := vector.NewText(c.Out)
			for i := range c.Out.Len {
				w.PutString(i, text)
			}
			w.Finish()
		}, nil
	},
	Doc: Doc{"math", "The type of the argument as text; never NULL.", "TYPEOF(1)", "INT NOT NULL"},
})
