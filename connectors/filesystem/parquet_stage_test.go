//go:build unix

package filesystem

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestStage: rows that wait come back as they were, in pieces of any size.
func TestStage(t *testing.T) {
	flat := []parquet.Value{parquet.NullValue().Level(0, 0, 0), parquet.BooleanValue(true), parquet.BooleanValue(false),
		parquet.Int32Value(-1), parquet.Int64Value(math.MinInt64), parquet.FloatValue(1.5), parquet.DoubleValue(-0.1),
		parquet.ByteArrayValue(nil), parquet.ByteArrayValue(bytes.Repeat([]byte("xyz"), 2*stagePiece)),
		parquet.FixedLenByteArrayValue([]byte{1, 2, 3})}
	for i := range flat[1:] {
		flat[i+1] = flat[i+1].Level(0, 1, 0)
	}
	nested := []parquet.Value{parquet.Int32Value(7).Level(0, 4, 1), parquet.NullValue().Level(1, 3, 1), parquet.NullValue().Level(0, 2, 1)}
	f := &parquetFiles{o: &options{Memory: 1 << 20}, leaves: []leafPath{{}, {steps: []leafStep{{list: true}}}},
		columns: make([][]parquet.Value, 2)}
	var s stage
	const times = 100
	for range times {
		block := appendStaged([]byte{byte(len(flat))}, flat, false)
		s.append(f, appendStaged(block, nested, true))
	}
	f.unstage(s.take(f))
	if s.size != 0 || len(s.pieces) != 0 || len(f.spare) == 0 {
		t.Errorf("%d bytes in %d pieces are left, %d are spare", s.size, len(s.pieces), len(f.spare))
	}
	for leaf, want := range [][]parquet.Value{flat, nested} {
		got := f.columns[leaf]
		if len(got) != times*len(want) {
			t.Fatalf("leaf %d: %d values", leaf, len(got))
		}
		for i, v := range got {
			w := want[i%len(want)]
			if !parquet.DeepEqual(v, w) {
				t.Fatalf("leaf %d: value %d is %+v, want %+v", leaf, i, v, w)
			}
		}
	}
}

// TestStagedRows: a file has the same rows however many come at a time.
func TestStagedRows(t *testing.T) {
	batch := bids(6000) // about 800 KB, more than may wait
	var files [2][]parquet.Row
	for i, step := range []int{7, 3000} {
		var out bytes.Buffer
		w := newParquetFiles(&options{Memory: 1 << 20, Parquet: parquetOptions{Compression: "SNAPPY", GroupSize: 700 << 10}},
			bidColumns)(&out)
		var most int64
		for from := 0; from < batch.Len; from += step {
			if err := w.write(batch.Cols, from, min(batch.Len, from+step)); err != nil {
				t.Fatal(err)
			}
			most = max(most, w.held())
		}
		if most < stageMost {
			t.Errorf("%d bytes were held at most", most)
		}
		if err := w.close(); err != nil {
			t.Fatal(err)
		}
		r := parquet.NewReader(bytes.NewReader(out.Bytes()))
		for {
			rows := make([]parquet.Row, 100)
			n, err := r.ReadRows(rows)
			for _, row := range rows[:n] {
				files[i] = append(files[i], row.Clone())
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(files[0]) != batch.Len || len(files[1]) != batch.Len {
		t.Fatalf("%d and %d rows", len(files[0]), len(files[1]))
	}
	for i, row := range files[0] {
		if !row.Equal(files[1][i]) {
			t.Fatalf("row %d is %v, and %v of many at a time", i, row, files[1][i])
		}
	}
}
