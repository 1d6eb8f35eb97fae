package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "IS NULL", Aliases: []string{"IS UNKNOWN"}, Special: true, Nulls: Custom,
	Forms: []string{"<ANY> IS NULL"},
	Type:  nullType, Bind: nullBind(false),
	Doc: Doc{"logic", "TRUE when the argument is NULL; never NULL.", "NULLIF(1, 1) IS NULL", "TRUE"},
})

var _ = scalar(Scalar{
	Name: "IS NOT NULL", Aliases: []string{"IS NOT UNKNOWN"}, Special: true, Nulls: Custom,
	Forms: []string{"<ANY> IS NOT NULL"}, Type: nullType, Bind: nullBind(true),
	Doc: Doc{"logic", "TRUE when the argument is not NULL; never NULL.", "NULLIF(1, 1) IS NOT NULL", "FALSE"},
})

func nullType(args []Arg) (Signature, error) {
	if len(args) != 1 {
		return Signature{}, Mismatch()
	}
	return Signature{Args: []types.Type{args[0].Type}, Result: types.Of(types.Boolean).WithNull(false)}, nil
}

func nullBind(not bool) func(b Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		return func(c *Call) {
			out := vector.AllocBits(c.Out)
			for w := range out {
				out[w] = validWord(c.Args[0], w) ^ all(!not)
			}
			if len(out) > 0 {
				out[len(out)-1] &= kernel.TailMask(c.Out.Len)
			}
		}, nil
	}
}
