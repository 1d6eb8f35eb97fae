package filesystem

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/connector"
)

// The buffers of a row group take 4 KiB at least for each of some arrays of every column, far more than the few rows that come to
// one of many files. So the first rows of a row group wait as bytes, in pieces that all files of a writer share, and the row
// group is begun once there are enough of them, or when it ends. Pieces are used again: what waits leaves no garbage behind.
//
// Rows stand in blocks, one after the other leaf: of a column that is not nested a value for each row, of others a count of values
// before them, and levels with each. The first byte of a value is 0 for NULL or 1 more than its kind.

const (
	// stageMost is how many bytes wait before a row group is begun.
	stageMost = 256 << 10
	// stageRows is how many rows a block has at most.
	stageRows  = 64
	stagePiece = 4 << 10
)

// parquetFiles makes files of a table for one writer: what they share while they take turns.
type parquetFiles struct {
	o      *options
	schema *parquet.Schema
	leaves []leafPath
	// values and bytes are those of a leaf of a block, block is one as bytes.
	values []parquet.Value
	bytes  []byte
	block  []byte
	// flat and columns are what a file has staged, before and behind its division into leaves.
	flat    []byte
	columns [][]parquet.Value
	spare   [][]byte // pieces
}

func newParquetFiles(o *options, columns []connector.Column) func(io.Writer) bulk {
	leaves := leafPaths(columns)
	f := &parquetFiles{o: o, schema: parquetSchema(columns, o.Parquet.UTC), leaves: leaves, columns: make([][]parquet.Value, len(leaves))}
	return func(out io.Writer) bulk { return &parquetWriter{parquetFiles: f, out: out} }
}

// stage is the rows of a file that wait.
type stage struct {
	pieces [][]byte
	size   int
}

// append adds a block.
func (s *stage) append(f *parquetFiles, block []byte) {
	s.size += len(block)
	for len(block) > 0 {
		last := len(s.pieces) - 1
		if last < 0 || len(s.pieces[last]) == stagePiece {
			s.pieces, last = append(s.pieces, f.piece()), last+1
		}
		p := s.pieces[last]
		n := min(len(block), stagePiece-len(p))
		s.pieces[last], block = append(p, block[:n]...), block[n:]
	}
}

// take gives the bytes of all blocks, until the next time, and the pieces back.
func (s *stage) take(f *parquetFiles) []byte {
	f.flat = f.flat[:0]
	for _, p := range s.pieces {
		f.flat = append(f.flat, p...)
		if len(f.spare) < int(f.o.Memory)/4/stagePiece {
			f.spare = append(f.spare, p[:0])
		}
	}
	clear(s.pieces)
	s.pieces, s.size = s.pieces[:0], 0
	return f.flat
}

func (f *parquetFiles) piece() []byte {
	n := len(f.spare) - 1
	if n < 0 {
		return make([]byte, 0, stagePiece)
	}
	p := f.spare[n]
	f.spare = f.spare[:n]
	return p
}

// appendStaged adds the values of a leaf to a block.
func appendStaged(b []byte, values []parquet.Value, nested bool) []byte {
	if nested {
		b = binary.AppendUvarint(b, uint64(len(values)))
	}
	for i := range values {
		v := &values[i]
		k := v.Kind()
		if v.IsNull() {
			b = append(b, 0)
		} else {
			b = append(b, byte(k)+1)
		}
		if nested {
			b = append(b, byte(v.RepetitionLevel()), byte(v.DefinitionLevel()))
		}
		if v.IsNull() {
			continue
		}
		switch k {
		case parquet.Boolean:
			b = append(b, 0)
			if v.Boolean() {
				b[len(b)-1] = 1
			}
		case parquet.Int32:
			b = binary.LittleEndian.AppendUint32(b, uint32(v.Int32()))
		case parquet.Int64:
			b = binary.LittleEndian.AppendUint64(b, uint64(v.Int64()))
		case parquet.Float:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v.Float()))
		case parquet.Double:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Double()))
		default:
			b = binary.AppendUvarint(b, uint64(len(v.ByteArray())))
			b = append(b, v.ByteArray()...)
		}
	}
	return b
}

// unstage divides blocks into the values of the leaves, which stay as long as the bytes do.
func (f *parquetFiles) unstage(b []byte) {
	for i := range f.columns {
		f.columns[i] = f.columns[i][:0]
	}
	for len(b) > 0 {
		rows, n := binary.Uvarint(b)
		b = b[n:]
		for i := range f.leaves {
			count, nested := rows, len(f.leaves[i].steps) > 0
			if nested {
				count, n = binary.Uvarint(b)
				b = b[n:]
			}
			for range count {
				var v parquet.Value
				v, b = stagedValue(b, i, nested)
				f.columns[i] = append(f.columns[i], v)
			}
		}
	}
}

// stagedValue is the first value of bytes.
func stagedValue(b []byte, leaf int, nested bool) (v parquet.Value, rest []byte) {
	head, repetition, definition := b[0], 0, 1
	if b = b[1:]; nested {
		repetition, definition = int(b[0]), int(b[1])
		b = b[2:]
	} else if head == 0 {
		definition = 0
	}
	switch k := parquet.Kind(int(head) - 1); {
	case head == 0:
		v = parquet.NullValue()
	case k == parquet.Boolean:
		v, b = parquet.BooleanValue(b[0] == 1), b[1:]
	case k == parquet.Int32:
		v, b = parquet.Int32Value(int32(binary.LittleEndian.Uint32(b))), b[4:]
	case k == parquet.Int64:
		v, b = parquet.Int64Value(int64(binary.LittleEndian.Uint64(b))), b[8:]
	case k == parquet.Float:
		v, b = parquet.FloatValue(math.Float32frombits(binary.LittleEndian.Uint32(b))), b[4:]
	case k == parquet.Double:
		v, b = parquet.DoubleValue(math.Float64frombits(binary.LittleEndian.Uint64(b))), b[8:]
	default:
		size, n := binary.Uvarint(b)
		text := b[n : n+int(size)]
		if b = b[n+int(size):]; k == parquet.ByteArray {
			v = parquet.ByteArrayValue(text)
		} else {
			v = parquet.FixedLenByteArrayValue(text)
		}
	}
	return v.Level(repetition, definition, leaf), b
}
