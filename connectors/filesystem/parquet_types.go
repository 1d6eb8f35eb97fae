package filesystem

import (
	"fmt"
	"math"
	"strings"

	"github.com/parquet-go/parquet-go"
	pf "github.com/parquet-go/parquet-go/format"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// puts appends a value that is not NULL to a column; it is false when the column's type has none like it.
type puts = func(b *vector.Builder, v parquet.Value) bool

// parquetReads finds how a column of a file is read as a type.
func parquetReads(c *parquet.Column, t types.Type, o *options) (puts, error) {
	if !c.Leaf() || c.Repeated() {
		return nil, refuseParquet(c, t)
	}
	return leafReads(c, t, o)
}

// refuseParquet says what a column is in the file, by its type where there is one.
func refuseParquet(c *parquet.Column, t types.Type) error {
	if in, ok := typeOfParquet(c); ok {
		return &mismatch{fmt.Sprintf("it is %s in the file, which is not read as %s", in, t.WithNull(true))}
	}
	in := strings.Join(strings.Fields(c.String()), " ")
	return &mismatch{fmt.Sprintf("it is %s in the file, which is not read as %s", in, t.WithNull(true))}
}

func leafReads(c *parquet.Column, t types.Type, o *options) (puts, error) {
	var logical pf.LogicalTypeValue
	if l := c.Type().LogicalType(); l != nil {
		logical = l.Value
	}
	if isNullParquet(c) {
		return func(*vector.Builder, parquet.Value) bool { return false }, nil
	}
	var put puts
	switch kind := c.Type().Kind(); t.Kind {
	case types.Boolean:
		if kind == parquet.Boolean {
			put = func(b *vector.Builder, v parquet.Value) bool { b.AppendBool(v.Boolean()); return true }
		}
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		put = readInts(kind, logical, 8*t.Physical().Width())
	case types.Float, types.Double:
		put = readFloats(kind, t)
	case types.Decimal:
		put = readDecimals(kind, logical, t)
	case types.Char, types.Varchar, types.Binary, types.Varbinary:
		if kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
			put = func(b *vector.Builder, v parquet.Value) bool { b.AppendBytes(v.ByteArray()); return true }
		}
	case types.Date:
		if _, ok := logical.(*pf.DateType); ok {
			put = func(b *vector.Builder, v parquet.Value) bool { b.AppendInt(int64(v.Int32())); return true }
		}
	case types.Time, types.Timestamp, types.TimestampLTZ:
		put = readTimes(kind, logical, t, o.Parquet.UTC)
	}
	if put == nil {
		return nil, &mismatch{fmt.Sprintf("it is %s in the file, which is not read as %s", c.Type(), t.WithNull(true))}
	}
	return put, nil
}

// isNullParquet tells columns that have no values, and so no type of them: they are read as NULL of any.
func isNullParquet(c *parquet.Column) bool {
	if !c.Leaf() || c.Repeated() || c.Type().LogicalType() == nil {
		return false
	}
	_, is := c.Type().LogicalType().Value.(*pf.NullType)
	return is
}

// readInts reads integers of a file; those that do not fit are refused.
func readInts(kind parquet.Kind, logical pf.LogicalTypeValue, bits int) puts {
	unsigned := false
	switch l := logical.(type) {
	case nil:
	case *pf.IntType:
		unsigned = !l.IsSigned
	default:
		return nil
	}
	least, most := int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
	switch {
	case kind == parquet.Int32:
		return func(b *vector.Builder, v parquet.Value) bool {
			x := int64(v.Int32())
			if unsigned {
				x = int64(v.Uint32())
			}
			if x < least || x > most {
				return false
			}
			b.AppendInt(x)
			return true
		}
	case kind == parquet.Int64:
		return func(b *vector.Builder, v parquet.Value) bool {
			x := v.Int64()
			if x < least || x > most || unsigned && x < 0 {
				return false
			}
			b.AppendInt(x)
			return true
		}
	}
	return nil
}

func readFloats(kind parquet.Kind, t types.Type) puts {
	switch {
	case kind == parquet.Float:
		return func(b *vector.Builder, v parquet.Value) bool { b.AppendFloat(float64(v.Float())); return true }
	case kind == parquet.Double && t.Kind == types.Double:
		return func(b *vector.Builder, v parquet.Value) bool { b.AppendFloat(v.Double()); return true }
	}
	return nil
}

