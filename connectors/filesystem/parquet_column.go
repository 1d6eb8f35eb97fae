package filesystem

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
	pf "github.com/parquet-go/parquet-go/format"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// copiesOf tells that the values of a column of a file have the form of a type.
func copiesOf(c *parquet.Column, t types.Type) bool {
	kind := c.Type().Kind()
	var logical pf.LogicalTypeValue
	if l := c.Type().LogicalType(); l != nil {
		logical = l.Value
	}
	switch t.Kind {
	case types.Int:
		l, is := logical.(*pf.IntType)
		return kind == parquet.Int32 && (logical == nil || is && l.IsSigned)
	case types.BigInt:
		l, is := logical.(*pf.IntType)
		return kind == parquet.Int64 && (logical == nil || is && l.IsSigned)
	case types.Date:
		return kind == parquet.Int32
	case types.Timestamp, types.TimestampLTZ:
		l, is := logical.(*pf.TimestampType)
		return is && kind == parquet.Int64 && l.Unit.Value.Duration().Nanoseconds() == t.TickNanos()
	case types.Float:
		return kind == parquet.Float
	case types.Double:
		return kind == parquet.Double
	}
	return (t.Kind.IsText() || t.Kind.IsBinary()) && kind == parquet.ByteArray
}

// isView tells columns of texts.
func (c *parquetColumn) isView() bool { return c.typ.Physical() == types.PhysView }

// whole is how many rows can be read at once: a batch has one dictionary, so that it ends with the page of one.
func (c *parquetColumn) whole(n int) (int, error) {
	if !c.isView() || !c.copies {
		return n, nil
	}
	if err := c.next(); err != nil {
		return 0, err
	}
	return min(n, int(c.page.NumRows())-c.row), nil
}

// read makes a column of n rows.
func (c *parquetColumn) read(out *scanOut, n int) error {
	var err error
	switch {
	case !c.copies:
		err = c.each(out, n)
	case c.isView():
		err = c.texts(out, n)
	case c.typ.Physical() == types.PhysInt32:
		err = copied[int32](c, out, n)
	case c.typ.Physical() == types.PhysInt64:
		err = copied[int64](c, out, n)
	case c.typ.Physical() == types.PhysFloat32:
		err = copied[float32](c, out, n)
	default:
		err = copied[float64](c, out, n)
	}
	if err != nil {
		return inColumn(c.name, err)
	}
	return nil
}

// each converts values one by one.
func (c *parquetColumn) each(out *scanOut, n int) error {
	for n > 0 {
		if err := c.next(); err != nil {
			return err
		}
		if out.values == nil {
			out.values = make([]parquet.Value, 256)
		}
		// A reader of values begins with its page, or where the one before ended.
		part := c.page.Slice(int64(c.row), min(c.page.NumRows(), int64(c.row+min(n, len(out.values)))))
		got, err := part.Values().ReadValues(out.values[:part.NumRows()])
		if got == 0 {
			return fmt.Errorf("a page ends before its values: %w", err)
		}
		for _, v := range out.values[:got] {
			if v.IsNull() {
				out.builder.AppendNull()
			} else if !c.put(out.builder, v) {
				return c.refuse([]byte(v.String()))
			}
		}
		c.row, n = c.row+got, n-got
	}
	out.builder.Finish(out.col)
	return nil
}

// levels are the definition levels of n rows of the page from the next one on, nil when none is NULL, and how many have values.
func (c *parquetColumn) levels(n int) (levels []byte, values int) {
	all := c.page.DefinitionLevels()
	if len(all) == 0 {
		return nil, n
	}
	levels = all[c.row : c.row+n]
	for _, l := range levels {
		if l == c.level {
			values++
		}
	}
	if values == n {
		return nil, n
	}
	return levels, values
}

// word is a value of a fixed width that lies in pages as in columns.
type word interface {
	int32 | int64 | float32 | float64
}

// wordsOf are the values of a page, or of a dictionary.
func wordsOf[T word](p parquet.Page) []T {
	data := p.Data()
	var zero T
	switch any(zero).(type) {
	case int32:
		return any(data.Int32()).([]T)
	case int64:
		return any(data.Int64()).([]T)
	case float32:
		return any(data.Float()).([]T)
	}
	return any(data.Double()).([]T)
}

