package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = aggregate(Aggregate{
	Name: "SUM", Forms: []string{"SUM(<NUMERIC>)"}, Signed: true,
	Type: func(args []Arg) (Signature, error) {
		return numeric(args, func(t types.Type) types.Type {
			if t.Kind == types.Decimal {
				return types.DecimalOf(types.MaxDecimal, t.Scale)
			}
			return t
		})
	},
	New:    func(b AggregateBinding) Accumulator { return newSum(b, false) },
	Shared: func(kept Accumulator, b AggregateBinding) Accumulator { return sharedSum(kept, b, false) },
	Doc: Doc{"aggregate", "The sum of the values that are not NULL, in the type of the argument: integers wrap. " +
		"A DECIMAL gives DECIMAL(38, s), and NULL when the sum has more digits.", "SUM(x) OF (1), (NULL), (2)", "3"},
})

var _ = aggregate(Aggregate{
	Name: "AVG", Forms: []string{"AVG(<NUMERIC>)"}, Signed: true,
	Type:   func(args []Arg) (Signature, error) { return numeric(args, meanType) },
	New:    func(b AggregateBinding) Accumulator { return newSum(b, true) },
	Shared: func(kept Accumulator, b AggregateBinding) Accumulator { return sharedSum(kept, b, true) },
	Doc: Doc{"aggregate", "The mean of the values that are not NULL, in the type of the argument: of integers it is cut " +
		"to an integer. A DECIMAL gives DECIMAL(38, s) with at least 6 digits behind the point.",
		"AVG(x) OF (1), (2), (2)", "1"},
})

// meanType is the type of means and deviations.
func meanType(t types.Type) types.Type {
	if t.Kind == types.Decimal {
		return types.DecimalOf(types.MaxDecimal, max(6, t.Scale))
	}
	return t
}

func newSum(b AggregateBinding, mean bool) Accumulator {
	t := b.Args[0].Type
	switch {
	case t.Kind == types.Decimal:
		return newDecimalSum(b, mean)
	case t.Kind == types.Float && !mean:
		return &floatSum[float32]{sum: state.NewPages[float32](b.State), n: state.NewPages[int64](b.State), result: b.Result}
	case t.Kind.IsApprox():
		return &floatSum[float64]{sum: state.NewPages[float64](b.State), n: state.NewPages[int64](b.State), result: b.Result, mean: mean}
	}
	return &integerSum{sum: state.NewPages[int64](b.State), n: state.NewPages[int64](b.State), result: b.Result, mean: mean}
}

// sharedSum reads the sum that a SUM or an AVG keeps. Sums of FLOATs are no means of them: those are added as DOUBLEs.
func sharedSum(kept Accumulator, b AggregateBinding, mean bool) Accumulator {
	switch k := kept.(type) {
	case *integerSum:
		return reader{&integerSum{sum: k.sum, n: k.n, result: b.Result, mean: mean}}
	case *decimalSum:
		return reader{&decimalSum{sum: k.sum, n: k.n, result: b.Result, scale: k.scale, mean: mean}}
	case *floatSum[float64]:
		if b.Args[0].Type.Kind == types.Double {
			return reader{&floatSum[float64]{sum: k.sum, n: k.n, result: b.Result, mean: mean}}
		}
	}
	return nil
}

// integerSum is the sum and the number of integers.
type integerSum struct {
	counting
	sum, n *state.Pages[int64]
	result types.Type
	mean   bool
	wide   []int64
}

func (s *integerSum) Update(groups []int32, args []*vector.Column, mask []uint64) {
	s.add(groups, args[0], mask, 1)
}

func (s *integerSum) Retract(groups []int32, args []*vector.Column, mask []uint64) {
	s.add(groups, args[0], mask, -1)
}

func (s *integerSum) add(groups []int32, arg *vector.Column, mask []uint64, by int64) {
	rows, all := s.rows(arg, mask, len(groups))
	switch sum, n := s.sum.All(), s.n.All(); arg.Phys() {
	case types.PhysInt8:
		addIntegers[int8](sum, n, groups, arg, rows, all, by)
	case types.PhysInt16:
		addIntegers[int16](sum, n, groups, arg, rows, all, by)
	case types.PhysInt32:
		addIntegers[int32](sum, n, groups, arg, rows, all, by)
	case types.PhysInt64:
		addIntegers[int64](sum, n, groups, arg, rows, all, by)
	}
}

func addIntegers[T kernel.Integer](sum, n [][]int64, groups []int32, arg *vector.Column, rows []int32, all bool, by int64) {
	v := vector.Values[T](arg)
	if all {
		v = v[:len(groups)]
		for i, g := range groups {
			p, at := g>>state.PageShift, g&state.PageMask
			sum[p][at] += by * int64(v[i])
			n[p][at] += by
		}
		return
	}
	for _, r := range rows {
		g := groups[r]
		p, at := g>>state.PageShift, g&state.PageMask
		sum[p][at] += by * int64(v[r])
		n[p][at] += by
	}
}

// UpdateOne implements OneGroup.
func (s *integerSum) UpdateOne(group int32, n int, args []*vector.Column, mask []uint64) {
	rows, all := s.rows(args[0], mask, n)
	if !all {
		n = len(rows)
	}
	s.n.Set(group, s.n.At(group)+int64(n))
	sum := int64(0)
	switch arg := args[0]; arg.Phys() {
	case types.PhysInt8:
		sum = total(vector.Values[int8](arg), rows, all)
	case types.PhysInt16:
		sum = total(vector.Values[int16](arg), rows, all)
	case types.PhysInt32:
		sum = total(vector.Values[int32](arg), rows, all)
	case types.PhysInt64:
		sum = total(vector.Values[int64](arg), rows, all)
	}
	s.sum.Set(group, s.sum.At(group)+sum)
}

