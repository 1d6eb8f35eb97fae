package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = aggregate(Aggregate{
	Name: "COUNT", Forms: []string{"COUNT(*)", "COUNT(<ANY>)"}, Defined: true, Signed: true,
	Type: func(args []Arg) (Signature, error) {
		sig := Signature{Result: types.Of(types.BigInt).WithNull(false)}
		if len(args) > 1 {
			return sig, Refuse("COUNT of more than one column is not supported")
		}
		for _, a := range args {
			if a.IsNull() {
				return sig, Refuse("illegal use of NULL")
			}
			sig.Args = append(sig.Args, a.Type)
		}
		return sig, nil
	},
	New:    func(b AggregateBinding) Accumulator { return &count{n: state.NewPages[int64](b.State)} },
	Shared: sharedCount,
	Doc: Doc{"aggregate", "The number of rows, or with an argument the number of rows on which it is not NULL.",
		"COUNT(x) OF (1), (NULL), (2)", "2"},
})

// sharedCount reads the number of values that other aggregates of them keep.
func sharedCount(kept Accumulator, _ AggregateBinding) Accumulator {
	switch k := kept.(type) {
	case *integerSum:
		return reader{&count{n: k.n}}
	case *decimalSum:
		return reader{&count{n: k.n}}
	case *floatSum[float32]:
		return reader{&count{n: k.n}}
	case *floatSum[float64]:
		return reader{&count{n: k.n}}
	case *spread:
		return reader{&count{n: k.n}}
	}
	return nil
}

type count struct {
	counting
	n *state.Pages[int64]
}

func argument(args []*vector.Column) *vector.Column {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func (c *count) Update(groups []int32, args []*vector.Column, mask []uint64) {
	addOnes(c.n.All(), groups, c.bits(argument(args), mask), 1)
}

// UpdateOne implements OneGroup.
func (c *count) UpdateOne(group int32, n int, args []*vector.Column, mask []uint64) {
	if bits := c.bits(argument(args), mask); bits != nil {
		n = kernel.Count(bits[:kernel.Words(n)])
	}
	c.n.Set(group, c.n.At(group)+int64(n))
}

func (c *count) Retract(groups []int32, args []*vector.Column, mask []uint64) {
	addOnes(c.n.All(), groups, c.bits(argument(args), mask), -1)
}

func (c *count) Merge(groups []int32, partial []*vector.Column) { addAll(c.n, groups, partial[0]) }

func (c *count) PartialTypes() []types.Type { return bigints(1) }

func (c *count) Partial(groups []int32, out []*vector.Column) { bigintsOf(out[0], c.n, groups) }

func (c *count) Value(groups []int32, out *vector.Column) {
	bigintsOf(out, c.n, groups)
	out.Type = out.Type.WithNull(false)
}

func (c *count) Clear(groups []int32) { c.n.Zero(groups) }
