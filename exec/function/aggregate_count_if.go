package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = aggregate(Aggregate{
	Name: "COUNT_IF", Aliases: []string{"COUNTIF"}, Forms: []string{"COUNT_IF(<BOOLEAN>)"}, Defined: true, Signed: true, Extension: true,
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 1 || args[0].Type.Kind != types.Boolean {
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{args[0].Type}, Result: types.Of(types.BigInt).WithNull(false)}, nil
	},
	New: func(b AggregateBinding) Accumulator { return &countIf{count: count{n: state.NewPages[int64](b.State)}} },
	Doc: Doc{"aggregate", "The number of rows for which a condition is TRUE.", "COUNT_IF(x) OF (TRUE), (FALSE), (NULL), (TRUE)", "2"},
})

// countIf is a count of the rows whose argument is TRUE.
type countIf struct {
	count
	truths []uint64
}

func (c *countIf) Update(groups []int32, args []*vector.Column, mask []uint64) {
	addOnes(c.n.All(), groups, c.trueOf(args[0], mask), 1)
}

// UpdateOne implements OneGroup.
func (c *countIf) UpdateOne(group int32, n int, args []*vector.Column, mask []uint64) {
	bits := c.trueOf(args[0], mask)
	c.n.Set(group, c.n.At(group)+int64(kernel.Count(bits[:kernel.Words(n)])))
}

func (c *countIf) Retract(groups []int32, args []*vector.Column, mask []uint64) {
	addOnes(c.n.All(), groups, c.trueOf(args[0], mask), -1)
}

func (c *countIf) trueOf(arg *vector.Column, mask []uint64) []uint64 {
	n := kernel.Words(arg.Len)
	if cap(c.truths) < n {
		c.truths = make([]uint64, n+n/2)
	}
	c.truths = c.truths[:n]
	copy(c.truths, vector.Bits(arg))
	if bits := c.bits(arg, mask); bits != nil {
		kernel.And(c.truths, c.truths, bits)
	}
	if n > 0 {
		c.truths[n-1] &= kernel.TailMask(arg.Len)
	}
	return c.truths
}

var _ = aggregate(Aggregate{
	Name: "APPROX_COUNT_DISTINCT", Forms: []string{"APPROX_COUNT_DISTINCT(<ANY>)"}, Defined: true, Extension: true, Distinct: true,
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 1 {
			return Signature{}, Mismatch()
		}
		return MustAggregate("COUNT").Type(args)
	},
	New: func(b AggregateBinding) Accumulator { return MustAggregate("COUNT").New(b) },
	Doc: Doc{"aggregate", "COUNT(DISTINCT …) under the name that other systems have; the number is exact.",
		"APPROX_COUNT_DISTINCT(x) OF (1), (2), (1)", "2"},
})
