package function

import (
	"errors"

	"streamsql/exec/types"
)

// SOURCE_WATERMARK is a word of WATERMARK FOR, which the planner reads: nothing computes it.
var _ = scalar(Scalar{
	Name: "SOURCE_WATERMARK", Volatile: true, Nulls: Custom, Forms: []string{"SOURCE_WATERMARK()"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 0 {
			return Signature{}, Mismatch()
		}
		return Signature{Result: types.TimestampLTZOf(3)}, nil
	},
	Bind: func(Binding) (Kernel, error) {
		return nil, errors.New("SOURCE_WATERMARK() is declared, not computed")
	},
	Doc: Doc{Group: "temporal", Text: "In `WATERMARK FOR column AS SOURCE_WATERMARK()`, and nowhere else: the source says the watermark. " +
		"A table of a connector whose source has none can be made, and written, but not read; of the built-in connectors none has.",
		Example: "SOURCE_WATERMARK()"},
})
