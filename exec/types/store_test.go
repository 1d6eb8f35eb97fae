package types

import "testing"

func TestCanStore(t *testing.T) {
	row := func(ts ...Type) Type {
		var f []Field
		for _, x := range ts {
			f = append(f, Field{Name: "f", Type: x})
		}
		return RowOf(f...)
	}
	for _, c := range []struct {
		from, to Type
		want     bool
	}{
		{Of(Int), Of(BigInt), true}, {Of(Int), Of(TinyInt), false}, {Of(Int), Of(Double), true}, {Of(Int), DecimalOf(3, 1), true},
		{Of(Int), String(), false}, {Of(BigInt), Of(Float), true}, {Of(Double), Of(Float), false}, {Of(Double), Of(BigInt), false},
		{Of(Double), DecimalOf(10, 2), true}, {DecimalOf(24, 3), DecimalOf(23, 3), true}, {DecimalOf(10, 2), Of(Int), false},
		{CharOf(1), String(), true}, {String(), VarcharOf(1), true}, {CharOf(1), CharOf(3), true}, {String(), CharOf(3), false},
		{String(), Of(Date), false}, {CharOf(10), Of(Date), false}, {Bytes(), Of(Binary), false}, {Of(Binary), Bytes(), true},
		{TimestampOf(6), TimestampOf(3), true}, {TimestampLTZOf(3), TimestampOf(3), true}, {TimestampOf(3), Of(Date), true},
		{Of(Date), TimestampOf(3), false}, {Of(Null), Of(Int), true}, {Of(Boolean), Of(Int), false},
		{Of(IntervalDay), Of(IntervalDay), true}, {Of(IntervalDay), Of(BigInt), false},
		{ArrayOf(Of(Int)), ArrayOf(Of(BigInt)), true}, {ArrayOf(Of(BigInt)), ArrayOf(Of(Int)), false},
		{row(Of(Int), CharOf(1)), row(Of(BigInt), String()), true}, {row(Of(Int)), row(Of(Int), Of(Int)), false},
		{MapOf(String(), Of(Int)), MapOf(String(), Of(Double)), true}, {Of(Int), ArrayOf(Of(Int)), false},
	} {
		if got := CanStore(c.from, c.to); got != c.want {
			t.Errorf("%s into %s: %t", c.from, c.to, got)
		}
	}
}
