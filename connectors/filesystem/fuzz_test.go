package filesystem

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/text"
	"streamsql/exec/types"
)

var fuzzColumns = columns(types.Of(types.Int), str, types.DecimalOf(10, 2), types.TimestampOf(3),
	types.ArrayOf(types.RowOf(types.Field{Name: "x", Type: integer}, types.Field{Name: "y", Type: str})))

// FuzzDecode: no bytes make a decoder panic, and where its input is cut into pieces makes no difference.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"1,x,1.5,2024-01-02 03:04:05,1;y\n2,\"y\r\nz\"\"\",.5,2024-01-02 00:00:00.1,\r\n#c\r",
		"1,\"a\\\"b\" ,1E+2,,\n\"", "1,\"x\"y\n2,z,,,,", "a\r\rb\n", "\uFEFF1,x",
		`{"a": 1, "b": "x", "c": 1.005, "d": "2024-01-02 03:04:05", "e": [{"x": 1, "y": "q"}, null, {}]}` + "\n\n" + `{"a": "2"}`,
		`{"a": 1e400, "b": [1, {"z": "\u00e9\ud800"}], "e": [[1]], "a": null}`, "[[[[{", "{\"a\":-}", "nope\n{}",
		`{"op":"u","before":{"a":1},"after":{"b":"x"}}` + "\n" + `{"op":"d","before":{"a":1}}{`,
	} {
		for mode := range byte(8) {
			f.Add([]byte(s), mode, byte(3))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, mode, step byte) {
		if len(data) > 2000 {
			return
		}
		format := []string{"csv", "json", "debezium-json", "debezium-json"}[mode&1|mode>>1&2]
		opts := map[string]string{"path": "x", "format": format, format + ".ignore-parse-errors": fmt.Sprint(mode&2 == 2)}
		if format == "csv" {
			opts["csv.allow-comments"] = "true"
		}
		if format == "csv" && mode&2 == 2 {
			opts["csv.escape-character"], opts["csv.null-literal"] = `\`, "n"
		}
		whole, err := decodePieces(t, opts, data, len(data))
		pieces, pieceErr := decodePieces(t, opts, data, 3+int(step))
		if whole != pieces || (err == nil) != (pieceErr == nil) || (err != nil && err.Error() != pieceErr.Error()) {
			t.Errorf("at once %q, %v; in pieces of %d %q, %v", whole, err, 3+int(step), pieces, pieceErr)
		}
	})
}

// decodePieces gives a reader n bytes at a time, and returns its rows as cells.
func decodePieces(t *testing.T, opts map[string]string, data []byte, n int) (string, error) {
	o := new(options)
	if err := option.Decode(o, opts); err != nil {
		t.Fatal(err)
	}
	r := &reader{source: newSource(&connector.Table{Columns: fuzzColumns}, o), max: 2}
	if err := r.prepare(); err != nil {
		t.Fatal(err)
	}
	r.progress = &progress{files: []file{{span: span{path: "f"}, line: 1}}}
	r.in = &chunks{free: make(chan []byte, 1)}
	var out []byte
	for from := 0; from < len(data); from += n {
		piece := data[from:min(from+n, len(data))]
		if err := r.take(chunk{data: piece, last: from+n >= len(data)}); err != nil {
			return string(out), err
		}
		<-r.in.free
		for len(r.data) > 0 {
			before := len(r.data)
			rows, err := r.decode()
			if err != nil {
				return string(out), err
			}
			for i := range rows {
				for _, c := range r.batch.Cols {
					out = append(text.AppendCell(out, c, i), ' ')
				}
				out = append(out, '\n')
			}
			if len(r.data) == before && rows == 0 { // rows of a line that fails at a later one go out before it
				break
			}
		}
		if r.last && len(r.data) > 0 {
			t.Fatalf("%d bytes are left at the end", len(r.data))
		}
	}
	return string(out), nil
}

// allocated is how many bytes were, since the process began.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// FuzzParquet: no bytes make a reader of Parquet files panic, or ask for much more memory than pages may have; what they say of
// their columns is read or refused.
func FuzzParquet(f *testing.F) {
	dir := f.TempDir()
	t := &testing.T{}
	insert(t, parquetTypes, nil, map[string]string{"path": filepath.Join(dir, "a"), "format": "parquet"}, strings.ReplaceAll(parquetRows, ",\n", ","))
	insert(t, nestedTypes, nil, map[string]string{"path": filepath.Join(dir, "b"), "format": "parquet", "parquet.compression": "UNCOMPRESSED"},
		`{"b":{"z":1},"c":[1,null],"d":[[],["x"]],"e":{"k":[]},"f":[{"x":[true]}],"g":{"r":{"s":{"1":"2024-01-02"}}}}`+"\n{}\n")
	names, _ := filepath.Glob(filepath.Join(dir, "*", "part-*"))
	for _, name := range append(names, writeForeign(f, 50)) {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 512 << 20
		before := allocated()
		defer func() {
			if n := allocated() - before; n > most {
				t.Errorf("%d bytes make readers ask for %d", len(data), n)
			}
		}()
		path := write(t, "f.parquet", string(data))
		for _, cols := range [][]connector.Column{parquetTypes, nestedTypes, foreignBidColumns} {
			s, err := open(t, cols, nil, map[string]string{"path": path, "format": "parquet", "parquet.page-limit": "1mb"})
			if err != nil {
				t.Fatal(err)
			}
			readBegin(t, s, 7)
		}
		if in, err := infer("parquet", path, nil); err == nil {
			in.Options["parquet.page-limit"] = "1mb"
			s, err := open(t, in.Columns, nil, in.Options)
			if err != nil {
				t.Skip() // types with the same name twice and their like
			}
			readBegin(t, s, 100)
		}
	})
}

// readBegin reads as many rows as show what a file is: pages of a few bytes may stand for a million each.
func readBegin(t *testing.T, s connector.Source, maxRows int) {
	enough := fmt.Errorf("%d rows", 20*maxRows)
	defer func() {
		if p := recover(); p != nil && p != any(enough) {
			panic(p)
		}
	}()
	have := 0
	splits, err := s.Splits(1)
	if err != nil {
		return
	}
	_, _ = readFrom(t, s, splits, maxRows, func(_ connector.Reader, r connector.Read, _ string) {
		if have += r.Batch.Len; have > 20*maxRows {
			panic(enough)
		}
	})
}

// FuzzInfer: no bytes make the inference panic, and the columns that it finds are those of a table.
func FuzzInfer(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "x;y\n\"1;\n2\";3", "007,1e400,2024-01-02T03:04\r\n", `{"a":[{"b":1},null,{"b":"x"}],"a":{}}`, "[[1],[{}]]\n{\"\":1}"} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, json bool) {
		format := "csv"
		if json {
			format = "json"
		}
		in, err := infer(format, write(t, "f", string(data)), nil)
		if err != nil {
			return
		}
		if len(in.Columns) == 0 {
			t.Fatal("no columns")
		}
		s, err := open(t, in.Columns, nil, in.Options)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = readAll(t, s, 100)
	})
}
