package filesystem

import (
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/snappy"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/types"
)

// Columns of Parquet files have these types:
//
//	BOOLEAN                      BOOLEAN
//	TINYINT, SMALLINT, INT       INT32, of 8 and 16 bits where they are
//	BIGINT                       INT64
//	FLOAT, DOUBLE                FLOAT, DOUBLE
//	DECIMAL                      FIXED_LEN_BYTE_ARRAY of as many bytes as the precision needs
//	CHAR, VARCHAR, STRING        BYTE_ARRAY of UTF-8
//	BINARY, VARBINARY, BYTES     BYTE_ARRAY
//	DATE                         INT32, days
//	TIME                         INT32, milliseconds
//	TIMESTAMP, TIMESTAMP_LTZ     INT64 of the unit of their precision; adjusted to UTC only TIMESTAMP_LTZ, and with
//	                             utc-timezone both
//
//	ROW                          a group of the fields
//	ARRAY                        LIST of `element`
//	MAP, MULTISET                MAP of `key`, which is required, and `value`: of a MULTISET the number of times
//
// All are optional. Readers take besides any column that holds the same values: integers that are no longer, DECIMALs
// of the same scale in any form, times of any unit, INT96.

type parquetOptions struct {
	Compression string      `opt:"compression" default:"SNAPPY" enum:"SNAPPY,ZSTD,GZIP,UNCOMPRESSED" doc:"how pages are compressed"`
	UTC         bool        `opt:"utc-timezone" default:"false" doc:"TIMESTAMP stands in files as the instant at which clocks show it in UTC; others are read all the same"`
	PageLimit   option.Size `opt:"page-limit" beyond:"true" default:"256mb" min:"1" doc:"the most bytes that a page of a file may become: what a damaged file claims beyond is refused"`
	GroupSize   option.Size `opt:"block-size" default:"32mb" min:"1" doc:"the size of a row group before it is compressed; a file that is written holds one in memory"`
}

var parquetFormat = &format{
	name:  "parquet",
	check: checkParquet,
	bulk:  newParquetFiles,
	scan:  openParquet,
	cut:   cutParquet,
	join:  joinParquet,
}

func checkParquet(t *connector.Table, _ *options) error {
	for _, i := range storedColumns(t) {
		c := t.Columns[i]
		if _, ok := parquetNode(c.Type, false); !ok {
			return &option.Error{Key: "format",
				Msg:  fmt.Sprintf("not supported: the format 'parquet' of column '%s' of type %s", c.Name, c.Type),
				Hint: "use 'format' = 'json'"}
		}
	}
	if len(storedColumns(t)) == 0 {
		return &option.Error{Key: "format", Msg: "the format 'parquet' needs a column that is no partition key",
			Hint: "leave a column out of PARTITIONED BY, or use 'format' = 'json'"}
	}
	return nil
}

// parquetGroup is the schema of a table: a group whose fields are in order.
type parquetGroup struct {
	parquet.Group
	names []string
}

// Fields implements parquet.Node.
func (g parquetGroup) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return slices.Index(g.names, a.Name()) - slices.Index(g.names, b.Name()) })
	return fields
}

func parquetSchema(columns []connector.Column, instants bool) *parquet.Schema {
	g := parquetGroup{Group: parquet.Group{}}
	for _, c := range columns {
		n, _ := parquetNode(c.Type, instants)
		g.names = append(g.names, c.Name)
		g.Group[c.Name] = parquet.Optional(n)
	}
	return parquet.NewSchema("table", g)
}

// parquetNode is the type of a column in a file; false when there is none. TIMESTAMP may be written as instants.
func parquetNode(t types.Type, instants bool) (parquet.Node, bool) {
	switch t.Kind {
	case types.Boolean:
		return parquet.Leaf(parquet.BooleanType), true
	case types.TinyInt:
		return parquet.Int(8), true
	case types.SmallInt:
		return parquet.Int(16), true
	case types.Int:
		return parquet.Leaf(parquet.Int32Type), true
	case types.BigInt:
		return parquet.Leaf(parquet.Int64Type), true
	case types.Float:
		return parquet.Leaf(parquet.FloatType), true
	case types.Double:
		return parquet.Leaf(parquet.DoubleType), true
	case types.Decimal:
		return parquet.Decimal(t.Scale, t.Precision, parquet.FixedLenByteArrayType(decimalBytes(t.Precision))), true
	case types.Char, types.Varchar:
		return parquet.String(), true
	case types.Binary, types.Varbinary:
		return parquet.Leaf(parquet.ByteArrayType), true
	case types.Date:
		return parquet.Date(), true
	case types.Time:
		return parquet.TimeAdjusted(parquet.Millisecond, false), true
	case types.Timestamp, types.TimestampLTZ:
		unit := parquet.Millisecond
		switch t.TickNanos() {
		case 1e3:
			unit = parquet.Microsecond
		case 1:
			unit = parquet.Nanosecond
		}
		return parquet.TimestampAdjusted(unit, instants || t.Kind == types.TimestampLTZ), true
	}
	return nestedNodeOf(t, instants)
}

// nestedNodeOf is the type of a column of several values; false when there is none.
func nestedNodeOf(t types.Type, instants bool) (parquet.Node, bool) {
	optional := func(t types.Type) (parquet.Node, bool) {
		n, ok := parquetNode(t, instants)
		if !ok {
			return nil, false
		}
		return parquet.Optional(n), true
	}
	switch t.Kind {
	case types.Row:
		g := parquetGroup{Group: parquet.Group{}}
		for _, f := range t.Fields {
			n, ok := optional(f.Type)
			if !ok {
				return nil, false
			}
			g.names, g.Group[f.Name] = append(g.names, f.Name), n
		}
		return g, len(t.Fields) > 0
	case types.Array:
		n, ok := optional(t.Elem())
		if !ok {
			return nil, false
		}
		return parquet.List(n), true
	case types.Map, types.Multiset:
		value := types.Of(types.Int)
		if t.Kind == types.Map {
			value = t.Elem()
		}
		k, ok1 := parquetNode(t.Fields[0].Type, instants)
		v, ok2 := optional(value)
		if !ok1 || !ok2 {
			return nil, false
		}
		return parquet.Map(k, v), true
	}
	return nil, false
}

// decimalBytes is how many bytes a DECIMAL of some digits needs.
func decimalBytes(precision int) int {
	bits := int(float64(precision)*3.3219280948873626) + 2 // log2(10), and the sign
	return (bits + 7) / 8
}

func codecOf(o *options) compress.Codec {
	switch o.Parquet.Compression {
	case "ZSTD":
		return &parquet.Zstd
	case "GZIP":
		return &parquet.Gzip
	case "UNCOMPRESSED":
		return &parquet.Uncompressed
	}
	return &snappyCodec{}
}

// snappyCodec packs as fast as others do. The library's own looks longer for what repeats, and makes a table of half a megabyte
// anew for each page whose size is of another order than that of the one before.
type snappyCodec struct{ snappy.Codec }

// Encode implements compress.Codec.
func (*snappyCodec) Encode(dst, src []byte) ([]byte, error) { return s2.EncodeSnappy(dst, src), nil }
