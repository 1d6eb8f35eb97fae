package vector_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// allTypes has every physical form, flat and nested.
func allTypes() []types.Type {
	row := types.RowOf(types.Field{Name: "a", Type: types.Of(types.Int)}, types.Field{Name: "b",
		Type: types.String()},
		types.Field{Name: "c", Type: types.Of(types.Boolean)})
	return []types.Type{
		types.Of(types.Boolean), types.Of(types.TinyInt), types.Of(types.SmallInt), types.Of(types.Int),
		types.Of(types.BigInt),
		types.Of(types.Float), types.Of(types.Double), types.DecimalOf(10, 2), types.DecimalOf(38, 3), types.String(),
		types.Bytes(), types.Of(types.Date), types.TimeOf(3), types.TimestampOf(3), types.TimestampLTZOf(6),
		types.Of(types.IntervalDay), types.Of(types.IntervalMonth), row, types.ArrayOf(types.String()),
		types.ArrayOf(row), types.MapOf(types.String(), types.Of(types.BigInt)),
		types.MultisetOf(types.Of(types.Int)),
		types.ArrayOf(types.ArrayOf(types.Of(types.Boolean))), types.RowOf(types.Field{Name: "r", Type: row}),
		types.Of(types.Null),
	}
}

// appendRandom appends one value of the builder's type, NULL in a share of the cases.
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
			b.AppendString(fmt.Sprint("a text too long to be inlined: ", r.IntN(1000)))
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

func randomColumn(t types.Type, r *rand.Rand, n, nulls int) *vector.Column {
	b := vector.NewBuilder(t)
	for range n {
		appendRandom(b, r, nulls)
	}
	c := &vector.Column{}
	b.Finish(c)
	return c
}

func cells(c *vector.Column) []string {
	out := make([]string, c.Len)
	for i := range out {
		out[i] = string(text.AppendCell(nil, c, i))
	}
	return out
}

func pick(of []string, idx []int32) []string {
	out := make([]string, len(idx))
	for i, k := range idx {
		out[i] = of[k]
	}
	return out
}

// shapes are the encodings of n rows of a type: flat, constant, constant NULL, dictionaries shared and
// private, with NULL rows and NULL entries, and a dictionary over a dictionary.
func shapes(t types.Type, r *rand.Rand, n, nulls int) map[string]*vector.Column {
	flat := randomColumn(t, r, n, nulls)
	one := randomColumn(t, r, 1, 0)
	one.Enc, one.Len = vector.Constant, n
	out := map[string]*vector.Column{"flat": flat, "constant": one, "null": vector.ConstNull(t, n)}
	for id, name := range []string{"private", "shared"} {
		codes := make([]int32, n)
		for i := range codes {
			codes[i] = int32(r.IntN(n))
		}
		d := &vector.Column{}
		d.SetDict(t, codes, &vector.Dictionary{ID: uint64(id), Values: flat})
		out[name] = d
		dd := &vector.Column{}
		dd.SetDict(t, codes, &vector.Dictionary{Values: d})
		if nulls > 0 {
			dd.SetNull(r.IntN(n))
		}
		out["twice "+name] = dd
	}
	run := make([]int32, n)
	for i := range run {
		run[i] = int32(i)
	}
	out["run"] = &vector.Column{}
	out["run"].SetDict(t, run, &vector.Dictionary{Values: flat})
	return out
}

// check compares and looks at the invariants V1 and V4.
func check(t *testing.T, what string, c *vector.Column, want []string) {
	t.Helper()
	if c.Len != len(want) {
		t.Fatalf("%s: %d rows, want %d", what, c.Len, len(want))
	}
	if got := cells(c); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("%s:\n%q, want\n%q", what, got, want)
	}
	n := c.Stored()
	if c.Valid != nil && n > 0 && c.Valid[kernel.Words(n)-1]&^kernel.TailMask(n) != 0 {
		t.Fatalf("%s: validity bits past the last row", what)
	}
	if c.Enc != vector.Dict && c.Type.Kind == types.Boolean && n > 0 && vector.Bits(c)[kernel.Words(n)-1]&^kernel.TailMask(n) != 0 {
		t.Fatalf("%s: BOOLEAN bits past the last row", what)
	}
}

