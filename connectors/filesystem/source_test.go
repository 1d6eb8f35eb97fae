package filesystem

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/option"
	"streamsql/exec/text"
	"streamsql/exec/types"
)

// open decodes options as the planner does.
func open(t *testing.T, columns []connector.Column, keys []int, opts map[string]string) (connector.Source, error) {
	t.Helper()
	o := Definition.Options()
	if err := option.Decode(o, opts); err != nil {
		return nil, err
	}
	return Definition.Source(&connector.Table{Name: "t", Columns: columns, PartitionKeys: keys, Options: o,
		Env: &function.Env{Zone: time.UTC}})
}

// readAll returns the rows as result cells, a line each.
func readAll(t *testing.T, s connector.Source, maxRows int) (string, error) {
	t.Helper()
	splits, err := s.Splits(1)
	if err != nil {
		return "", err
	}
	return readFrom(t, s, splits, maxRows, nil)
}

func readFrom(t *testing.T, s connector.Source, splits []connector.Split, maxRows int,
	each func(r connector.Reader, read connector.Read, rows string)) (string, error) {
	t.Helper()
	r, err := s.Open(&connector.Context{MaxRows: maxRows, Env: &function.Env{Zone: time.UTC}}, splits)
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }()
	var out []byte
	for {
		read, err := r.Next()
		switch {
		case err != nil:
			return string(out), err
		case read.Status == connector.End:
			return string(out), nil
		case read.Status == connector.Wait:
			<-read.Wake
			continue
		case read.Status == connector.Done:
			continue
		}
		b := read.Batch
		if b.Len == 0 || b.Len > maxRows {
			t.Fatalf("a batch of %d rows", b.Len)
		}
		for i := range b.Len {
			for k, c := range b.Cols {
				if c.Len != b.Len {
					t.Fatalf("column %d has %d of %d rows", k, c.Len, b.Len)
				}
				if k > 0 {
					out = append(out, ' ')
				}
				out = text.AppendCell(out, c, i)
			}
			out = append(out, '\n')
		}
		if each != nil {
			each(r, read, string(out))
		}
	}
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

var (
	integer = types.Of(types.Int)
	str     = types.String()
	ab      = []connector.Column{{Name: "a", Type: integer}, {Name: "b", Type: str}}
)

func columns(list ...types.Type) []connector.Column {
	out := make([]connector.Column, len(list))
	for i, t := range list {
		out[i] = connector.Column{Name: string(rune('a' + i)), Type: t}
	}
	return out
}

