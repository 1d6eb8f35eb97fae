package vector_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestArrowRoundTrip brings every type in every encoding to Arrow and back, also from a slice of the array.
func TestArrowRoundTrip(t *testing.T) {
	for k, typ := range allTypes() {
		r := rand.New(rand.NewPCG(4, uint64(k)))
		out := &vector.Column{}
		for _, n := range []int{1, 65, 130} {
			for name, c := range shapes(typ, r, n, 25) {
				want := cells(c)
				for form, a := range map[string]arrow.Array{"": vector.ToArrow(c), "plain ": vector.ToArrowPlain(c)} {
					what := fmt.Sprintf("%s%s %s of %d", form, typ, name, n)
					if form != "" && !arrow.TypeEqual(a.DataType(), vector.ArrowType(typ)) {
						t.Fatalf("%s: Arrow type %s, want %s", what, a.DataType(), vector.ArrowType(typ))
					}
					if err := vector.FromArrow(out, typ, a); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					check(t, what, out, want)
					from := r.IntN(n)
					if err := vector.FromArrow(out, typ, array.NewSlice(a, int64(from), int64(n))); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					check(t, "a slice of "+what, out, want[from:])
				}
			}
		}
	}
}

// TestArrowEmpty has columns without rows.
func TestArrowEmpty(t *testing.T) {
	for _, typ := range allTypes() {
		c, out := &vector.Column{}, &vector.Column{}
		vector.NewBuilder(typ).Finish(c)
		for _, a := range []arrow.Array{vector.ToArrow(c), vector.ToArrowPlain(c)} {
			if err := vector.FromArrow(out, typ, a); err != nil || a.Len() != 0 || out.Len != 0 {
				t.Errorf("%s: %d rows, %v", typ, out.Len, err)
			}
		}
	}
}

func TestArrowSharesMemory(t *testing.T) {
	data := func(c *vector.Column) *byte { return unsafe.SliceData(c.Data) }
	for _, typ := range []types.Type{types.Of(types.Boolean), types.Of(types.TinyInt), types.Of(types.BigInt),
		types.Of(types.Double),
		types.DecimalOf(38, 3), types.TimestampOf(3), types.Of(types.Date), types.String()} {
		c, out := randomColumn(typ, rand.New(rand.NewPCG(5, 6)), 100, 0), &vector.Column{}
		a := vector.ToArrow(c)
		if unsafe.SliceData(a.Data().Buffers()[1].Bytes()) != data(c) {
			t.Errorf("%s is copied to Arrow", typ)
		}
		if err := vector.FromArrow(out, typ, a); err != nil {
			t.Fatal(err)
		}
		if typ.Kind != types.Boolean && data(out) != data(c) {
			t.Errorf("%s is copied from Arrow", typ)
		}
	}
}

// TestFromArrowBuilders reads arrays that Arrow's own builders made.
func TestFromArrowBuilders(t *testing.T) {
	pool := memory.NewGoAllocator()
	for _, c := range []struct {
		dt   arrow.DataType
		json string
		typ  string
		want string
	}{
		{arrow.BinaryTypes.String, `["a", null, "a text that is long enough"]`, "STRING", `a|\N|` +
			`a text that is long enough`},
		{arrow.FixedWidthTypes.Boolean, `[true, null, false]`, "BOOLEAN", `true|\N|false`},
		{arrow.PrimitiveTypes.Int16, `[1, null, -3]`, "SMALLINT", `1|\N|-3`},
		{&arrow.Decimal128Type{Precision: 10, Scale: 2}, `["1.50", null, "-0.05"]`, "DECIMAL(10, 2)", `1.50|\N|` +
			`-0.05`},
		{arrow.FixedWidthTypes.Date32, `["2024-02-29", null]`, "DATE", `2024-02-29|\N`},
		{&arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}, `["2024-02-29 12:34:56.789", null]`,
			"TIMESTAMP_LTZ(3)",
			`2024-02-29 12:34:56.789Z|\N`},
		{arrow.ListOf(arrow.PrimitiveTypes.Int32), `[[1, 2], null, [], [null, 3]]`, "ARRAY<INT>", `[1, 2]|\N|[]|` +
			`[NULL, 3]`},
		{arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true}),
			`[{"a": 1}, null, {"a": null}]`,
			"ROW<`a` BIGINT>", `(1)|\N|(NULL)`},
		{arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int32), `[[{"key": "k", "value": 1}], null, []]`,
			"MAP<STRING NOT NULL, INT>", `{"k"=1}|\N|{}`},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint8, ValueType: arrow.BinaryTypes.String},
			`["x", "y", null, "x"]`,
			"STRING", `x|y|\N|x`},
	} {
		a, _, err := array.FromJSON(pool, c.dt, strings.NewReader(c.json))
		if err != nil {
			t.Fatal(err)
		}
		typ, err := vector.TypeOfArrow(c.dt, true)
		if err != nil || typ.String() != c.typ {
			t.Errorf("%s: %s, %v, want %s", c.dt, typ, err, c.typ)
			continue
		}
		want := strings.Split(c.want, "|")
		for from := range want {
			out := &vector.Column{}
			if err := vector.FromArrow(out, typ, array.NewSlice(a, int64(from), int64(len(want)))); err != nil {
				t.Fatalf("%s: %v", c.dt, err)
			}
			check(t, fmt.Sprint(c.dt, " from ", from), out, want[from:])
		}
	}
}

func TestArrowRefusals(t *testing.T) {
	for _, dt := range []arrow.DataType{arrow.PrimitiveTypes.Uint32, &arrow.TimestampType{Unit: arrow.Second},
		arrow.FixedWidthTypes.Time32s, arrow.ListOf(arrow.PrimitiveTypes.Uint8), arrow.FixedWidthTypes.Float16} {
		if _, err := vector.TypeOfArrow(dt, true); err == nil || !strings.HasPrefix(err.Error(), "not supported: ") {
			t.Errorf("%s: %v", dt, err)
		}
	}
	a := vector.ToArrow(vector.OfSlice(types.Of(types.Int), []int32{1}))
	if err := vector.FromArrow(&vector.Column{}, types.Of(types.BigInt), a); err == nil {
		t.Error("an int32 array is read as BIGINT")
	}
	b := vector.ToArrow(vector.OfSlice(types.TimestampOf(3), []int64{1}))
	if err := vector.FromArrow(&vector.Column{}, types.TimestampOf(6), b); err == nil {
		t.Error("milliseconds are read as microseconds")
	}
}

func TestArrowSchema(t *testing.T) {
	s := vector.ArrowSchema([]string{"a", "b"}, []types.Type{types.Of(types.Int).WithNull(false),
		types.ArrayOf(types.String())})
	if got := s.String(); !strings.Contains(got, "a: type=int32") || !strings.Contains(got,
		"b: type=list<item: utf8, nullable>") {
		t.Error(got)
	}
}