// TestShapes takes, slices and flattens every type in every encoding, several times into the same
// column, so that what is left of a former batch would show.
func TestShapes(t *testing.T) {
	for k, typ := range allTypes() {
		r := rand.New(rand.NewPCG(1, uint64(k)))
		taken, sliced, flat := &vector.Column{}, &vector.Column{}, &vector.Column{}
		for _, n := range []int{1, 3, 64, 65, 200} {
			for _, nulls := range []int{0, 30} {
				for name, c := range shapes(typ, r, n, nulls) {
					what := fmt.Sprintf("%s %s of %d rows, %d%% NULL", typ, name, n, nulls)
					want := cells(c)
					vector.Flatten(flat, c)
					check(t, "flatten "+what, flat, want)
					if flat.Enc != vector.Flat && typ.Kind != types.Null {
						t.Fatalf("%s is not flat", what)
					}
					idx := make([]int32, r.IntN(2*n)+1)
					for i := range idx {
						idx[i] = int32(r.IntN(n))
					}
					vector.Take(taken, c, idx)
					check(t, "take "+what, taken, pick(want, idx))
					from := r.IntN(n)
					m := r.IntN(n - from + 1)
					vector.Slice(sliced, c, from, m)
					check(t, "slice "+what, sliced, want[from:from+m])
					run := idx[:0]
					for i := range m {
						run = append(run, int32(from+i))
					}
					if m > 0 {
						vector.Take(taken, c, run)
						check(t, "take a run of "+what, taken, want[from:from+m])
						vector.Take(sliced, taken, []int32{int32(m - 1), 0})
						check(t, "take of take of "+what, sliced, []string{want[from+m-1], want[from]})
					}
				}
			}
		}
	}
}

func TestTakeWithoutCopy(t *testing.T) {
	vals := vector.OfSlice(types.Of(types.Int), []int32{5, 6, 7, 8})
	d, out := &vector.Column{}, &vector.Column{}
	d.SetDict(vals.Type, []int32{9, 0, 9, 1, 2}, &vector.Dictionary{Values: vals})
	vector.Take(out, d, []int32{1, 3, 4})
	if got := vector.Values[int32](out); out.Enc != vector.Flat || &got[0] != &vector.Values[int32](vals)[0] {
		t.Error("consecutive codes of a private dictionary are not a slice of its values")
	}
	vector.Take(out, vals, []int32{1, 2})
	if got := vector.Values[int32](out); &got[0] != &vector.Values[int32](vals)[1] {
		t.Error("a run of a flat column is not a slice")
	}
	flat := randomColumn(types.Of(types.BigInt), rand.New(rand.NewPCG(1, 2)), 1000, 20)
	idx := make([]int32, 500)
	for i := range idx {
		idx[i] = int32(i*7) % 1000
	}
	vector.Take(out, flat, idx)
	if n := testing.AllocsPerRun(10, func() { vector.Take(out, flat, idx) }); n != 0 {
		t.Errorf("a take into used memory allocates %v times", n)
	}
}

func TestAccessors(t *testing.T) {
	c := vector.ConstText(types.String(), "a longer text than twelve bytes", 3)
	if string(vector.Text(c, 2)) != "a longer text than twelve bytes" || c.Step() != 0 || c.Null(1) ||
		c.IsConstNull() {
		t.Error("constant text")
	}
	d := &vector.Column{}
	d.SetDict(types.Of(types.BigInt), []int32{1, 0},
		&vector.Dictionary{Values: vector.OfSlice(types.Of(types.BigInt), []int64{4, 5})})
	if vector.Value[int64](d, 0) != 5 || vector.Value[int64](d, 1) != 4 {
		t.Error("dictionary value")
	}
	d.SetNull(1)
	if d.Null(0) || !d.Null(1) {
		t.Error("a NULL row of a dictionary")
	}
	if !vector.Bool(vector.ConstBool(types.Of(types.Boolean), true, 2), 1) {
		t.Error("constant BOOLEAN")
	}
	if !vector.ConstNull(types.String(), 2).IsConstNull() {
		t.Error("constant NULL")
	}
	var kind vector.Batch
	if kind.Kind(0) != vector.Insert || vector.UpdateBefore.Adds() || !vector.UpdateAfter.Adds() ||
		vector.Delete.String() != "-D" {
		t.Error("row kinds")
	}
}

func TestTextWriter(t *testing.T) {
	src := &vector.Column{}
	src.Reset(types.String(), 2)
	w := vector.NewText(src)
	w.PutString(0, "the quick brown fox jumps over the lazy dog")
	w.Put(1, []byte("short"))
	w.Finish()
	out := &vector.Column{}
	for range 2 { // the second round works in used memory
		out.Reset(types.String(), 4)
		base := out.ShareText(src)
		w := vector.NewText(out)
		views := vector.Values[vector.View](src)
		w.PutPiece(0, &views[0], src.Bufs, base, 4, 25)
		w.PutPiece(1, &views[0], src.Bufs, base, 4, 9)
		w.End(3, append(w.Begin(), "built in the arena, at length"...))
		w.Finish()
		check(t, "texts", out, []string{"quick brown fox jumps", "quick", `\e`, "built in the arena, at length"})
	}
}
