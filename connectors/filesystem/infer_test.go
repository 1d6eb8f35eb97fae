package filesystem

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"streamsql/exec/connector"
	"streamsql/exec/option"
)

// inferred is the columns and rows of files without a declaration.
func inferred(t *testing.T, format, path string, given map[string]string) string {
	t.Helper()
	in, err := infer(format, path, given)
	if err != nil {
		return "error: " + err.Error()
	}
	var out strings.Builder
	for i, c := range in.Columns {
		if i > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(&out, "%s %s", c.Name, c.Type)
	}
	s, err := open(t, in.Columns, in.PartitionKeys, in.Options)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := readAll(t, s, 100)
	if err != nil {
		return out.String() + "\nerror: " + err.Error()
	}
	return out.String() + "\n" + rows
}

func TestInfer(t *testing.T) {
	for _, c := range []struct{ name, content, options, want string }{
		{"a.csv", "id,name\n1,x\n2,\n", "", "id BIGINT, name STRING\n1 x\n2 \\N\n"},
		{"a.csv", "1,x\n2,y\n", "", "f0 BIGINT, f1 STRING\n1 x\n2 y\n"},
		{"a.csv", "k;v\n1;\"a;b\"\n", "", "k BIGINT, v STRING\n1 a;b\n"},
		{"a.tsv", "k\tv\n1\t1,5\n", "", "k BIGINT, v STRING\n1 1,5\n"},
		{"a.csv", "a|b\n1|2\n", "", "a BIGINT, b BIGINT\n1 2\n"},
		{"a.csv", "city,land\nUlm,D\nLyon,F\n", "", "city STRING, land STRING\nUlm D\nLyon F\n"},
		{"a.csv", "x,y\nx,z\n", "", "f0 STRING, f1 STRING\nx y\nx z\n"},
		{"a.csv", "a,b\n1,2\n", "header=false", "f0 STRING, f1 STRING\na b\n1 2\n"},
		{"a.csv", "a;b,c\n", "field_delimiter=; header=false", "f0 STRING, f1 STRING\na b,c\n"},
		{"a.csv", "a,a,\n1,2,3\n", "header=true", "a BIGINT, a_1 BIGINT, f2 BIGINT\n1 2 3\n"},
		{"a.csv", "n\n1\n007\n", "", "n STRING\n1\n007\n"},
		{"a.csv", "n,m\n1,99999999999999999999\n1.5,1\n", "", "n DOUBLE, m DECIMAL(38, 0)\n1.0 99999999999999999999\n1.5 1\n"},
		{"a.csv", "d,t,s,z,b\n2024-01-02,03:04:05,2024-01-02 03:04:05.123456,2024-01-02 03:04:05Z,TRUE\n", "",
			"d DATE, t TIME(0), s TIMESTAMP(6), z TIMESTAMP_LTZ(3), b BOOLEAN\n" +
				"2024-01-02 03:04:05 2024-01-02 03:04:05.123456 2024-01-02 03:04:05.000Z true\n"},
		{"a.csv", "", "", "error: PATH: it has no line that tells its columns; declare the table with CREATE TABLE"},
		{"a.json", "{\"a\": 1, \"b\": {\"c\": \"2024-01-02\"}}\n\n{\"a\": 2.5, \"d\": [null, true], \"b\": {\"e\": \"x\"}}", "",
			"a DOUBLE, b ROW<`c` DATE, `e` STRING>, d ARRAY<BOOLEAN>\n1.0 (2024-01-02, NULL) \\N\n2.5 (NULL, \"x\") [NULL, true]\n"},
		{"a.ndjson", `[{"a": "2024-01-02T03:04:05"}, {"a": null}]`, "", "a TIMESTAMP(3)\n2024-01-02 03:04:05.000\n\\N\n"},
		{"a.json", `{"a": 1}` + "\n{\"a\": \"x\", \"n\": null, \"o\": {}}\n", "", "a STRING, n STRING, o STRING\n1 \\N \\N\nx \\N {}\n"},
		{"a.json", "{\"a\": }\n", "", "error: PATH: line 1: no valid JSON"},
		{"a.json", "1\n", "", "error: PATH: there are no objects that tell the columns"},
		{"a.dat", "1\n", "", "error: the name of PATH does not tell its format; write read_csv('…')"},
		{"a.parquet", "no", "", "error: PATH: it is no Parquet file"},
	} {
		path := write(t, c.name, c.content)
		given := map[string]string{}
		for _, kv := range strings.Fields(c.options) {
			k, v, _ := strings.Cut(kv, "=")
			given[k] = v
		}
		got := inferred(t, "", path, given)
		want := strings.ReplaceAll(c.want, "PATH", path)
		if got != want && (!strings.HasPrefix(want, "error: ") || !strings.HasPrefix(got, want)) {
			t.Errorf("%q %s\ngot  %s\nwant %s", c.content, c.options, got, want)
		}
	}
	var o *option.Error
	if _, err := infer("csv", write(t, "x", "1"), map[string]string{"heder": "true"}); !errors.As(err, &o) || o.Key != "heder" ||
		!strings.Contains(o.Hint, "did you mean 'header'?") {
		t.Errorf("unknown option: %v", err)
	}
}

// TestInferPartitions: folders give columns, typed where all values are whole numbers or dates.
func TestInferPartitions(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "dt=2024-01-02", "hm=07", "n=1", "a.csv"), "1\n", 0)
	put(t, filepath.Join(dir, "dt=2024-01-03", "hm=__HIVE_DEFAULT_PARTITION__", "n=20", "a.csv"), "2\n", 0)
	const want = "f0 BIGINT, dt DATE, hm STRING, n BIGINT\n1 2024-01-02 07 1\n2 2024-01-03 \\N 20\n"
	for _, path := range []string{dir, filepath.Join(dir, "**", "*.csv")} {
		if got := inferred(t, "csv", path, nil); got != want {
			t.Errorf("%s: got %s", path, got)
		}
	}
}

// TestInferWritten: names of written files have no ending; the directory's tells the format, and a pattern with one is told of.
func TestInferWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out.csv")
	put(t, filepath.Join(dir, "n=1", "part-1-0-0"), "7\n", 0)
	for _, path := range []string{dir, filepath.Join(dir, "**", "part-*")} {
		if got := inferred(t, "", path, nil); got != "f0 BIGINT, n BIGINT\n7 1\n" {
			t.Errorf("%s: got %s", path, got)
		}
	}
	pattern := filepath.Join(dir, "**", "*")
	_, err := infer("", pattern+".csv", nil)
	var e *connector.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "read_csv('"+pattern+"')") {
		t.Errorf("a pattern with an ending: %v, %+v", err, e)
	}
}

// TestInferParquet: what this program writes comes back with the types that it had.
func TestInferParquet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	insert(t, parquetTypes, nil, map[string]string{"path": dir, "format": "parquet"}, strings.ReplaceAll(parquetRows, ",\n", ","))
	if in, err := infer("", filepath.Join(dir, "*"), nil); err != nil || in.Options["format"] != "parquet" {
		t.Errorf("a name without an extension: %v, %v", in, err)
	}
	in, err := infer("parquet", dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range parquetTypes {
		want := c.Type.String()
		if want == "TIME(0)" {
			want = "TIME(3)" // files have milliseconds
		}
		if got := in.Columns[i]; got.Name != c.Name || got.Type.String() != want {
			t.Errorf("%s %s: got %s %s", c.Name, c.Type, got.Name, got.Type)
		}
	}
}