func total[T kernel.Integer](v []T, rows []int32, all bool) (sum int64) {
	if all {
		for _, x := range v {
			sum += int64(x)
		}
		return sum
	}
	for _, r := range rows {
		sum += int64(v[r])
	}
	return sum
}

func (s *integerSum) Merge(groups []int32, partial []*vector.Column) {
	addAll(s.sum, groups, partial[0])
	addAll(s.n, groups, partial[1])
}

func (s *integerSum) PartialTypes() []types.Type { return bigints(2) }

func (s *integerSum) Partial(groups []int32, out []*vector.Column) {
	bigintsOf(out[0], s.sum, groups)
	bigintsOf(out[1], s.n, groups)
}

func (s *integerSum) Value(groups []int32, out *vector.Column) {
	if cap(s.wide) < len(groups) {
		s.wide = make([]int64, len(groups)+len(groups)/2)
	}
	v := s.wide[:len(groups)]
	s.sum.Take(v, groups)
	if s.mean {
		n := s.n.All()
		for i, g := range groups {
			if k := n[g>>state.PageShift][g&state.PageMask]; k != 0 {
				v[i] /= k
			}
		}
	}
	out.Reset(s.result, len(groups))
	putIntegers(out, v)
	nullWhereZero(out, s.n, groups)
}

// putIntegers writes v in the form of out's type, cut as Java does.
func putIntegers(out *vector.Column, v []int64) {
	switch out.Phys() {
	case types.PhysInt8:
		cutTo(vector.Alloc[int8](out), v)
	case types.PhysInt16:
		cutTo(vector.Alloc[int16](out), v)
	case types.PhysInt32:
		cutTo(vector.Alloc[int32](out), v)
	case types.PhysInt64:
		copy(vector.Alloc[int64](out), v)
	}
}

func cutTo[T kernel.Integer](out []T, v []int64) {
	v = v[:len(out)]
	for i := range out {
		out[i] = T(v[i])
	}
}

func (s *integerSum) Clear(groups []int32) {
	s.sum.Zero(groups)
	s.n.Zero(groups)
}

// floatSum is the sum and the number of FLOATs or DOUBLEs, added in T.
type floatSum[T float32 | float64] struct {
	counting
	sum    *state.Pages[T]
	n      *state.Pages[int64]
	result types.Type
	mean   bool
}

func (s *floatSum[T]) Update(groups []int32, args []*vector.Column, mask []uint64) {
	s.add(groups, args[0], mask, 1)
}

func (s *floatSum[T]) Retract(groups []int32, args []*vector.Column, mask []uint64) {
	s.add(groups, args[0], mask, -1)
}

func (s *floatSum[T]) add(groups []int32, arg *vector.Column, mask []uint64, by int64) {
	rows, all := s.rows(arg, mask, len(groups))
	if arg.Phys() == types.PhysFloat32 {
		addFloats(s.sum.All(), s.n.All(), groups, vector.Values[float32](arg), rows, all, by)
	} else {
		addFloats(s.sum.All(), s.n.All(), groups, vector.Values[float64](arg), rows, all, by)
	}
}

func addFloats[T, V float32 | float64](sum [][]T, n [][]int64, groups []int32, v []V, rows []int32, all bool, by int64) {
	f := T(by)
	if all {
		v = v[:len(groups)]
		for i, g := range groups {
			p, at := g>>state.PageShift, g&state.PageMask
			sum[p][at] += f * T(v[i])
			n[p][at] += by
		}
		return
	}
	for _, r := range rows {
		g := groups[r]
		p, at := g>>state.PageShift, g&state.PageMask
		sum[p][at] += f * T(v[r])
		n[p][at] += by
	}
}

func (s *floatSum[T]) Merge(groups []int32, partial []*vector.Column) {
	pages, v := s.sum.All(), vector.Values[float64](partial[0])
	for i, g := range groups {
		pages[g>>state.PageShift][g&state.PageMask] += T(v[i])
	}
	addAll(s.n, groups, partial[1])
}

func (s *floatSum[T]) PartialTypes() []types.Type {
	return []types.Type{types.Of(types.Double), types.Of(types.BigInt)}
}

func (s *floatSum[T]) Partial(groups []int32, out []*vector.Column) {
	out[0].Reset(types.Of(types.Double), len(groups))
	v := vector.Alloc[float64](out[0])
	for i, g := range groups {
		v[i] = float64(s.sum.At(g))
	}
	bigintsOf(out[1], s.n, groups)
}

func (s *floatSum[T]) Value(groups []int32, out *vector.Column) {
	out.Reset(s.result, len(groups))
	if out.Phys() == types.PhysFloat32 {
		putFloats(vector.Alloc[float32](out), s, groups)
	} else {
		putFloats(vector.Alloc[float64](out), s, groups)
	}
	nullWhereZero(out, s.n, groups)
}

func putFloats[V, T float32 | float64](out []V, s *floatSum[T], groups []int32) {
	for i, g := range groups {
		v := s.sum.At(g)
		if s.mean {
			v /= T(max(s.n.At(g), 1))
		}
		out[i] = V(v)
	}
}

func (s *floatSum[T]) Clear(groups []int32) {
	s.sum.Zero(groups)
	s.n.Zero(groups)
}
