package filesystem

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// parquetWriter writes a file column by column.
type parquetWriter struct {
	*parquetFiles
	out   io.Writer
	file  *parquet.GenericWriter[any]       // nil before the first row group
	group *parquet.ConcurrentRowGroupWriter // that is being written, with buffers of its own; nil for none
	stage stage                             // rows of a row group that is not begun
	// buffered is the size of the values that are staged and in the row group.
	buffered int64
}

// valueSize is about what a value takes in a page, beside its bytes.
const valueSize = 8

// pageBuffers hold compressed pages in small pieces: many files may be open that have few rows.
var pageBuffers = parquet.NewChunkBufferPool(4 << 10)

// newParquetFile begins a file; out gathers small writes.
func newParquetFile(o *options, schema *parquet.Schema, out io.Writer) *parquet.GenericWriter[any] {
	return parquet.NewGenericWriter[any](out, schema, parquet.Compression(codecOf(o)), parquet.DataPageStatistics(true),
		parquet.CreatedBy("streamsql", "1", ""), parquet.WriteBufferSize(0), parquet.ColumnPageBuffers(pageBuffers))
}

// write implements bulk.
func (w *parquetWriter) write(cols []*vector.Column, from, to int) error {
	for ; w.group == nil && from < to; from += stageRows {
		if err := w.keep(cols, from, min(to, from+stageRows)); err != nil {
			return err
		}
		if w.stage.size >= stageMost {
			if err := w.begin(); err != nil {
				return err
			}
		}
	}
	if from < to {
		for i, out := range w.group.ColumnWriters() {
			if err := w.leaf(cols, i, from, to); err != nil {
				return err
			}
			if _, err := out.WriteRowValues(w.values); err != nil {
				return err
			}
		}
	}
	if w.buffered >= int64(w.o.Parquet.GroupSize) {
		return w.flush()
	}
	return nil
}

// leaf makes the values of a leaf of rows.
func (w *parquetWriter) leaf(cols []*vector.Column, i, from, to int) error {
	p := &w.leaves[i]
	if len(p.steps) > 0 {
		return w.shred(p, cols[p.column], i, from, to)
	}
	w.fill(cols[p.column], i, from, to)
	return nil
}

// keep stages rows.
func (w *parquetWriter) keep(cols []*vector.Column, from, to int) error {
	w.block = binary.AppendUvarint(w.block[:0], uint64(to-from))
	for i := range w.leaves {
		if err := w.leaf(cols, i, from, to); err != nil {
			return err
		}
		w.block = appendStaged(w.block, w.values, len(w.leaves[i].steps) > 0)
	}
	w.stage.append(w.parquetFiles, w.block)
	return nil
}

// begin begins a row group with the rows that are staged.
func (w *parquetWriter) begin() error {
	if w.file == nil {
		w.file = newParquetFile(w.o, w.schema, w.out)
	}
	w.group = w.file.BeginRowGroup()
	w.unstage(w.stage.take(w.parquetFiles))
	for i, out := range w.group.ColumnWriters() {
		if _, err := out.WriteRowValues(w.columns[i]); err != nil {
			return err
		}
	}
	return nil
}

// flush implements bulk: it ends the row group, and lets its buffers go.
func (w *parquetWriter) flush() error {
	if w.group == nil && w.stage.size > 0 {
		if err := w.begin(); err != nil {
			return err
		}
	}
	if w.group == nil {
		return nil
	}
	_, err := w.group.Commit()
	w.group, w.buffered = nil, 0
	return err
}

// size implements bulk.
func (w *parquetWriter) size() int64 { return w.buffered }

// held implements bulk. Buffers of a row group double when they grow.
func (w *parquetWriter) held() int64 {
	if w.group == nil {
		return int64(w.stage.size)
	}
	return 2 * w.buffered
}

// close implements bulk.
func (w *parquetWriter) close() error {
	if w.file == nil {
		w.file = newParquetFile(w.o, w.schema, w.out)
	}
	return errors.Join(w.flush(), w.file.Close())
}

// fill makes values of rows of a column. Those of texts are lent as the column is.
func (w *parquetWriter) fill(c *vector.Column, at, from, to int) {
	w.values = w.values[:0]
	w.bytes = w.bytes[:0]
	for i := from; i < to; i++ {
		if c.Null(i) {
			w.values = append(w.values, parquet.NullValue().Level(0, 0, at))
			continue
		}
		w.values = append(w.values, w.sized(c, i).Level(0, 1, at))
	}
}

// sized is a value, whose size it counts.
func (w *parquetWriter) sized(c *vector.Column, i int) parquet.Value {
	v := w.value(c, i)
	w.buffered += valueSize
	if k := v.Kind(); k == parquet.ByteArray || k == parquet.FixedLenByteArray {
		w.buffered += int64(len(v.ByteArray()))
	}
	return v
}

func (w *parquetWriter) value(c *vector.Column, i int) parquet.Value {
	f, k := c.At(i)
	switch f.Type.Kind {
	case types.Boolean:
		return parquet.BooleanValue(kernel.Bit(vector.Bits(f), k))
	case types.TinyInt:
		return parquet.Int32Value(int32(vector.Values[int8](f)[k]))
	case types.SmallInt:
		return parquet.Int32Value(int32(vector.Values[int16](f)[k]))
	case types.Int, types.Date, types.Time:
		return parquet.Int32Value(vector.Values[int32](f)[k])
	case types.BigInt, types.Timestamp, types.TimestampLTZ:
		return parquet.Int64Value(vector.Values[int64](f)[k])
	case types.Float:
		return parquet.FloatValue(vector.Values[float32](f)[k])
	case types.Double:
		return parquet.DoubleValue(vector.Values[float64](f)[k])
	case types.Decimal:
		return parquet.FixedLenByteArrayValue(w.decimal(vector.DecimalAt(f, k), decimalBytes(f.Type.Precision)))
	}
	return parquet.ByteArrayValue(vector.Values[vector.View](f)[k].Bytes(f.Bufs))
}

// decimal is a number as n bytes, the highest first; it lives until the next fill.
func (w *parquetWriter) decimal(v vector.Int128, n int) []byte {
	at := len(w.bytes)
	for i := n - 1; i >= 0; i-- {
		switch {
		case i >= 16:
			w.bytes = append(w.bytes, byte(v.Hi>>63))
		case i >= 8:
			w.bytes = append(w.bytes, byte(v.Hi>>(8*(i-8))))
		default:
			w.bytes = append(w.bytes, byte(v.Lo>>(8*i)))
		}
	}
	return w.bytes[at:]
}