// readDecimals reads numbers of the same scale.
func readDecimals(kind parquet.Kind, logical pf.LogicalTypeValue, t types.Type) puts {
	l, ok := logical.(*pf.DecimalType)
	if !ok || int(l.Scale) != t.Scale {
		return nil
	}
	bound := kernel.Int128Of(1)
	for range t.Precision {
		bound = timesTen(bound)
	}
	put := func(b *vector.Builder, v vector.Int128) bool {
		if v.Abs().Cmp(bound) >= 0 {
			return false
		}
		b.AppendDecimal(v)
		return true
	}
	switch kind {
	case parquet.Int32:
		return func(b *vector.Builder, v parquet.Value) bool { return put(b, kernel.Int128Of(int64(v.Int32()))) }
	case parquet.Int64:
		return func(b *vector.Builder, v parquet.Value) bool { return put(b, kernel.Int128Of(v.Int64())) }
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return func(b *vector.Builder, v parquet.Value) bool {
			x, ok := int128OfBytes(v.ByteArray())
			return ok && put(b, x)
		}
	}
	return nil
}

func timesTen(v vector.Int128) vector.Int128 {
	twice := v.Add(v)
	eight := twice.Add(twice)
	eight = eight.Add(eight)
	return eight.Add(twice)
}

// int128OfBytes reads a number in two's complement, the highest byte first; false when it has more than 128 bits.
func int128OfBytes(t []byte) (v vector.Int128, ok bool) {
	if len(t) == 0 {
		return v, true
	}
	sign := byte(int8(t[0]) >> 7)
	for len(t) > 16 {
		if t[0] != sign || int8(t[1]^sign) < 0 {
			return v, false
		}
		t = t[1:]
	}
	v = kernel.Int128Of(int64(int8(sign)))
	for _, c := range t {
		v.Hi, v.Lo = v.Hi<<8|int64(v.Lo>>56), v.Lo<<8|uint64(c)
	}
	return v, true
}

// readTimes reads times of day and timestamps of any unit, whose finer digits are cut off.
func readTimes(kind parquet.Kind, logical pf.LogicalTypeValue, t types.Type, utc bool) puts {
	unit, tick := int64(0), t.TickNanos()
	switch l := logical.(type) {
	case *pf.TimeType:
		if t.Kind != types.Time {
			return nil
		}
		unit, tick = l.Unit.Value.Duration().Nanoseconds(), 1e6
	case *pf.TimestampType:
		if t.Kind == types.Time || l.IsAdjustedToUTC != (t.Kind == types.TimestampLTZ) && !(utc && l.IsAdjustedToUTC) {
			return nil
		}
		unit = l.Unit.Value.Duration().Nanoseconds()
	case nil:
		if kind != parquet.Int96 || t.Kind == types.Time {
			return nil
		}
		return func(b *vector.Builder, v parquet.Value) bool { return putInt96(b, v, tick) }
	default:
		return nil
	}
	return func(b *vector.Builder, v parquet.Value) bool {
		x := int64(0)
		if kind == parquet.Int32 {
			x = int64(v.Int32())
		} else {
			x = v.Int64()
		}
		switch {
		case unit < tick:
			x = kernel.FloorDiv(x, tick/unit)
		case unit > tick:
			if by := unit / tick; x > math.MaxInt64/by || x < math.MinInt64/by {
				return false
			} else {
				x *= by
			}
		}
		b.AppendInt(x)
		return true
	}
}

// putInt96 takes the older form of a timestamp: the nanoseconds of the day, and the day by the Julian calendar.
func putInt96(b *vector.Builder, v parquet.Value, tick int64) bool {
	const epoch, day = 2440588, 86400 * 1e9
	x := v.Int96()
	nanos, days := int64(x[1])<<32|int64(x[0]), int64(x[2])-epoch
	per := int64(day) / tick
	if days > math.MaxInt64/per-1 || days < math.MinInt64/per+1 {
		return false
	}
	b.AppendInt(days*per + kernel.FloorDiv(nanos, tick))
	return true
}
