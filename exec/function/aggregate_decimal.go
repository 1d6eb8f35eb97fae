package function

import (
	"math/big"
	"math/bits"

	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// decimalSum is the exact sum and the number of DECIMALs. Whether a sum fits its type is asked of the
// result, so that it does not depend on the order of the rows.
type decimalSum struct {
	counting
	sum     *state.Pages[sum192]
	n       *state.Pages[int64]
	result  types.Type
	scale   int // of the argument
	mean    bool
	scratch []vector.Int128
	decimal kernel.BigDecimal
}

// sum192 is a signed integer of 192 bits: room for 2^63 values of 128.
type sum192 struct {
	lo, mid uint64
	hi      int64
}

func (s *sum192) plus(v vector.Int128) {
	var c uint64
	s.lo, c = bits.Add64(s.lo, v.Lo, 0)
	s.mid, c = bits.Add64(s.mid, uint64(v.Hi), c)
	s.hi += v.Hi>>63 + int64(c)
}

// int128 is the sum; ok is false when it has more bits.
func (s sum192) int128() (v vector.Int128, ok bool) {
	return vector.Int128{Lo: s.lo, Hi: int64(s.mid)}, s.hi == int64(s.mid)>>63
}

func newDecimalSum(b AggregateBinding, mean bool) Accumulator {
	return &decimalSum{sum: state.NewPages[sum192](b.State), n: state.NewPages[int64](b.State), result: b.Result,
		scale: b.Args[0].Type.Scale, mean: mean}
}

func (s *decimalSum) Update(groups []int32, args []*vector.Column, mask []uint64) {
	s.add(groups, args[0], mask, 1)
}

func (s *decimalSum) Retract(groups []int32, args []*vector.Column, mask []uint64) {
	s.add(groups, args[0], mask, -1)
}

func (s *decimalSum) add(groups []int32, arg *vector.Column, mask []uint64, by int64) {
	rows, all := s.rows(arg, mask, len(groups))
	v, sum := vector.Wide128(arg, &s.scratch), s.sum.All()
	addOnes(s.n.All(), groups, s.bits(arg, mask), by)
	if all {
		for i, g := range groups {
			sum[g>>state.PageShift][g&state.PageMask].plus(signed(v[i], by))
		}
		return
	}
	for _, r := range rows {
		g := groups[r]
		sum[g>>state.PageShift][g&state.PageMask].plus(signed(v[r], by))
	}
}

func signed(v vector.Int128, by int64) vector.Int128 {
	if by < 0 {
		return v.Neg()
	}
	return v
}

func (s *decimalSum) Merge(groups []int32, partial []*vector.Column) {
	lo, mid, hi := vector.Values[int64](partial[0]), vector.Values[int64](partial[1]), vector.Values[int64](partial[2])
	sum := s.sum.All()
	for i, g := range groups {
		at := &sum[g>>state.PageShift][g&state.PageMask]
		var c uint64
		at.lo, c = bits.Add64(at.lo, uint64(lo[i]), 0)
		at.mid, c = bits.Add64(at.mid, uint64(mid[i]), c)
		at.hi += hi[i] + int64(c)
	}
	addAll(s.n, groups, partial[3])
}

func (s *decimalSum) PartialTypes() []types.Type { return bigints(4) }

func (s *decimalSum) Partial(groups []int32, out []*vector.Column) {
	var words [3][]int64
	for k := range words {
		out[k].Reset(types.Of(types.BigInt), len(groups))
		words[k] = vector.Alloc[int64](out[k])
	}
	for i, g := range groups {
		v := s.sum.At(g)
		words[0][i], words[1][i], words[2][i] = int64(v.lo), int64(v.mid), v.hi
	}
	bigintsOf(out[3], s.n, groups)
}

func (s *decimalSum) Value(groups []int32, out *vector.Column) {
	out.Reset(s.result, len(groups))
	v := vector.AllocWide(out)
	for i, g := range groups {
		ok := false
		if n := s.n.At(g); n != 0 {
			v[i], ok = s.value(s.sum.At(g), n)
		}
		if !ok {
			v[i] = vector.Int128{}
			out.SetNull(i)
		}
	}
}

func (s *decimalSum) value(sum sum192, n int64) (vector.Int128, bool) {
	v, ok := sum.int128()
	switch {
	case ok && s.mean:
		return s.decimal.Div(v, s.scale, vector.Int128{Lo: uint64(n), Hi: n >> 63}, 0, s.result.Precision, s.result.Scale)
	case ok:
		return s.decimal.Rescale(v, s.scale, s.result.Scale, s.result.Precision)
	case s.mean:
		return s.bigMean(sum, n)
	}
	return v, false
}

// bigMean is the mean of a sum that is longer than its type.
func (s *decimalSum) bigMean(sum sum192, n int64) (vector.Int128, bool) {
	b := big.NewInt(sum.hi)
	b.Lsh(b, 64).Add(b, new(big.Int).SetUint64(sum.mid))
	b.Lsh(b, 64).Add(b, new(big.Int).SetUint64(sum.lo))
	b.Mul(b, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(s.result.Scale-s.scale)), nil))
	q, r := new(big.Int).QuoRem(b, big.NewInt(n), new(big.Int))
	if r.Abs(r).Lsh(r, 1).Cmp(big.NewInt(n)) >= 0 {
		q.Add(q, big.NewInt(int64(b.Sign())))
	}
	v, ok := kernel.Int128OfBig(q)
	if !ok {
		return v, false
	}
	return s.decimal.Rescale(v, s.result.Scale, s.result.Scale, s.result.Precision)
}

func (s *decimalSum) Clear(groups []int32) {
	s.sum.Zero(groups)
	s.n.Zero(groups)
}
