package function

import (
	"fmt"
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var (
	_ = movedDate("DATE_ADD", "The date a number of days later.", func(day, n int64) int64 { return day + n },
		"DATE_ADD(DATE '2024-02-28', 2)", "2024-03-01")
	_ = movedDate("DATE_SUB", "The date a number of days before.", func(day, n int64) int64 { return day - n },
		"DATE_SUB(DATE '2024-03-01', 1)", "2024-02-29")
	_ = movedDate("ADD_MONTHS", "The date a number of months later; a day past the end of the month becomes its last.",
		kernel.AddMonths, "ADD_MONTHS(DATE '2024-01-31', 1)", "2024-02-29")
)

var _ = scalar(Scalar{
	Name: "DATEDIFF", Forms: []string{"DATEDIFF(<DATE>, <DATE>)"}, Extension: true,
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 2 || !holdsDate(args[0].Type) || !holdsDate(args[1].Type) {
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{dateOf(args[0].Type), dateOf(args[1].Type)},
			Result: types.Of(types.Int).WithNull(anyNullable(args))}, nil
	},
	Bind: func(Binding) (Kernel, error) {
		return func(c *Call) {
			out, a, b := vector.Alloc[int32](c.Out), vector.Values[int32](c.Args[0]), vector.Values[int32](c.Args[1])
			sa, sb := c.Args[0].Step(), c.Args[1].Step()
			for i := range out {
				out[i] = a[i*sa] - b[i*sb]
			}
		}, nil
	},
	Doc: Doc{"temporal", "The number of days from the second date to the first.",
		"DATEDIFF(DATE '2024-03-01', DATE '2024-02-28')", "2"},
})

// holdsDate: a timestamp is taken as its day.
func holdsDate(t types.Type) bool {
	return t.Kind == types.Date || t.Kind.IsTimestamp() || t.Kind == types.Null
}

func dateOf(t types.Type) types.Type { return types.Of(types.Date).WithNull(t.Nullable()) }

func movedDate(name, text string, move func(day, n int64) int64, example, value string) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{name + "(<DATE>, <INTEGER>)"}, Extension: true, Fails: true,
		Type: func(args []Arg) (Signature, error) {
			if len(args) != 2 || !holdsDate(args[0].Type) || !args[1].Type.Kind.IsInteger() && args[1].Type.Kind != types.Null ||
				args[1].Type.Kind == types.BigInt {
				return Signature{}, Mismatch()
			}
			return Signature{Args: []types.Type{dateOf(args[0].Type), types.Of(types.Int).WithNull(args[1].Type.Nullable())},
				Result: types.Of(types.Date).WithNull(anyNullable(args))}, nil
		},
		Bind: func(Binding) (Kernel, error) {
			return func(c *Call) { moveDates(c, name, move) }, nil
		},
		Doc: Doc{"temporal", text, example, value},
	})
}

func moveDates(c *Call, name string, move func(day, n int64) int64) {
	out, a, n := vector.Alloc[int32](c.Out), vector.Values[int32](c.Args[0]), vector.Values[int32](c.Args[1])
	sa, sn := c.Args[0].Step(), c.Args[1].Step()
	for i := range out {
		day := move(int64(a[i*sa]), int64(n[i*sn]))
		if (day < math.MinInt32 || day > math.MaxInt32) && c.Wanted(i) {
			c.FailWith(i, func() error { return fmt.Errorf("%s: %d leads to no date", name, n[i*sn]) })
			continue
		}
		out[i] = int32(day)
	}
}
