package filesystem

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	pf "github.com/parquet-go/parquet-go/format"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// withMeta is a file whose footer says something else.
func withMeta(t *testing.T, file []byte, change func(m *pf.FileMetaData)) string {
	t.Helper()
	from := len(file) - parquetTail - int(binary.LittleEndian.Uint32(file[len(file)-parquetTail:]))
	var m pf.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), file[from:len(file)-parquetTail], &m); err != nil {
		t.Fatal(err)
	}
	change(&m)
	b, err := thrift.Marshal(new(thrift.CompactProtocol), &m)
	if err != nil {
		t.Fatal(err)
	}
	out := append(bytes.Clone(file[:from]), b...)
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(b))), "PAR1"...)
	return write(t, "f.parquet", string(out))
}

// TestParquetRows: rows that no page of a column stands for are refused before one is made, whichever columns are read.
func TestParquetRows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	insert(t, ab, nil, map[string]string{"path": dir, "format": "parquet"}, strings.Repeat(`{"a":1,"b":"some text"}`+"\n", 500))
	names, _ := filepath.Glob(filepath.Join(dir, "part-*"))
	whole, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	missing := []connector.Column{{Name: "z", Type: integer}}
	group := func(change func(g *pf.RowGroup)) func(m *pf.FileMetaData) {
		return func(m *pf.FileMetaData) { change(&m.RowGroups[0]) }
	}
	for _, c := range []struct {
		name, want string
		columns    []connector.Column
		change     func(m *pf.FileMetaData)
	}{
		{"a column that is there", "row group 0: it says that it has 1099511627776 rows, and column 'a' from byte 4 on has 500 values", ab,
			group(func(g *pf.RowGroup) { g.NumRows = 1 << 40 })},
		{"a column that is not", "row group 0: it says that it has 501 rows, and column 'a' from byte 4 on has 500 values", missing,
			group(func(g *pf.RowGroup) { g.NumRows = 501 })},
		{"what the chunk claims too", "row group 0: it says that it has 1099511627776 rows", missing, group(func(g *pf.RowGroup) {
			g.NumRows = 1 << 40
			for i := range g.Columns {
				g.Columns[i].MetaData.NumValues = 1 << 40
			}
		})},
		{"less than none", "row group 0 num_rows=-1", missing, group(func(g *pf.RowGroup) { g.NumRows = -1 })},
		{"more than can be counted", "row group 1: it says that it has 9223372036854775807 rows", missing, func(m *pf.FileMetaData) {
			m.RowGroups = append(m.RowGroups, m.RowGroups[0])
			m.RowGroups[1].NumRows = 1<<63 - 1
		}},
		{"a place beyond all", "stands at byte 4", ab, group(func(g *pf.RowGroup) { g.Columns[0].MetaData.TotalCompressedSize = 1<<63 - 1 })},
		{"pages within a page", "column 'a': a page is said to begin at byte 5, where none does", ab, group(func(g *pf.RowGroup) {
			g.Columns[0].MetaData.DictionaryPageOffset = 4
			g.Columns[0].MetaData.DataPageOffset = 5
		})},
	} {
		s, err := open(t, c.columns, nil, map[string]string{"path": withMeta(t, whole, c.change), "format": "parquet"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(t, s, 100)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "f.parquet") || got != "" {
			t.Errorf("%s: %d bytes, %v, want %s", c.name, len(got), err, c.want)
		}
	}
	s, err := open(t, missing, nil, map[string]string{"path": names[0], "format": "parquet"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := readAll(t, s, 100); err != nil || strings.Count(got, "\n") != 500 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestParquetIndexPlaces: an index of pages leads to where pages begin, and nowhere else.
func TestParquetIndexPlaces(t *testing.T) {
	file, err := os.ReadFile(writeForeign(t, 50))
	if err != nil {
		t.Fatal(err)
	}
	path := withMeta(t, file, func(m *pf.FileMetaData) {
		c := &m.RowGroups[0].Columns[0]
		part := file[c.OffsetIndexOffset:][:c.OffsetIndexLength]
		var x pf.OffsetIndex
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), part, &x); err != nil {
			t.Fatal(err)
		}
		x.PageLocations[0].Offset++
		b, err := thrift.Marshal(new(thrift.CompactProtocol), &x)
		if err != nil || copy(part, b) != len(part) {
			t.Fatalf("%d of %d bytes, %v", len(b), len(part), err)
		}
	})
	for _, c := range []struct {
		filters []expr.Expr
		want    string
	}{
		{nil, ""},
		{[]expr.Expr{&expr.Call{Fn: function.Must(">="), Pos: -1, T: types.Of(types.Boolean), List: []expr.Expr{
			&expr.Column{Name: "auction", T: types.Of(types.BigInt)},
			expr.NewConst(vector.ConstOf(types.Of(types.BigInt), int64(1), 1), "")}}}, "a page is said to begin at byte 5, where none does"},
	} {
		s, err := open(t, foreignBidColumns, nil, map[string]string{"path": path, "format": "parquet"})
		if err != nil {
			t.Fatal(err)
		}
		s.Push(connector.Request{Filters: c.filters})
		if _, err := readAll(t, s, 100); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestParquetWithoutType: a column that is said to have no values is NULL of any type, also within others.
func TestParquetWithoutType(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	cols := columns(integer, str, types.ArrayOf(str))
	insert(t, cols, nil, map[string]string{"path": dir, "format": "parquet"}, `{"a":1,"c":[null]}`+"\n"+`{"a":2,"c":[]}`+"\n")
	names, _ := filepath.Glob(filepath.Join(dir, "part-*"))
	file, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	path := withMeta(t, file, func(m *pf.FileMetaData) {
		for i := range m.Schema {
			if name := m.Schema[i].Name; name == "b" || name == "element" {
				m.Schema[i].LogicalType.Value = new(pf.NullType)
			}
		}
	})
	in, err := infer("parquet", path, nil)
	if err != nil || len(in.Columns) != 3 || in.Columns[1].Type.Kind != types.Varchar {
		t.Fatalf("%+v, %v", in, err)
	}
	others := columns(integer, types.DecimalOf(9, 2), types.ArrayOf(types.Of(types.Date)))
	for _, cols := range [][]connector.Column{cols, others, in.Columns} {
		s, err := open(t, cols, nil, map[string]string{"path": path, "format": "parquet"})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readAll(t, s, 100); got != "1 \\N [NULL]\n2 \\N []\n" {
			t.Errorf("%q, %v", got, err)
		}
	}
}
