package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = aggregate(Aggregate{
	Name: "MAX", Forms: []string{"MAX(<COMPARABLE>)"}, Type: extremeOf, New: newExtreme(1), Counted: true,
	Doc: Doc{"aggregate", "The largest value that is not NULL. NaN is larger than every number.",
		"MAX(x) OF (1), (NULL), (3)", "3"},
})

var _ = aggregate(Aggregate{
	Name: "MIN", Forms: []string{"MIN(<COMPARABLE>)"}, Type: extremeOf, New: newExtreme(-1), Counted: true,
	Doc: Doc{"aggregate", "The smallest value that is not NULL.", "MIN(x) OF (1), (NULL), (3)", "1"},
})

func extremeOf(args []Arg) (Signature, error) {
	if len(args) != 1 {
		return Signature{}, Mismatch()
	}
	t := args[0].Type
	if !vector.KeyType(t) || t.Kind.IsBinary() {
		return Signature{}, Refuse("MIN and MAX do not support the type %s", t)
	}
	return Signature{Args: []types.Type{t}, Result: t}, nil
}

func newExtreme(sign int) func(b AggregateBinding) Accumulator {
	return func(b AggregateBinding) Accumulator {
		if b.Retracts {
			return newRetractable(b, sign)
		}
		return newGrowing(b.State, b.Result, sign)
	}
}

// growing is the extreme of values that are never taken back.
func newGrowing(t *state.Keyed, typ types.Type, sign int) Accumulator {
	switch {
	case typ.Kind == types.Decimal:
		return &extremeDecimals{values: state.NewPages[vector.Int128](t), seen: state.NewPages[uint8](t), typ: typ, sign: sign}
	case typ.Kind == types.Boolean:
		return &extremeBools{values: state.NewPages[uint8](t), typ: typ, sign: sign}
	case typ.Physical() == types.PhysView:
		return &extremeTexts{values: state.NewTexts(t), seen: state.NewPages[uint8](t), typ: typ, sign: sign}
	}
	switch typ.Physical() {
	case types.PhysInt8:
		return growingOf[int8](t, typ, sign)
	case types.PhysInt16:
		return growingOf[int16](t, typ, sign)
	case types.PhysInt32:
		return growingOf[int32](t, typ, sign)
	case types.PhysInt64:
		return growingOf[int64](t, typ, sign)
	case types.PhysFloat32:
		return growingOf[float32](t, typ, sign)
	}
	return growingOf[float64](t, typ, sign)
}

func growingOf[T kernel.Number](t *state.Keyed, typ types.Type, sign int) Accumulator {
	return &extremeNumbers[T]{values: state.NewPages[T](t), seen: state.NewPages[uint8](t), typ: typ, sign: sign}
}

// extremeNumbers is the extreme of numbers, dates, times.
type extremeNumbers[T kernel.Number] struct {
	counting
	values *state.Pages[T]
	seen   *state.Pages[uint8]
	typ    types.Type
	sign   int
}

func (x *extremeNumbers[T]) Update(groups []int32, args []*vector.Column, mask []uint64) {
	rows, all := x.rows(args[0], mask, len(groups))
	v := vector.Values[T](args[0])
	if x.sign > 0 {
		larger(x.values.All(), x.seen.All(), groups, v, rows, all)
	} else {
		smaller(x.values.All(), x.seen.All(), groups, v, rows, all)
	}
}

func larger[T kernel.Number](values [][]T, seen [][]uint8, groups []int32, v []T, rows []int32, all bool) {
	if all {
		v = v[:len(groups)]
		for i, g := range groups {
			p, at := g>>state.PageShift, g&state.PageMask
			if w := v[i]; w > values[p][at] || seen[p][at] == 0 || w != w {
				values[p][at], seen[p][at] = w, 1
			}
		}
		return
	}
	for _, r := range rows {
		p, at := groups[r]>>state.PageShift, groups[r]&state.PageMask
		if w := v[r]; w > values[p][at] || seen[p][at] == 0 || w != w {
			values[p][at], seen[p][at] = w, 1
		}
	}
}

func smaller[T kernel.Number](values [][]T, seen [][]uint8, groups []int32, v []T, rows []int32, all bool) {
	if all {
		v = v[:len(groups)]
		for i, g := range groups {
			p, at := g>>state.PageShift, g&state.PageMask
			if w, is := v[i], values[p][at]; w < is || seen[p][at] == 0 || (is != is && w == w) {
				values[p][at], seen[p][at] = w, 1
			}
		}
		return
	}
	for _, r := range rows {
		p, at := groups[r]>>state.PageShift, groups[r]&state.PageMask
		if w, is := v[r], values[p][at]; w < is || seen[p][at] == 0 || (is != is && w == w) {
			values[p][at], seen[p][at] = w, 1
		}
	}
}

func (x *extremeNumbers[T]) Retract([]int32, []*vector.Column, []uint64) { neverRetracts() }

func neverRetracts() {
	panic("function: a row is taken back from an aggregate made for rows that stay")
}

func (x *extremeNumbers[T]) Merge(groups []int32, partial []*vector.Column) {
	x.Update(groups, partial, nil)
}

func (x *extremeNumbers[T]) PartialTypes() []types.Type { return []types.Type{x.typ.WithNull(true)} }

func (x *extremeNumbers[T]) Partial(groups []int32, out []*vector.Column) { x.Value(groups, out[0]) }

func (x *extremeNumbers[T]) Value(groups []int32, out *vector.Column) {
	out.Reset(x.typ, len(groups))
	x.values.Take(vector.Alloc[T](out), groups)
	nullWhereUnseen(out, x.seen, groups)
}

