package function

import (
	"math/bits"

	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// counting finds the rows that count: those of a mask whose argument is not NULL.
type counting struct {
	words []uint64
	list  []int32
}

// bits are the rows that count, or nil for all.
func (c *counting) bits(arg *vector.Column, mask []uint64) []uint64 {
	switch {
	case arg == nil || arg.Valid == nil:
		return mask
	case mask == nil:
		return arg.Valid
	}
	n := kernel.Words(arg.Len)
	if cap(c.words) < n {
		c.words = make([]uint64, n+n/2)
	}
	c.words = c.words[:n]
	kernel.And(c.words, mask[:n], arg.Valid[:n])
	return c.words
}

// rows are the positions of the rows that count; all says that every one does.
func (c *counting) rows(arg *vector.Column, mask []uint64, n int) (rows []int32, all bool) {
	bits := c.bits(arg, mask)
	if bits == nil {
		return nil, true
	}
	if cap(c.list) < n {
		c.list = make([]int32, n+n/2)
	}
	k := kernel.Indices(c.list[:n], bits[:kernel.Words(n)])
	return c.list[:k], k == n
}

// addOnes adds by to the groups of the rows that count.
func addOnes(pages [][]int64, groups []int32, mask []uint64, by int64) {
	if mask == nil {
		for _, g := range groups {
			pages[g>>state.PageShift][g&state.PageMask] += by
		}
		return
	}
	// Groups of rows that do not count are not touched: with many groups each would be a miss of the cache.
	for w := range kernel.Words(len(groups)) {
		for word := mask[w]; word != 0; word &= word - 1 {
			g := groups[w<<6+bits.TrailingZeros64(word)]
			pages[g>>state.PageShift][g&state.PageMask] += by
		}
	}
}

// addAll adds the values of a flat BIGINT column.
func addAll(p *state.Pages[int64], groups []int32, c *vector.Column) {
	pages, v := p.All(), vector.Values[int64](c)
	v = v[:len(groups)]
	for i, g := range groups {
		pages[g>>state.PageShift][g&state.PageMask] += v[i]
	}
}

// bigintsOf makes out a BIGINT column of the values of groups.
func bigintsOf(out *vector.Column, p *state.Pages[int64], groups []int32) {
	out.Reset(types.Of(types.BigInt), len(groups))
	p.Take(vector.Alloc[int64](out), groups)
}

// nullWhereZero makes the rows of groups NULL whose count is zero.
func nullWhereZero(out *vector.Column, count *state.Pages[int64], groups []int32) {
	pages := count.All()
	for i, g := range groups {
		if pages[g>>state.PageShift][g&state.PageMask] == 0 {
			out.SetNull(i)
		}
	}
}

// numeric checks the one argument of a numeric aggregate.
func numeric(args []Arg, result func(t types.Type) types.Type) (Signature, error) {
	if len(args) != 1 || !args[0].Type.Kind.IsNumeric() {
		return Signature{}, Mismatch()
	}
	t := args[0].Type
	return Signature{Args: []types.Type{t}, Result: result(t).WithNull(t.Nullable())}, nil
}

func bigints(n int) []types.Type {
	out := make([]types.Type, n)
	for i := range out {
		out[i] = types.Of(types.BigInt)
	}
	return out
}
