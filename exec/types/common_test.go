package types

import "testing"

func TestCommon(t *testing.T) {
	notNull := func(t Type) Type { return t.WithNull(false) }
	for _, c := range []struct {
		a, b Type
		want string
	}{
		{Of(Int), Of(BigInt), "BIGINT"},
		{Of(TinyInt), Of(SmallInt), "SMALLINT"},
		{Of(Int), DecimalOf(10, 2), "DECIMAL(12, 2)"},
		{Of(BigInt), DecimalOf(10, 2), "DECIMAL(21, 2)"},
		{DecimalOf(10, 2), DecimalOf(12, 4), "DECIMAL(12, 4)"},
		{DecimalOf(38, 0), DecimalOf(38, 18), "DECIMAL(38, 0)"},
		{notNull(Of(Int)), notNull(DecimalOf(2, 1)), "DECIMAL(11, 1) NOT NULL"},
		{DecimalOf(10, 2), Of(Double), "DOUBLE"},
		{DecimalOf(10, 2), Of(Float), "DOUBLE"},
		{Of(Float), Of(Int), "FLOAT"},
		{Of(Float), Of(Double), "DOUBLE"},
		{CharOf(3), VarcharOf(5), "VARCHAR(5)"},
		{notNull(CharOf(1)), notNull(CharOf(3)), "VARCHAR(3) NOT NULL"},
		{CharOf(3), CharOf(3), "CHAR(3)"},
		{CharOf(3), String(), "STRING"},
		{TimestampOf(3), TimestampOf(6), "TIMESTAMP(6)"},
		{TimestampOf(3), TimestampLTZOf(3), "TIMESTAMP(3)"},
		{Of(Null), notNull(Of(Int)), "INT"},
		{Of(IntervalDay), Of(IntervalDay), "INTERVAL SECOND(3)"},
		{ArrayOf(Of(Int)), ArrayOf(Of(BigInt)), "ARRAY<BIGINT>"},
		{RowOf(Field{"a", Of(Int)}, Field{"b", CharOf(1)}), RowOf(Field{"x", Of(Double)}, Field{"y", CharOf(2)}),
			"ROW<`a` DOUBLE, `b` VARCHAR(2)>"},
		{Of(Date), TimestampOf(3), ""},
		{String(), Of(Int), ""},
		{String(), Of(Date), ""},
		{Of(Boolean), Of(Int), ""},
		{Of(IntervalDay), Of(IntervalMonth), ""},
		{RowOf(Field{"a", Of(Int)}), RowOf(Field{"a", Of(Int)}, Field{"b", Of(Int)}), ""},
	} {
		for range 2 {
			got, ok := Common(c.a, c.b)
			if text := got.String(); ok != (c.want != "") || (ok && text != c.want) {
				t.Errorf("Common(%s, %s) = %s, %t; want %q", c.a, c.b, text, ok, c.want)
			}
			if c.a.Kind != Row {
				c.a, c.b = c.b, c.a
			}
		}
	}
}