func nullWhereUnseen(out *vector.Column, seen *state.Pages[uint8], groups []int32) {
	pages := seen.All()
	for i, g := range groups {
		if pages[g>>state.PageShift][g&state.PageMask] == 0 {
			out.SetNull(i)
		}
	}
}

func (x *extremeNumbers[T]) Clear(groups []int32) {
	x.values.Zero(groups)
	x.seen.Zero(groups)
}

// extremeDecimals is the extreme of DECIMALs.
type extremeDecimals struct {
	counting
	values  *state.Pages[vector.Int128]
	seen    *state.Pages[uint8]
	typ     types.Type
	sign    int
	scratch []vector.Int128
}

func (x *extremeDecimals) Update(groups []int32, args []*vector.Column, mask []uint64) {
	rows, all := x.rows(args[0], mask, len(groups))
	v, values, seen := vector.Wide128(args[0], &x.scratch), x.values.All(), x.seen.All()
	n := len(rows)
	if all {
		n = len(groups)
	}
	for i := range n {
		r := int32(i)
		if !all {
			r = rows[i]
		}
		p, at := groups[r]>>state.PageShift, groups[r]&state.PageMask
		if seen[p][at] == 0 || v[r].Cmp(values[p][at]) == x.sign {
			values[p][at], seen[p][at] = v[r], 1
		}
	}
}

func (x *extremeDecimals) Retract([]int32, []*vector.Column, []uint64) { neverRetracts() }

func (x *extremeDecimals) Merge(groups []int32, partial []*vector.Column) {
	x.Update(groups, partial, nil)
}

func (x *extremeDecimals) PartialTypes() []types.Type { return []types.Type{x.typ.WithNull(true)} }

func (x *extremeDecimals) Partial(groups []int32, out []*vector.Column) { x.Value(groups, out[0]) }

func (x *extremeDecimals) Value(groups []int32, out *vector.Column) {
	out.Reset(x.typ, len(groups))
	x.values.Take(vector.AllocWide(out), groups)
	nullWhereUnseen(out, x.seen, groups)
}

func (x *extremeDecimals) Clear(groups []int32) {
	x.values.Zero(groups)
	x.seen.Zero(groups)
}

// extremeBools is the extreme of BOOLEANs: the value plus one, zero while there is none.
type extremeBools struct {
	counting
	values *state.Pages[uint8]
	typ    types.Type
	sign   int
}

func (x *extremeBools) Update(groups []int32, args []*vector.Column, mask []uint64) {
	bits, counts, values := vector.Bits(args[0]), x.bits(args[0], mask), x.values.All()
	for i, g := range groups {
		if counts != nil && !kernel.Bit(counts, i) {
			continue
		}
		at := &values[g>>state.PageShift][g&state.PageMask]
		v := uint8(1 + bits[i>>6]>>(uint(i)&63)&1)
		if *at == 0 || (x.sign > 0) == (v > *at) {
			*at = v
		}
	}
}

func (x *extremeBools) Retract([]int32, []*vector.Column, []uint64) { neverRetracts() }

func (x *extremeBools) Merge(groups []int32, partial []*vector.Column) {
	x.Update(groups, partial, nil)
}

func (x *extremeBools) PartialTypes() []types.Type { return []types.Type{x.typ.WithNull(true)} }

func (x *extremeBools) Partial(groups []int32, out []*vector.Column) { x.Value(groups, out[0]) }

func (x *extremeBools) Value(groups []int32, out *vector.Column) {
	out.Reset(x.typ, len(groups))
	w := vector.AllocBits(out)
	clear(w)
	for i, g := range groups {
		switch x.values.At(g) {
		case 0:
			out.SetNull(i)
		case 2:
			kernel.SetBit(w, i)
		}
	}
}

func (x *extremeBools) Clear(groups []int32) { x.values.Zero(groups) }

// extremeTexts is the extreme of texts.
type extremeTexts struct {
	counting
	values state.Texts
	seen   *state.Pages[uint8]
	typ    types.Type
	sign   int
}

func (x *extremeTexts) Update(groups []int32, args []*vector.Column, mask []uint64) {
	arg := args[0]
	counts, v, seen := x.bits(arg, mask), vector.Values[vector.View](arg), x.seen.All()
	for i, g := range groups {
		if counts != nil && !kernel.Bit(counts, i) {
			continue
		}
		p, at := g>>state.PageShift, g&state.PageMask
		is := &x.values.All()[p][at]
		if v[i].Len <= kernel.InlineLen && v[i] == *is && seen[p][at] != 0 {
			continue
		}
		if seen[p][at] == 0 || kernel.CompareView(&v[i], is, arg.Bufs, x.values.Bufs()) == x.sign {
			x.values.Put(g, &v[i], arg.Bufs)
			seen[p][at] = 1
		}
	}
}

func (x *extremeTexts) Retract([]int32, []*vector.Column, []uint64) { neverRetracts() }

func (x *extremeTexts) Merge(groups []int32, partial []*vector.Column) {
	x.Update(groups, partial, nil)
}

func (x *extremeTexts) PartialTypes() []types.Type { return []types.Type{x.typ.WithNull(true)} }

func (x *extremeTexts) Partial(groups []int32, out []*vector.Column) { x.Value(groups, out[0]) }

func (x *extremeTexts) Value(groups []int32, out *vector.Column) {
	out.Reset(x.typ, len(groups))
	x.values.Copy(out, groups)
	nullWhereUnseen(out, x.seen, groups)
}

func (x *extremeTexts) Clear(groups []int32) {
	x.values.Clear(groups)
	x.seen.Zero(groups)
}
