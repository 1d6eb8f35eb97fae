package function

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "CURRENT_WATERMARK", Volatile: true, Watermark: true, Nulls: Custom, Forms: []string{"CURRENT_WATERMARK(<ROWTIME>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 1 || !args[0].Type.Kind.IsTimestamp() {
			return Signature{}, Mismatch()
		}
		t := args[0].Type.WithNull(true)
		t.Precision = 3
		return Signature{Args: []types.Type{args[0].Type}, Result: t}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return func(c *Call) {
			at := types.MinTime
			if b.Env.Watermark != nil {
				at = b.Env.Watermark()
			}
			if at == types.MinTime {
				c.Out.SetConstNull(b.Result, c.Out.Len)
				return
			}
			c.Out.Enc = vector.Constant
			vector.Alloc[int64](c.Out)[0] = int64(at)
		}, nil
	},
	Doc: Doc{Group: "temporal", Text: "The watermark that came before the row, for an event time attribute; NULL before the first one. " +
		"A row that is not after it is late.", Example: "CURRENT_WATERMARK(ts)"},
})
