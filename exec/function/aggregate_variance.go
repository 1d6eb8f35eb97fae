package function

import (
	"math"
	"math/big"

	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = variance("VAR_POP", nil, false, false, "The variance of the values that are not NULL", "0.25")
var _ = variance("VAR_SAMP", []string{"VARIANCE"}, true, false, "The sample variance of the values that are not NULL; NULL of one value", "0.5")
var _ = variance("STDDEV_POP", nil, false, true, "The standard deviation of the values that are not NULL", "0.5")
var _ = variance("STDDEV_SAMP", []string{"STDDEV"}, true, true,
	"The sample standard deviation of the values that are not NULL; NULL of one value", "0.7071067811865476")

func variance(name string, aliases []string, sample, root bool, text, value string) *Aggregate {
	return aggregate(Aggregate{
		Name: name, Aliases: aliases, Forms: []string{name + "(<NUMERIC>)"},
		Type: func(args []Arg) (Signature, error) {
			sig, err := numeric(args, meanType)
			if sample {
				sig.Result.NotNull = false
			}
			return sig, err
		},
		New: func(b AggregateBinding) Accumulator {
			t := b.State
			return &spread{n: state.NewPages[int64](t), mean: state.NewPages[float64](t), squares: state.NewPages[float64](t),
				result: b.Result, sample: sample, root: root}
		},
		Shared: func(kept Accumulator, b AggregateBinding) Accumulator {
			k, ok := kept.(*spread)
			if !ok {
				return nil
			}
			return reader{&spread{n: k.n, mean: k.mean, squares: k.squares, result: b.Result, sample: sample, root: root}}
		},
		Doc: Doc{"aggregate", text + ". It has the type of the argument: of integers it is cut to an integer.",
			name + "(x) OF (CAST(1 AS DOUBLE)), (2)", value},
	})
}

// spread keeps the number, the mean and the sum of the squared distances from it, which stays exact where
// the difference of two large sums would not. So it is no difference itself: as many rows added as taken back leave nothing.
type spread struct {
	counting
	n             *state.Pages[int64]
	mean, squares *state.Pages[float64]
	result        types.Type
	sample, root  bool
	values        []float64
}

func (s *spread) Update(groups []int32, args []*vector.Column, mask []uint64) {
	s.apply(groups, args[0], mask, spreadAdd)
}

func (s *spread) Retract(groups []int32, args []*vector.Column, mask []uint64) {
	s.apply(groups, args[0], mask, spreadTake)
}

func (s *spread) apply(groups []int32, arg *vector.Column, mask []uint64, step func(s *spread, groups, rows []int32)) {
	rows, all := s.rows(arg, mask, len(groups))
	if all {
		rows = s.list[:0]
		for i := range groups {
			rows = append(rows, int32(i))
		}
		s.list = rows
	}
	s.values = doubles(s.values[:0], arg)
	step(s, groups, rows)
}

func spreadAdd(s *spread, groups, rows []int32) {
	n, mean, squares, v := s.n.All(), s.mean.All(), s.squares.All(), s.values
	for _, r := range rows {
		p, at := groups[r]>>state.PageShift, groups[r]&state.PageMask
		n[p][at]++
		d := v[r] - mean[p][at]
		mean[p][at] += d / float64(n[p][at])
		squares[p][at] += d * (v[r] - mean[p][at])
	}
}

func spreadTake(s *spread, groups, rows []int32) {
	n, mean, squares, v := s.n.All(), s.mean.All(), s.squares.All(), s.values
	for _, r := range rows {
		p, at := groups[r]>>state.PageShift, groups[r]&state.PageMask
		n[p][at]--
		if n[p][at] == 0 {
			mean[p][at], squares[p][at] = 0, 0
			continue
		}
		d := v[r] - mean[p][at]
		mean[p][at] -= d / float64(n[p][at])
		squares[p][at] -= d * (v[r] - mean[p][at])
	}
}

// doubles appends the values of a flat numeric column.
func doubles(out []float64, c *vector.Column) []float64 {
	pow := math.Pow10(c.Type.Scale)
	switch c.Phys() {
	case types.PhysInt8:
		return appendDoubles[int8](out, c, 1)
	case types.PhysInt16:
		return appendDoubles[int16](out, c, 1)
	case types.PhysInt32:
		return appendDoubles[int32](out, c, 1)
	case types.PhysInt64:
		return appendDoubles[int64](out, c, pow)
	case types.PhysFloat32:
		return appendDoubles[float32](out, c, 1)
	case types.PhysFloat64:
		return append(out, vector.Values[float64](c)...)
	}
	for _, v := range vector.Values[vector.Int128](c) {
		out = append(out, v.Float64()/pow)
	}
	return out
}

func appendDoubles[T int8 | int16 | int32 | int64 | float32](out []float64, c *vector.Column, pow float64) []float64 {
	for _, v := range vector.Values[T](c) {
		out = append(out, float64(v)/pow)
	}
	return out
}

// Merge joins two samples.
func (s *spread) Merge(groups []int32, partial []*vector.Column) {
	n, mean, squares := vector.Values[int64](partial[0]), vector.Values[float64](partial[1]), vector.Values[float64](partial[2])
	for i, g := range groups {
		a, b := s.n.At(g), n[i]
		if b == 0 {
			continue
		}
		total := a + b
		if total == 0 {
			s.n.Set(g, 0)
			s.mean.Set(g, 0)
			s.squares.Set(g, 0)
			continue
		}
		d := mean[i] - s.mean.At(g)
		s.squares.Set(g, s.squares.At(g)+squares[i]+d*d*float64(a)*float64(b)/float64(total))
		s.mean.Set(g, s.mean.At(g)+d*float64(b)/float64(total))
		s.n.Set(g, total)
	}
}

func (s *spread) PartialTypes() []types.Type {
	return []types.Type{types.Of(types.BigInt), types.Of(types.Double), types.Of(types.Double)}
}

func (s *spread) Partial(groups []int32, out []*vector.Column) {
	bigintsOf(out[0], s.n, groups)
	for k, p := range []*state.Pages[float64]{s.mean, s.squares} {
		out[k+1].Reset(types.Of(types.Double), len(groups))
		p.Take(vector.Alloc[float64](out[k+1]), groups)
	}
}

func (s *spread) Value(groups []int32, out *vector.Column) {
	s.values = s.values[:0]
	for _, g := range groups {
		n := float64(s.n.At(g))
		if s.sample {
			n--
		}
		v := max(s.squares.At(g), 0) / max(n, 1)
		if s.root {
			v = math.Sqrt(v)
		}
		s.values = append(s.values, v)
	}
	out.Reset(s.result, len(groups))
	s.put(out)
	least := int64(1)
	if s.sample {
		least = 2
	}
	for i, g := range groups {
		if s.n.At(g) < least {
			out.SetNull(i)
		}
	}
}

// put writes values in the form of the result.
func (s *spread) put(out *vector.Column) {
	switch {
	case s.result.Kind == types.Decimal:
		v, pow := vector.AllocWide(out), math.Pow10(s.result.Scale)
		for i, x := range s.values {
			v[i] = integerOf(math.Round(x * pow))
		}
	case s.result.Kind == types.Float:
		v := vector.Alloc[float32](out)
		for i, x := range s.values {
			v[i] = float32(x)
		}
	case s.result.Kind == types.Double:
		copy(vector.Alloc[float64](out), s.values)
	default:
		v := make([]int64, len(s.values))
		for i, x := range s.values {
			v[i] = int64(x)
		}
		putIntegers(out, v)
	}
}

// integerOf is the integer that a finite float is.
func integerOf(f float64) vector.Int128 {
	if math.Abs(f) < 1<<62 {
		return kernel.Int128Of(int64(f))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return vector.Int128{}
	}
	b, _ := new(big.Float).SetFloat64(f).Int(nil)
	v, _ := kernel.Int128OfBig(b)
	return v
}

func (s *spread) Clear(groups []int32) {
	s.n.Zero(groups)
	s.mean.Zero(groups)
	s.squares.Zero(groups)
}
