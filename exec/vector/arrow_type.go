package vector

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"

	"streamsql/exec/types"
)

// ArrowType is the Arrow type that ToArrowPlain makes of columns of type t. Lengths of texts and the digits
// of times have no place in it, and VARIANT is a text.
func ArrowType(t types.Type) arrow.DataType {
	switch t.Kind {
	case types.Boolean:
		return arrow.FixedWidthTypes.Boolean
	case types.TinyInt:
		return arrow.PrimitiveTypes.Int8
	case types.SmallInt:
		return arrow.PrimitiveTypes.Int16
	case types.Int:
		return arrow.PrimitiveTypes.Int32
	case types.BigInt:
		return arrow.PrimitiveTypes.Int64
	case types.Float:
		return arrow.PrimitiveTypes.Float32
	case types.Double:
		return arrow.PrimitiveTypes.Float64
	case types.Decimal:
		return &arrow.Decimal128Type{Precision: int32(t.Precision), Scale: int32(t.Scale)}
	case types.Char, types.Varchar, types.Variant, types.Symbol:
		return arrow.BinaryTypes.String
	case types.Binary, types.Varbinary:
		return arrow.BinaryTypes.Binary
	case types.Date:
		return arrow.FixedWidthTypes.Date32
	case types.Time:
		return arrow.FixedWidthTypes.Time32ms
	case types.Timestamp:
		return &arrow.TimestampType{Unit: arrowUnit(t)}
	case types.TimestampLTZ:
		return &arrow.TimestampType{Unit: arrowUnit(t), TimeZone: "UTC"}
	case types.IntervalDay:
		return arrow.FixedWidthTypes.Duration_ms
	case types.IntervalMonth:
		return arrow.FixedWidthTypes.MonthInterval
	case types.Row:
		fields := make([]arrow.Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = arrow.Field{Name: f.Name, Type: ArrowType(f.Type), Nullable: f.Type.Nullable()}
		}
		return arrow.StructOf(fields...)
	case types.Array:
		return arrow.ListOf(ArrowType(t.Elem()))
	case types.Map:
		return arrow.MapOf(ArrowType(t.Key()), ArrowType(t.Elem()))
	case types.Multiset:
		return arrow.MapOf(ArrowType(t.Elem()), arrow.PrimitiveTypes.Int32)
	}
	return arrow.Null
}

func arrowUnit(t types.Type) arrow.TimeUnit {
	switch t.TickNanos() {
	case 1e6:
		return arrow.Millisecond
	case 1e3:
		return arrow.Microsecond
	}
	return arrow.Nanosecond
}

// ArrowSchema is the schema of a batch whose columns ToArrowPlain makes.
func ArrowSchema(names []string, ts []types.Type) *arrow.Schema {
	fields := make([]arrow.Field, len(ts))
	for i, t := range ts {
		fields[i] = arrow.Field{Name: names[i], Type: ArrowType(t), Nullable: t.Nullable()}
	}
	return arrow.NewSchema(fields, nil)
}

// TypeOfArrow is the SQL type that FromArrow reads an Arrow type as.
func TypeOfArrow(dt arrow.DataType, nullable bool) (types.Type, error) {
	t, err := typeOfArrow(dt)
	return t.WithNull(nullable), err
}

func typeOfArrow(dt arrow.DataType) (types.Type, error) {
	switch x := dt.(type) {
	case *arrow.Decimal128Type:
		if x.Precision > types.MaxDecimal || x.Scale < 0 || x.Scale > x.Precision {
			break
		}
		return types.DecimalOf(int(x.Precision), int(x.Scale)), nil
	case *arrow.TimestampType:
		digits := 3 * int(x.Unit-arrow.Second)
		if digits == 0 {
			break
		}
		if x.TimeZone != "" {
			return types.TimestampLTZOf(digits), nil
		}
		return types.TimestampOf(digits), nil
	case *arrow.DictionaryType:
		return typeOfArrow(x.ValueType)
	case *arrow.StructType:
		var fields []types.Field
		for _, f := range x.Fields() {
			t, err := TypeOfArrow(f.Type, f.Nullable)
			if err != nil {
				return t, err
			}
			fields = append(fields, types.Field{Name: f.Name, Type: t})
		}
		return types.RowOf(fields...), nil
	case *arrow.MapType:
		k, err := TypeOfArrow(x.KeyType(), false)
		if err != nil {
			return k, err
		}
		v, err := typeOfArrow(x.ItemType())
		return types.MapOf(k, v), err
	case *arrow.ListType:
		e, err := typeOfArrow(x.Elem())
		return types.ArrayOf(e), err
	default:
		if k, ok := arrowKinds[dt.ID()]; ok && (dt.ID() != arrow.TIME32 ||
			dt.(*arrow.Time32Type).Unit == arrow.Millisecond) &&
			(dt.ID() != arrow.DURATION || dt.(*arrow.DurationType).Unit == arrow.Millisecond) {
			return k, nil
		}
	}
	return types.Type{}, fmt.Errorf("not supported: a column of the Arrow type %s", dt)
}

var arrowKinds = map[arrow.Type]types.Type{
	arrow.NULL: types.Of(types.Null), arrow.BOOL: types.Of(types.Boolean), arrow.INT8: types.Of(types.TinyInt),
	arrow.INT16: types.Of(types.SmallInt), arrow.INT32: types.Of(types.Int), arrow.INT64: types.Of(types.BigInt),
	arrow.FLOAT32: types.Of(types.Float), arrow.FLOAT64: types.Of(types.Double), arrow.STRING: types.String(),
	arrow.STRING_VIEW: types.String(), arrow.BINARY: types.Bytes(), arrow.BINARY_VIEW: types.Bytes(),
	arrow.DATE32: types.Of(types.Date), arrow.TIME32: types.TimeOf(3), arrow.DURATION: types.Of(types.IntervalDay),
	arrow.INTERVAL_MONTHS: types.Of(types.IntervalMonth),
}
