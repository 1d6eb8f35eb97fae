package filesystem

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

func openSink(t *testing.T, columns []connector.Column, keys []int, opts map[string]string) connector.Sink {
	t.Helper()
	s, err := sinkOf(columns, keys, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sinkOf(columns []connector.Column, keys []int, opts map[string]string) (connector.Sink, error) {
	o := Definition.Options()
	if err := option.Decode(o, opts); err != nil {
		return nil, err
	}
	return Definition.Sink(&connector.Table{Name: "t", Columns: columns, PartitionKeys: keys, Options: o})
}

// insert writes JSON lines into a table, and commits.
func insert(t *testing.T, columns []connector.Column, keys []int, opts map[string]string, rows string) {
	t.Helper()
	src, err := open(t, columns, nil, map[string]string{"path": write(t, "rows.json", rows), "format": "json"})
	if err != nil {
		t.Fatal(err)
	}
	splits, err := src.Splits(1)
	if err != nil {
		t.Fatal(err)
	}
	s := openSink(t, columns, keys, opts)
	w, err := s.Open(&connector.Context{Parallelism: 1, Env: &function.Env{Zone: time.UTC}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = readFrom(t, src, splits, 2, func(_ connector.Reader, read connector.Read, _ string) {
		if err := w.Write(read.Batch); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	files, wait, err := w.Prepare(1)
	if err == nil {
		err = wait()
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, err := open(t, columns, keys, opts); err == nil {
		if out, err := readAll(t, got, 10); err == nil && out != "" {
			t.Errorf("rows are visible before the commit: %s", out)
		}
	}
	c, err := s.Committer()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a commit may be repeated
		if err := c.Commit(1, files, types.MaxTime); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// content is what the visible files under dir hold, in the order of their names.
func content(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if hidden(d.Name()) {
			t.Errorf("%s is left", path)
		}
		data, err := os.ReadFile(path)
		b.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWrite(t *testing.T) {
	kinds := columns(integer, str, types.Of(types.Double), types.DecimalOf(10, 2), types.TimestampOf(3), types.Of(types.Date),
		types.TimeOf(0), types.Of(types.Boolean), types.Bytes())
	rows := `{"a": 1, "b": "q,\"r\" x", "c": 1.0, "d": 1.5, "e": "2024-01-02 03:04:05.600", ` +
		`"f": "2024-01-02", "g": "03:04:05", "h": true, "i": "AQI="}` + "\n" +
		`{"a": 2, "b": "", "c": 1e10, "d": 100, "e": "2024-01-02 00:00:00", ` +
		`"f": "1969-01-01", "g": "00:00:00", "h": false, "i": ""}`
	nested := columns(types.ArrayOf(integer), types.RowOf(types.Field{Name: "x", Type: integer}, types.Field{Name: "y", Type: str}),
		str, types.TimestampLTZOf(3))
	nestedRow := `{"a": [1, 2], "b": {"x": 1, "y": "q"}, "c": " sp ", "d": "2024-01-02 03:04:05.678Z"}`
	for _, c := range []struct {
		name, format, opts string
		columns            []connector.Column
		in, out            string
	}{
		{"csv", "csv", "", kinds, rows, `1,"q,""r"" x",1.0,1.5,"2024-01-02 03:04:05.6",2024-01-02,03:04:05,true,AQI=` + "\n" +
			`2,,1.0E10,1E+2,"2024-01-02 00:00:00",1969-01-01,00:00:00,false,` + "\n"},
		{"csv nulls", "csv", "", kinds, "{}", ",,,,,,,,\n"},
		{"csv null literal", "csv", "csv.null-literal=n/a", ab, `{"a":1}`, "1,n/a\n"},
		{"csv plain", "csv", "csv.write-bigdecimal-in-scientific-notation=false", columns(types.DecimalOf(20, 8)),
			`{"a": 1200}` + "\n" + `{"a": -0.00000012}` + "\n" + `{"a": 0}`, "1200\n-0.00000012\n0\n"},
		{"csv scientific", "csv", "", columns(types.DecimalOf(20, 8)),
			`{"a": 1200}` + "\n" + `{"a": -0.00000012}` + "\n" + `{"a": 0.00001}` + "\n" + `{"a": 12.34}`,
			"1.2E+3\n-1.2E-7\n0.00001\n12.34\n"},
		{"csv nested", "csv", "", nested, nestedRow, `1;2,1;q," sp ","2024-01-02 03:04:05.678Z"` + "\n"},
		{"csv escape", "csv", `csv.escape-character=\`, ab, `{"a":1,"b":"x\"y\\"}`, `1,"x\"y\\"` + "\n"},
		{"csv long", "csv", "", ab, `{"a":1,"b":"abcdefghijklmnopqrstuvwxyz"}`, "1,\"abcdefghijklmnopqrstuvwxyz\"\n"},
		{"json", "json", "", kinds, rows,
			`{"a":1,"b":"q,\"r\" x","c":1.0,"d":1.5,"e":"2024-01-02 03:04:05.6","f":"2024-01-02","g":"03:04:05","h":true,"i":"AQI="}` + "\n" +
				`{"a":2,"b":"","c":1.0E10,"d":1E+2,"e":"2024-01-02 00:00:00","f":"1969-01-01","g":"00:00:00","h":false,"i":""}` + "\n"},
		{"json nulls", "json", "", ab, "{}", `{"a":null,"b":null}` + "\n"},
		{"json omit", "json", "json.encode.ignore-null-fields=true", ab,
			"{}\n{\"b\":\"\\u0001\\t\u00e9\"}", "{}\n{\"b\":\"\\u0001\\t\u00e9\"}\n"},
		{"json nested", "json", "", nested, nestedRow,
			`{"a":[1,2],"b":{"x":1,"y":"q"},"c":" sp ","d":"2024-01-02 03:04:05.678Z"}` + "\n"},
		{"json iso", "json", "json.timestamp-format.standard=ISO-8601", columns(types.TimestampOf(3)),
			`{"a": "2024-01-02 03:04:05"}`, `{"a":"2024-01-02T03:04:05"}` + "\n"},
		{"json omit nested", "json", "json.encode.ignore-null-fields=true",
			columns(types.MapOf(str, integer), types.RowOf(types.Field{Name: "x", Type: integer}, types.Field{Name: "y", Type: str})),
			`{"a": {"k": 1, "l": null}, "b": {"x": null, "y": "z"}}`, `{"a":{"k":1,"l":null},"b":{"y":"z"}}` + "\n"},
		{"json map", "json", "", columns(types.MapOf(str, integer)), `{"a": {"k": 1, "l": null}}`, `{"a":{"k":1,"l":null}}` + "\n"},
		{"raw", "raw", "", columns(str), `{"a": "x y"}` + "\n{}", "x y\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new", "k")
			opts := map[string]string{"path": dir, "format": c.format}
			for _, o := range strings.Fields(c.opts) {
				k, v, _ := strings.Cut(o, "=")
				opts[k] = v
			}
			insert(t, c.columns, nil, opts, c.in)
			if got := content(t, dir); got != c.out {
				t.Errorf("got\n%swant\n%s", got, c.out)
			}
		})
	}
}

func TestWritePartitions(t *testing.T) {
	cols := []connector.Column{{Name: "dt", Type: str}, {Name: "a", Type: integer}, {Name: "hr", Type: integer}}
	opts := map[string]string{"path": filepath.Join(t.TempDir(), "k"), "format": "csv"}
	insert(t, cols, []int{0, 2}, opts, `{"dt": "d1", "a": 1, "hr": 5}
{"dt": "a/b=c %", "a": 2, "hr": 6}
{"dt": "d1", "a": 3, "hr": 5}
{"dt": "", "a": 4}
{"a": 5}
`)
	insert(t, cols, []int{0, 2}, map[string]string{"path": filepath.Join(t.TempDir(), "k"), "format": "csv"}, "")
	s, err := open(t, cols, []int{0, 2}, opts)
	if err != nil {
		t.Fatal(err)
	}
	out, err := readAll(t, s, 10)
	if want := "\\e 4 \\N\n\\N 5 \\N\na/b=c % 2 6\nd1 1 5\nd1 3 5\n"; err != nil || out != want {
		t.Errorf("got %q, %v; want %q", out, err, want)
	}
}

func TestAbort(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	s := openSink(t, ab, nil, map[string]string{"path": dir, "format": "csv"})
	w, err := s.Open(&connector.Context{})
	if err != nil {
		t.Fatal(err)
	}
	b := &vector.Batch{Len: 1, Cols: []*vector.Column{vector.ConstOf(integer, int32(1), 1), vector.ConstText(str, "x", 1)}}
	if err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	b.Kinds = []vector.RowKind{vector.Delete}
	if err := w.Write(b); err == nil || !strings.Contains(err.Error(), "cannot take back rows") {
		t.Errorf("a deletion: %v", err)
	}
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	file := write(t, "file", "")
	if _, err := openSink(t, ab, nil, map[string]string{"path": file, "format": "csv"}).Open(&connector.Context{}); err == nil ||
		!strings.Contains(err.Error(), "is a file, and a table is written into a directory") {
		t.Errorf("onto a file: %v", err)
	}
}

// TestWrittenHeader: each file that is written begins with the line that names the columns, also one that several become, and is
// read back without it.
func TestWrittenHeader(t *testing.T) {
	for _, compact := range []string{"false", "true"} {
		dir := filepath.Join(t.TempDir(), "k")
		opts := map[string]string{"csv.header": "true", "sink.rolling-policy.file-size": "1b", "auto-compaction": compact, "compaction.file-size": "1mb"}
		s := newStream(t, dir, opts)
		s.write("x:1", "x:2")
		s.checkpoint()
		files, _ := filepath.Glob(filepath.Join(dir, "dt=x", "*part-*"))
		if want := map[string]int{"false": 2, "true": 1}[compact]; len(files) != want {
			t.Errorf("compaction %s: %d files, want %d", compact, len(files), want)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil || !strings.HasPrefix(string(b), "a\n") || strings.Count(string(b), "a\n") != 1 {
				t.Errorf("compaction %s: %q, %v", compact, b, err)
			}
		}
		if got := rowsOf(t, partitioned, []int{0}, map[string]string{"path": dir, "format": "csv", "csv.header": "true"}, 10); got != "x 1\nx 2\n" {
			t.Errorf("compaction %s: read back as %q", compact, got)
		}
	}
}
