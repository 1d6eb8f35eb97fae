package function

import (
	"fmt"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// longestSeries bounds what GENERATE_SERIES makes of one row.
const longestSeries = 1 << 24

var _ = scalar(Scalar{
	Name: "GENERATE_SERIES", Forms: []string{"GENERATE_SERIES(<INTEGER>, <INTEGER>)", "GENERATE_SERIES(<INTEGER>, <INTEGER>, <INTEGER>)"},
	Extension: true, Fails: true,
	Type: func(args []Arg) (Signature, error) {
		if len(args) < 2 || len(args) > 3 {
			return Signature{}, Mismatch()
		}
		sig, err := bitwiseType(len(args))(args)
		if err != nil {
			return sig, err
		}
		elem := sig.Result.WithNull(false)
		for i, t := range sig.Args {
			sig.Args[i] = types.Of(types.BigInt).WithNull(t.Nullable())
		}
		sig.Result = types.ArrayOf(elem).WithNull(anyNullable(args))
		return sig, nil
	},
	Bind: func(b Binding) (Kernel, error) { return building(b.Result, generateSeries), nil },
	Doc: Doc{"collection", "An ARRAY of the integers from the first to the second, in steps of 1 or of the third; empty where" +
		" the step leads away. UNNEST makes rows of it.", "GENERATE_SERIES(1, 10, 3)", "[1, 4, 7, 10]"},
})

func generateSeries(c *Call, out *vector.Builder, i int) {
	at := func(k int) int64 {
		x, j := c.Args[k].At(i)
		return vector.Value[int64](x, j)
	}
	from, to, step := at(0), at(1), int64(1)
	if len(c.Args) > 2 {
		step = at(2)
	}
	// The distance is right without a sign, however far apart the ends are.
	distance, stride := uint64(to)-uint64(from), uint64(step)
	if step < 0 {
		distance, stride = -distance, -stride
	}
	switch {
	case step == 0:
		c.FailWith(i, func() error { return fmt.Errorf("GENERATE_SERIES: the step is 0") })
		out.AppendNull()
		return
	case step > 0 && from > to, step < 0 && from < to:
		out.AppendList()
		return
	case distance/stride >= longestSeries:
		c.FailWith(i, func() error { return fmt.Errorf("GENERATE_SERIES: more than %d values", longestSeries) })
		out.AppendNull()
		return
	}
	for n := distance / stride; ; n-- {
		out.Child(0).AppendInt(from)
		if n == 0 {
			break
		}
		from += step
	}
	out.AppendList()
}