// copied makes a column of words.
func copied[T word](c *parquetColumn, out *scanOut, n int) error {
	out.col.Reset(c.typ, n)
	dst := vector.Alloc[T](out.col)
	for at := 0; at < n; {
		if err := c.next(); err != nil {
			return err
		}
		part := min(n-at, int(c.page.NumRows())-c.row)
		levels, values := c.levels(part)
		into := dst[at : at+part]
		dense := into[part-values:] // behind those that are to be spread
		if d := c.page.Dictionary(); d != nil {
			from := wordsOf[T](d.Page())
			data := c.page.Data()
			for i, code := range data.Int32()[c.value : c.value+values] {
				dense[i] = from[code]
			}
		} else {
			copy(dense, wordsOf[T](c.page)[c.value:c.value+values])
		}
		if levels != nil {
			c.spread(out.col, levels, at)
			k := 0
			for i, l := range levels {
				if l == c.level {
					into[i] = dense[k]
					k++
				} else {
					into[i] = 0
				}
			}
		}
		c.row, c.value, at = c.row+part, c.value+values, at+part
	}
	return nil
}

// spread marks the rows without a value from row `at` on.
func (c *parquetColumn) spread(col *vector.Column, levels []byte, at int) {
	for i, l := range levels {
		if l != c.level {
			col.SetNull(at + i)
		}
	}
}

// texts makes a column of n texts of a page: codes of its dictionary, or copies.
func (c *parquetColumn) texts(out *scanOut, n int) error {
	levels, values := c.levels(n)
	if values == 0 {
		out.col.SetConstNull(c.typ, n)
		c.row += n
		return nil
	}
	if d := c.page.Dictionary(); d != nil {
		if err := c.dictionary(d); err != nil {
			return err
		}
		out.codes = append(out.codes[:0], make([]int32, n)...)
		data := c.page.Data()
		codes := data.Int32()[c.value : c.value+values]
		if levels == nil {
			copy(out.codes, codes)
		} else {
			k := 0
			for i, l := range levels {
				if l == c.level {
					out.codes[i] = codes[k]
					k++
				}
			}
		}
		for _, code := range out.codes {
			if uint32(code) >= uint32(c.dict.Values.Len) {
				return fmt.Errorf("code %d of a dictionary of %d values", code, c.dict.Values.Len)
			}
		}
		out.col.SetDict(c.typ, out.codes, c.dict)
	} else {
		c.views(out, n, levels, values)
	}
	if levels != nil {
		c.spread(out.col, levels, 0)
	}
	c.row, c.value = c.row+n, c.value+values
	return nil
}

// views copies the texts of a page.
func (c *parquetColumn) views(out *scanOut, n int, levels []byte, values int) {
	pageData := c.page.Data()
	data, offsets := pageData.ByteArray()
	offsets = offsets[c.value : c.value+values+1]
	base := offsets[0]
	out.bytes = append(out.bytes[:0], data[base:offsets[values]]...)
	if cap(out.views) < n {
		out.views = make([]vector.View, n)
	}
	out.views = out.views[:n]
	k := 0
	for i := range out.views {
		if levels != nil && levels[i] != c.level {
			out.views[i] = vector.View{}
			continue
		}
		from, to := int(offsets[k]-base), int(offsets[k+1]-base)
		out.views[i] = kernel.MakeView(out.bytes, 0, from, to-from)
		k++
	}
	vector.SetViews(out.col, c.typ, out.views, out.bytes)
}

// dictionary makes the dictionary of the chunk, once.
func (c *parquetColumn) dictionary(d parquet.Dictionary) error {
	if c.dict != nil {
		return nil
	}
	b := vector.NewBuilder(c.typ)
	for i := range d.Len() {
		if !c.put(b, d.Index(int32(i))) {
			return c.refuse([]byte(d.Index(int32(i)).String()))
		}
	}
	values := &vector.Column{}
	b.Finish(values)
	c.dict = vector.NewDictionary(values)
	return nil
}