func TestRead(t *testing.T) {
	ltz := types.TimestampLTZOf(3)
	for _, c := range []struct {
		name, format string
		columns      []connector.Column
		opts         string // key=value, separated by spaces
		in, out, err string
	}{
		{"plain", "csv", ab, "", "1,x\n2,\"y,z\"\n3,\"q\"\"r\"\n4,\n", "1 x\n2 y,z\n3 q\"r\n4 \\e\n", ""},
		{"no line end", "csv", ab, "", "1,x\n2,y", "1 x\n2 y\n", ""},
		{"carriage returns", "csv", ab, "", "1,x\r\n2,\"y\"\r\n", "1 x\n2 y\n", ""},
		{"field over lines", "csv", ab, "", "1,\"x\ny\"\n2,z\n", `1 x\ny` + "\n2 z\n", ""},
		{"blanks", "csv", ab, "", " 1 , x \n2,\"y\" \n", `1 \sx\s` + "\n2 y\n", ""},
		{"delimiter", "csv", ab, "csv.field-delimiter=;", "1;x\n", "1 x\n", ""},
		{"tab", "csv", ab, `csv.field-delimiter=\t`, "1\tx\n", "1 x\n", ""},
		{"comments", "csv", ab, "csv.allow-comments=true", "1,x\n#c\n2,y\n#end", "1 x\n2 y\n", ""},
		{"quote", "csv", ab, "csv.quote-character='", "1,'x,y'\n", "1 x,y\n", ""},
		{"no quote", "csv", ab, "csv.disable-quote-character=true", "1,\"x\n", "1 \"x\n", ""},
		{"escape", "csv", ab, `csv.escape-character=\`, `1,x\,y` + "\n" + `2,"a\"b"` + "\n", "1 x,y\n2 a\"b\n", ""},
		{"null literal", "csv", ab, "csv.null-literal=n/a", "1,n/a\nn/a,y\n", "1 \\N\n\\N y\n", ""},
		{"header skipped", "csv", ab, "csv.header=true csv.allow-comments=true", "#c\n\"x\ny\",b\n1,z\n", "1 z\n", ""},
		{"header", "csv", ab, "", "x,y\n1,z\n", "", `line 1: column 'a': "x" is no INT`},
		{"empty number", "csv", ab, "", ",a\n", "", `line 1: column 'a': "" is no INT; 'csv.null-literal' = '' reads empty fields as NULL`},
		{"empty read as NULL", "csv", ab, "csv.null-literal=", ",a\n", "\\N a\n", ""},
		{"number too large", "csv", ab, "", "1,a\n99999999999,b\n", "", `line 2: column 'a': "99999999999" is no INT`},
		{"field missing", "csv", ab, "", "1\n2,y\n", "", "line 1: row length mismatch: 2 fields expected but was 1"},
		{"field too many", "csv", ab, "", "1,x,extra\n", "", "line 1: too many fields: 2 expected, but there are 3"},
		{"empty line", "csv", ab, "", "1,x\n\n2,y\n", "", "line 2: row length mismatch"},
		{"open quote", "csv", ab, "", "1,x\n2,\"y\n3,z\n", "", "line 2: field 2: the quote that opens it is never closed"},
		{"behind quote", "csv", ab, "", "1,\"x\"y\n", "", `line 1: field 2: 'y' behind the closing quote`},
		{"errors ignored", "csv", ab, "csv.ignore-parse-errors=true", "q,x\n1\n1,x,y,z\n2,\"x\"y\n3,z\n", "\\N x\n1 \\N\n3 z\n", ""},
		{"times", "csv", columns(types.TimestampOf(3), types.Of(types.Date), types.TimeOf(0), ltz), "",
			"2024-01-02 03:04:05.678,2024-01-02,03:04:05,2024-01-02 03:04:05Z\n",
			"2024-01-02 03:04:05.678 2024-01-02 03:04:05 2024-01-02 03:04:05.000Z\n", ""},
		{"kinds", "csv", columns(types.Of(types.Double), types.DecimalOf(10, 2), types.Bytes(), types.Of(types.Boolean)), "",
			" 1e3,1E+2,AQI=,TRUE\n0.5,-1.005,,x\n", "1000.0 100.00 0x0102 true\n0.5 -1.01 0x false\n", ""},
		{"lists", "csv", columns(types.ArrayOf(integer), types.RowOf(types.Field{Name: "x", Type: integer},
			types.Field{Name: "y", Type: str})), "", "1;2,1;q\n,2;\n", "[1, 2] (1, \"q\")\n[] (2, \"\")\n", ""},

		{"json", "json", ab, "", `{"a": 1, "b": "x"}` + "\n" + `{"a": "2", "b": 3}` + "\n" + `{"b": null}` + "\n{}\n" +
			`{"A": 5, "c": 1}` + "\n", "1 x\n2 3\n\\N \\N\n\\N \\N\n\\N \\N\n", ""},
		{"repeated key", "json", ab, "", `{"a": 1, "a": 2, "b": "x", "b": "y"}`, "2 y\n", ""},
		{"escapes", "json", ab, "", `{"b": "a\u00e9\n\"\\", "\u0061": 7}`, "7 a\u00e9\\n\"\\\\\n", ""},
		{"blank lines", "json", ab, "", "\n{\"a\": 1}\n  \n", "1 \\N\n", ""},
		{"fraction", "json", ab, "", `{"a": 1.9, "b": 1.50}` + "\n" + `{"a": 1e2, "b": [1, {"x": "y"}]}`,
			"1 1.50\n100 [1,{\"x\":\"y\"}]\n", ""},
		{"no number", "json", ab, "", "{}\n{\"a\": \"x\"}", "", `line 2: column 'a': "\"x\"" is no INT`},
		{"boolean for number", "json", ab, "", `{"a": true}`, "", `column 'a': "true" is no INT`},
		{"out of range", "json", columns(types.Of(types.TinyInt)), "", `{"a": 300}`, "", `"300" is no TINYINT`},
		{"long out of range", "json", columns(types.Of(types.BigInt)), "", `{"a": 9223372036854775808}`, "", "is no BIGINT"},
		{"ignored", "json", ab, "json.ignore-parse-errors=true", "{\"a\": \"x\"}\nnope\n[1]\n{\"a\": 1}", "\\N \\N\n1 \\N\n", ""},
		{"missing key", "json", ab, "json.fail-on-missing-field=true", `{"b": "x"}`, "", "line 1: the key 'a' is missing"},
		{"no json", "json", ab, "", "nope", "", "line 1: no valid JSON"},
		{"no object", "json", ab, "", "7", "", "line 1: a JSON object is expected, not number"},
		{"array", "json", ab, "", "{\"a\":1}\n[{\"a\": 2}, {\"a\": 3, \"b\": \"x\"}]\n[]\n{\"a\":4}",
			"1 \\N\n2 \\N\n3 x\n4 \\N\n", ""},
		{"array of numbers", "json", ab, "", "{\"a\":1}\n[{}, 1]", "", "line 2: a JSON object is expected, not number"},
		{"iso", "json", columns(types.TimestampOf(3), ltz), "json.timestamp-format.standard=ISO-8601",
			`{"a": "2024-01-02T03:04:05.678", "b": "2024-01-02T03:04:05Z"}`,
			"2024-01-02 03:04:05.678 2024-01-02 03:04:05.000Z\n", ""},
		{"iso for sql", "json", columns(types.TimestampOf(3)), "", `{"a": "2024-01-02T03:04:05.678"}`, "", "is no TIMESTAMP(3)"},
		{"nested", "json", columns(types.MapOf(str, integer), types.ArrayOf(types.RowOf(types.Field{Name: "x", Type: integer})),
			types.DecimalOf(5, 2), types.Of(types.Double), types.Bytes(), types.Of(types.Boolean)), "",
			`{"a": {"k": 1}, "b": [{"x": 1}, null, {}], "c": 1.005, "d": "1e3", "e": "AQI=", "f": "true"}` + "\n" +
				`{"a": {}, "b": [], "c": 99999, "d": 0.5, "e": null, "f": 1}`,
			"{\"k\"=1} [(1), NULL, (NULL)] 1.01 1000.0 0x0102 true\n{} [] \\N 0.5 \\N false\n", ""},
		{"list for row", "json", columns(types.RowOf(types.Field{Name: "x", Type: integer})), "", `{"a": [1]}`, "", "is no ROW"},
		{"row ignored", "json", columns(types.RowOf(types.Field{Name: "x", Type: integer}, types.Field{Name: "y", Type: integer})),
			"json.ignore-parse-errors=true", `{"a": {"x": 1, "y": "q"}}` + "\n" + `{"a": [1]}`, "(1, NULL)\n\\N\n", ""},
		{"byte order mark", "json", ab, "", "\uFEFF{\"a\": 1}\n", "1 \\N\n", ""},
		{"raw", "raw", columns(str), "", "x y\n\nz", "x y\n\\e\nz\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := map[string]string{"path": write(t, "in", c.in), "format": c.format}
			for _, o := range strings.Fields(c.opts) {
				k, v, _ := strings.Cut(o, "=")
				opts[k] = v
			}
			for _, maxRows := range []int{1, 1024} {
				s, err := open(t, c.columns, nil, opts)
				if err != nil {
					t.Fatal(err)
				}
				out, err := readAll(t, s, maxRows)
				switch {
				case c.err == "" && (err != nil || out != c.out):
					t.Errorf("got %q, %v; want %q", out, err, c.out)
				case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
					t.Errorf("got %q, %v; want the error %q", out, err, c.err)
				}
			}
		})
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"format", "nope", "invalid value 'nope' for option 'format'; expected one of csv, json, debezium-json, raw"},
		{"csv.field-delimiter", ";;", "'csv.field-delimiter' must be a single ASCII character, but was: ;;"},
		{"csv.quote-character", "", "must be a single ASCII character"},
		{"csv.ignore-parse-errors", "maybe", "expected true or false"},
		{"nope", "1", "unknown option 'nope'"},
		{"source.monitor-interval", "0 s", "source.monitor-interval"},
		{"format", "raw", "the format 'raw' takes exactly one column"},
	} {
		opts := map[string]string{"path": "x", "format": "csv"}
		opts[c.key] = c.value
		if _, err := open(t, ab, nil, opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %q: %v", c.key, c.value, err)
		}
	}
	s, err := open(t, ab, nil, map[string]string{"path": "/no/such/file", "format": "csv"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Splits(1); err == nil || !strings.Contains(err.Error(), "file /no/such/file does not exist") {
		t.Errorf("missing file: %v", err)
	}
}

func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"1.csv": "1,x\n", "2.csv": "2,y\n", "_hidden": "9,h\n", ".dot": "8,d\n", "sub/3.csv": "3,z", "_tmp/4.csv": "4,w", "empty": "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := open(t, ab, nil, map[string]string{"path": "file://" + dir, "format": "csv"})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := readAll(t, s, 1024); err != nil || out != "1 x\n2 y\n3 z\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestPartitionsAndMetadata(t *testing.T) {
	path := write(t, "d/dt=a%2Fb/hr=5/1.csv", "1\n2\n")
	dir := strings.TrimSuffix(path, "/dt=a%2Fb/hr=5/1.csv")
	if err := os.MkdirAll(filepath.Join(dir, "dt=c", "hr=__DEFAULT_PARTITION__"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "dt=c", "hr=__DEFAULT_PARTITION__", "x"), []byte("3"), 0o644); err != nil {
		t.Fatal(err)
	}
	cols := []connector.Column{{Name: "dt", Type: str}, {Name: "a", Type: integer}, {Name: "hr", Type: integer},
		{Name: "n", Type: str, Metadata: "file.name"}, {Name: "size", Type: types.Of(types.BigInt), Metadata: "file.size"}}
	s, err := open(t, cols, []int{0, 2}, map[string]string{"path": dir, "format": "csv"})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := readAll(t, s, 1024); err != nil || out != "a/b 1 5 1.csv 4\na/b 2 5 1.csv 4\nc 3 \\N x 1\n" {
		t.Errorf("got %q, %v", out, err)
	}
	s.Push(connector.Request{Need: []connector.Path{{1}}})
	if out, err := readAll(t, s, 1024); err != nil || out != "\\N 1 \\N \\N \\N\n\\N 2 \\N \\N \\N\n\\N 3 \\N \\N \\N\n" {
		t.Errorf("only a: got %q, %v", out, err)
	}
}

// TestResume reads a file larger than a chunk from the position after every batch: what follows is what an
// undisturbed reader gives.
func TestResume(t *testing.T) {
	var csv, json strings.Builder
	for i := range 12_000 {
		csv.WriteString(strconv.Itoa(i) + ",\"text,\nnumber " + strconv.Itoa(i*i) + "\"\n")
		object := `{"b": "a text that is long", "a":` + strconv.Itoa(i) + "}"
		if i%6_000 == 0 {
			object = "[" + strings.Repeat(object+",", 1999) + object + "]"
		}
		json.WriteString(object + "\n")
	}
	t.Run("csv", func(t *testing.T) { resume(t, "csv", csv.String(), 12_000, 1500) })
	t.Run("json", func(t *testing.T) { resume(t, "json", json.String(), 12_000+2*1999, 1500) })
}

func resume(t *testing.T, format, content string, rows, maxRows int) {
	s, err := open(t, ab, nil, map[string]string{"path": write(t, "big", content), "format": format})
	if err != nil {
		t.Fatal(err)
	}
	splits, err := s.Splits(1)
	if err != nil {
		t.Fatal(err)
	}
	type mark struct {
		pos  []byte
		rows int
	}
	var marks []mark
	all, err := readFrom(t, s, splits, maxRows, func(r connector.Reader, read connector.Read, rows string) {
		p, err := r.Position(read.Split)
		if err != nil {
			t.Fatal(err)
		}
		marks = append(marks, mark{p, len(rows)})
	})
	if err != nil || strings.Count(all, "\n") != rows {
		t.Fatalf("%d rows, %v", strings.Count(all, "\n"), err)
	}
	for _, m := range marks {
		rest, err := readFrom(t, s, []connector.Split{{ID: splits[0].ID, Position: m.pos}}, 1024, nil)
		if err != nil || rest != all[m.rows:] {
			t.Fatalf("after %d bytes of rows: %d bytes left, want %d: %v", m.rows, len(rest), len(all)-m.rows, err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, format := range []string{"csv", "json"} {
		b.Run(format, func(b *testing.B) {
			line := "1234567,http://www.nexmark.com/item.htm?query=1\n"
			if format == "json" {
				line = `{"a": 1234567, "b": "http://www.nexmark.com/item.htm?query=1"}` + "\n"
			}
			data := []byte(strings.Repeat(line, 1024))
			r := &reader{source: newSource(&connector.Table{Columns: ab}, &options{Format: format,
				CSV: csvOptions{Delimiter: ","}}), max: 1024}
			if err := r.prepare(); err != nil {
				b.Fatal(err)
			}
			r.progress = &progress{files: []file{{}}}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r.data = data
				if n, err := r.decode(); n != 1024 || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}
