package filesystem

import (
	"errors"
	"fmt"
	"os"

	"github.com/parquet-go/parquet-go"
	pf "github.com/parquet-go/parquet-go/format"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// parquet takes the columns that the file declares; what has no type here is left out.
func (x *inference) parquet() (err error) {
	// A library that meets what no writer writes may panic.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file is damaged: %v", p)
		}
	}()
	in, err := os.Open(x.first)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	f, err := openChecked(in, info.Size(), false)
	if err != nil {
		return fmt.Errorf("it is no Parquet file: %w", err)
	}
	for _, c := range f.Root().Columns() {
		if t, ok := typeOfParquet(c); ok {
			x.columns = append(x.columns, connector.Column{Name: c.Name(), Type: t})
		}
	}
	if len(x.columns) == 0 {
		return errors.New("it has no column of a type that can be read")
	}
	return nil
}

// typeOfParquet is the type that holds all values of a column; false when there is none.
func typeOfParquet(c *parquet.Column) (types.Type, bool) {
	t, ok := elementOfParquet(c)
	if c.Repeated() {
		t = types.ArrayOf(t)
	}
	return t, ok
}

// elementOfParquet is the type of c where it stands for one of its elements.
func elementOfParquet(c *parquet.Column) (types.Type, bool) {
	if c.Leaf() {
		return leafOfParquet(c.Type())
	}
	switch s := shapeOf(c); s.kind {
	case types.Array:
		if s.kids[0] == s.repeated {
			t, ok := elementOfParquet(s.repeated)
			return types.ArrayOf(t), ok
		}
		t, ok := typeOfParquet(s.kids[0])
		return types.ArrayOf(t), ok
	case types.Map:
		k, ok1 := typeOfParquet(s.kids[0])
		v, ok2 := typeOfParquet(s.kids[1])
		return types.MapOf(k, v), ok1 && ok2
	}
	var fields []types.Field
	for _, kid := range c.Columns() {
		if t, ok := typeOfParquet(kid); ok {
			fields = append(fields, types.Field{Name: kid.Name(), Type: t})
		}
	}
	return types.RowOf(fields...), len(fields) > 0
}

func leafOfParquet(t parquet.Type) (types.Type, bool) {
	if l := t.LogicalType(); l != nil {
		switch l := l.Value.(type) {
		case *pf.DecimalType:
			p, scale := int(l.Precision), int(l.Scale)
			return types.DecimalOf(p, scale), 0 < p && p <= types.MaxDecimal && 0 <= scale && scale <= p
		case *pf.DateType:
			return types.Of(types.Date), true
		case *pf.TimeType:
			return types.TimeOf(3), true
		case *pf.TimestampType:
			of := types.TimestampOf
			if l.IsAdjustedToUTC {
				of = types.TimestampLTZOf
			}
			switch l.Unit.Value.(type) {
			case *pf.MicroSeconds:
				return of(6), true
			case *pf.NanoSeconds:
				return of(9), true
			}
			return of(3), true
		case *pf.StringType, *pf.EnumType, *pf.JsonType, *pf.NullType:
			return types.String(), true
		case *pf.IntType:
			return intOfParquet(int(l.BitWidth), l.IsSigned), true
		}
	}
	switch t.Kind() {
	case parquet.Boolean:
		return types.Of(types.Boolean), true
	case parquet.Int32:
		return types.Of(types.Int), true
	case parquet.Int64:
		return types.Of(types.BigInt), true
	case parquet.Int96:
		return types.TimestampOf(9), true
	case parquet.Float:
		return types.Of(types.Float), true
	case parquet.Double:
		return types.Of(types.Double), true
	}
	return types.Bytes(), true
}

// intOfParquet holds integers of some bits; those without a sign need one more.
func intOfParquet(bits int, signed bool) types.Type {
	if !signed {
		bits++
	}
	switch {
	case bits <= 8:
		return types.Of(types.TinyInt)
	case bits <= 16:
		return types.Of(types.SmallInt)
	case bits <= 32:
		return types.Of(types.Int)
	}
	return types.Of(types.BigInt)
}
