package network

import (
	"fmt"
	"math/rand/v2"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// allTypes has every physical form, flat and nested.
func allTypes() []types.Type {
	row := types.RowOf(types.Field{Name: "a", Type: types.Of(types.Int)}, types.Field{Name: "b", Type: types.String()},
		types.Field{Name: "c", Type: types.Of(types.Boolean)}, types.Field{Name: "d", Type: types.DecimalOf(30, 2)})
	return []types.Type{
		types.Of(types.Boolean), types.Of(types.TinyInt), types.Of(types.SmallInt), types.Of(types.Int), types.Of(types.BigInt),
		types.Of(types.Float), types.Of(types.Double), types.DecimalOf(10, 2), types.DecimalOf(38, 3), types.String(), types.Bytes(),
		types.Of(types.Date), types.TimeOf(3), types.TimestampOf(3), types.TimestampLTZOf(6), types.Of(types.IntervalDay),
		types.Of(types.IntervalMonth), row, types.ArrayOf(types.String()), types.ArrayOf(row),
		types.MapOf(types.String(), types.Of(types.BigInt)), types.MultisetOf(types.Of(types.Int)),
		types.ArrayOf(types.ArrayOf(types.Of(types.Boolean))), types.RowOf(types.Field{Name: "r", Type: row}), types.Of(types.Null),
	}
}

func appendRandom(b *vector.Builder, r *rand.Rand, nulls int) {
	if b.Type().Kind == types.Null || r.IntN(100) < nulls {
		b.AppendNull()
		return
	}
	switch t := b.Type(); t.Physical() {
	case types.PhysBool:
		b.AppendBool(r.IntN(2) == 0)
	case types.PhysFloat32, types.PhysFloat64:
		b.AppendFloat(float64(r.IntN(1000)) / 8)
	case types.PhysView:
		if r.IntN(2) == 0 {
			b.AppendString(fmt.Sprintf("a text too long to be inlined: %0*d", r.IntN(60), r.IntN(1000)))
			return
		}
		b.End(fmt.Append(b.Begin(), r.IntN(1000)))
	case types.PhysRow:
		for i := range t.Fields {
			appendRandom(b.Child(i), r, nulls)
		}
		b.AppendRow()
	case types.PhysList:
		for range r.IntN(4) {
			for i := range t.Fields {
				appendRandom(b.Child(i), r, 0)
			}
			if t.Kind == types.Multiset {
				b.Child(1).AppendInt(int64(r.IntN(9)))
			}
		}
		b.AppendList()
	default:
		if t.Kind == types.Decimal {
			b.AppendDecimal(kernel.Int128Of(int64(r.IntN(1e6))))
			return
		}
		b.AppendInt(int64(r.IntN(100)))
	}
}

// randomColumn is n rows in a random encoding.
func randomColumn(t types.Type, r *rand.Rand, n int) *vector.Column {
	b := vector.NewBuilder(t)
	nulls := r.IntN(2) * r.IntN(40)
	for range n {
		appendRandom(b, r, nulls)
	}
	c := &vector.Column{}
	b.Finish(c)
	switch r.IntN(5) {
	case 0:
		codes := make([]int32, n)
		for i := range codes {
			codes[i] = int32(r.IntN(n))
		}
		d := &vector.Column{}
		shared := r.IntN(3)
		d.SetDict(t, codes, &vector.Dictionary{ID: uint64(min(shared, 1)), Values: c, Fixed: shared == 2})
		return d
	case 1:
		return vector.ConstNull(t, n)
	case 2:
		b := vector.NewBuilder(t)
		appendRandom(b, r, 0)
		one := &vector.Column{}
		b.Finish(one)
		one.Enc, one.Len = vector.Constant, n
		return one
	}
	return c
}

func randomBatch(ts []types.Type, r *rand.Rand, n int) *vector.Batch {
	b := &vector.Batch{Len: n}
	for _, t := range ts {
		b.Cols = append(b.Cols, randomColumn(t, r, n))
	}
	if r.IntN(3) == 0 {
		for range n {
			b.Kinds = append(b.Kinds, vector.RowKind(r.IntN(4)))
		}
	}
	return b
}

// lines are the rows of a batch as text.
func lines(b *vector.Batch) []string {
	out := make([]string, b.Len)
	for i := range out {
		line := []byte(b.Kind(i).String())
		for _, c := range b.Cols {
			line = text.AppendCell(append(line, '|'), c, i)
		}
		out[i] = string(line)
	}
	return out
}

// longs is a batch of one BIGINT column.
func longs(v ...int64) *vector.Batch {
	return &vector.Batch{Len: len(v), Cols: []*vector.Column{vector.OfSlice(types.Of(types.BigInt), v)}}
}

var longType = []types.Type{types.Of(types.BigInt)}

func rowValue(b *vector.Batch, i int) int64 { return vector.Value[int64](b.Cols[0], i) }
