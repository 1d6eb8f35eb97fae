package function

import "streamsql/exec/types"

var _ = aggregate(Aggregate{
	Name: "HISTOGRAM", Forms: []string{"HISTOGRAM(<ANY>)"}, Defined: true, Extension: true,
	Type: comparing(func(args []Arg) (Signature, error) {
		if len(args) != 1 {
			return Signature{}, Mismatch()
		}
		result := types.MapOf(args[0].Type.WithNull(false), types.Of(types.BigInt).WithNull(false)).WithNull(false)
		return Signature{Args: []types.Type{args[0].Type}, Result: result}, nil
	}),
	New: func(b AggregateBinding) Accumulator { return &multisetOf{list: newList(b, false), result: b.Result} },
	Doc: Doc{"aggregate", "A MAP from each value that is not NULL to the number of rows that have it.",
		"HISTOGRAM(x) OF (2), (NULL), (1), (2)", "{1=1, 2=2}"},
})
