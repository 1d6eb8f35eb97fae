package filesystem

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// parquetTypes has a column of each type, and rows of them as JSON.
var parquetTypes = columns(types.Of(types.Boolean), types.Of(types.TinyInt), types.Of(types.SmallInt), integer, types.Of(types.BigInt),
	types.Of(types.Float), types.Of(types.Double), types.DecimalOf(9, 2), types.DecimalOf(38, 10), str, types.Bytes(), types.Of(types.Date),
	types.TimeOf(0), types.TimestampOf(3), types.TimestampOf(6), types.TimestampOf(9), types.TimestampLTZOf(3))

const parquetRows = `{"a":true,"b":-128,"c":-32768,"d":-5,"e":-9223372036854775808,"f":1.5,"g":-1e100,"h":-1234567.89,
"i":-1234567890123456789012345678.0123456789,"j":"q \u00e9","k":"AQL/","l":"1969-12-31","m":"23:59:59","n":"1969-12-31 23:59:59.999",
"o":"2024-01-02 03:04:05.678901","p":"2024-01-02 03:04:05.678901234","q":"2024-01-02 03:04:05.678Z"}
{}
{"a":false,"b":127,"c":32767,"d":7,"e":9223372036854775807,"f":-0.25,"g":0,"h":0,"i":0.5,"j":"","k":"","l":"2024-02-29","m":"00:00:00",
"n":"2024-01-02 03:04:05","o":"0001-01-01 00:00:00","p":"1969-12-31 23:59:59.999999999","q":"1970-01-01 00:00:00Z"}
`

// rowsOf reads a table, its rows sorted.
func rowsOf(t *testing.T, cols []connector.Column, keys []int, opts map[string]string, max int) string {
	t.Helper()
	s, err := open(t, cols, keys, opts)
	if err != nil {
		t.Fatal(err)
	}
	out, err := readAll(t, s, max)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(out, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// TestParquetTypes: every type comes back as it was written, with each compression, in one row group or several.
func TestParquetTypes(t *testing.T) {
	rows := strings.ReplaceAll(parquetRows, ",\n", ",")
	want := rowsOf(t, parquetTypes, nil, map[string]string{"path": write(t, "rows.json", rows), "format": "json"}, 10)
	if strings.Count(want, "\n") != 3 {
		t.Fatal(want)
	}
	for _, c := range []string{"SNAPPY", "ZSTD", "GZIP", "UNCOMPRESSED"} {
		for _, group := range []string{"1b", "32mb"} {
			opts := map[string]string{"path": filepath.Join(t.TempDir(), "k"), "format": "parquet"}
			insert(t, parquetTypes, nil, map[string]string{"path": opts["path"], "format": "parquet", "parquet.compression": c,
				"parquet.block-size": group}, rows)
			for _, max := range []int{1, 2, 100} {
				if got := rowsOf(t, parquetTypes, nil, opts, max); got != want {
					t.Errorf("%s, groups of %s, batches of %d:\ngot\n%swant\n%s", c, group, max, got, want)
				}
			}
		}
	}
}

// TestParquetPartitions: partition keys stand in the path alone, and columns that a file lacks are NULL.
func TestParquetPartitions(t *testing.T) {
	cols := []connector.Column{{Name: "dt", Type: str}, {Name: "a", Type: integer}, {Name: "file", Type: str, Metadata: "file.path"}}
	opts := map[string]string{"path": filepath.Join(t.TempDir(), "k"), "format": "parquet"}
	insert(t, cols[:2], []int{0}, opts, `{"dt":"x:1","a":1}`+"\n"+`{"dt":"y","a":2}`+"\n"+`{"a":3}`+"\n")
	if got, want := rowsOf(t, cols[:2], []int{0}, opts, 10), "\\N 3\nx:1 1\ny 2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got := rowsOf(t, append(slices.Clone(cols), connector.Column{Name: "b", Type: str}), []int{0}, opts, 10)
	if lines := strings.Split(got, "\n"); len(lines) != 4 || !strings.Contains(lines[1], "dt=x%3A1/part-") || !strings.HasSuffix(lines[1], " \\N") {
		t.Errorf("got %q", got)
	}
}

// TestParquetResume: a reader goes on with the row behind its position, over row groups and pages.
func TestParquetResume(t *testing.T) {
	var rows strings.Builder
	for i := range 50 {
		fmt.Fprintf(&rows, "{\"a\":%d,\"b\":\"t%d\"}\n", i, i)
	}
	dir := filepath.Join(t.TempDir(), "k")
	insert(t, ab, nil, map[string]string{"path": dir, "format": "parquet", "parquet.block-size": "100b"}, rows.String())
	opts := map[string]string{"path": dir, "format": "parquet"}
	want := rowsOf(t, ab, nil, opts, 100)
	for _, max := range []int{1, 3, 7} {
		s, err := open(t, ab, nil, opts)
		if err != nil {
			t.Fatal(err)
		}
		splits, err := s.Splits(1)
		if err != nil {
			t.Fatal(err)
		}
		var positions [][]byte
		var before []string
		_, err = readFrom(t, s, splits, max, func(r connector.Reader, _ connector.Read, rows string) {
			p, err := r.Position(0)
			if err != nil {
				t.Fatal(err)
			}
			positions, before = append(positions, p), append(before, rows)
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range positions {
			rest, err := readFrom(t, s, []connector.Split{{ID: splits[0].ID, Position: p}}, 100, nil)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(before[i]+rest, "\n")
			slices.Sort(lines)
			if strings.Join(lines, "") != want {
				t.Fatalf("batches of %d, position %d: %q and %q", max, i, before[i], rest)
			}
		}
	}
}

// TestParquetCheckpoints: files of a bulk format end with every checkpoint, and with the memory of too many.
func TestParquetCheckpoints(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"format": "parquet", "sink.open-files": "2"})
	s.write("x:1", "y:1", "z:1")
	s.checkpoint()
	s.write("x:lost")
	s.crash("job1")
	s.write("x:2")
	s.checkpoint()
	got := rowsOf(t, partitioned, []int{0}, map[string]string{"path": s.w.root, "format": "parquet"}, 10)
	if want := "x 1\nx 2\ny 1\nz 1\n"; got != want || s.left() > 0 {
		t.Errorf("got %q and %d hidden files, want %q", got, s.left(), want)
	}
}

// foreign is a file as others write it.
type foreign struct {
	A int64            `parquet:"a"`
	B deprecated.Int96 `parquet:"b"`
	C int32            `parquet:"c,decimal(2:9)"`
	D []byte           `parquet:"d,optional"`
	E time.Time        `parquet:"e,timestamp(nanosecond)"`
	F []int32          `parquet:"f,list"`
	G uint32           `parquet:"g"`
}

func TestParquetForeign(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 678e6, time.UTC)
	nanos := uint64(3*3600+4*60+5)*1e9 + 678e6
	path := filepath.Join(t.TempDir(), "f.parquet")
	old := deprecated.Int96{uint32(nanos), uint32(nanos >> 32), uint32(at.Unix()/86400 + 2440588)}
	err := parquet.WriteFile(path, []foreign{{A: 300, B: old,
		C: -150, D: []byte("x"), E: at, F: []int32{1}, G: 4e9}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		typ  types.Type
		want string
	}{
		{"a", types.Of(types.BigInt), "300\n"},
		{"a", types.Of(types.SmallInt), "300\n"},
		{"a", types.Of(types.TinyInt), `error column 'a': "300" is no TINYINT`},
		{"a", str, "error column 'a': it is INT(64,true) in the file, which is not read as STRING"},
		{"b", types.TimestampOf(3), "2024-01-02 03:04:05.678\n"},
		{"b", types.TimestampOf(9), "2024-01-02 03:04:05.678000000\n"},
		{"c", types.DecimalOf(5, 2), "-1.50\n"},
		{"c", types.DecimalOf(2, 2), `error column 'c': "-150" is no DECIMAL(2, 2)`},
		{"c", types.DecimalOf(5, 3), "error column 'c': it is DECIMAL(9,2) in the file, which is not read as DECIMAL(5, 3)"},
		{"d", str, "x\n"},
		{"e", types.TimestampLTZOf(3), "2024-01-02 03:04:05.678Z\n"},
		{"e", types.TimestampOf(3), "error column 'e': it is TIMESTAMP"},
		{"f", integer, "error column 'f': it is ARRAY<INT> in the file, which is not read as INT"},
		{"g", types.Of(types.BigInt), "4000000000\n"},
		{"g", integer, `error column 'g': "-294967296" is no INT`},
	} {
		s, err := open(t, []connector.Column{{Name: c.name, Type: c.typ}}, nil, map[string]string{"path": path, "format": "parquet"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(t, s, 10)
		if err != nil {
			got = "error " + strings.TrimPrefix(strings.Replace(err.Error(), ", from row 1 on: ", ": ", 1), "filesystem: read "+path+": ")
		}
		if got != c.want && (!strings.HasPrefix(c.want, "error") || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s as %s: got %q, want %q", c.name, c.typ, got, c.want)
		}
	}
}

func TestParquetRefusals(t *testing.T) {
	for _, typ := range []types.Type{types.RowOf(), types.ArrayOf(types.RowOf())} {
		_, err := open(t, []connector.Column{{Name: "a", Type: typ}}, nil, map[string]string{"path": t.TempDir(), "format": "parquet"})
		if err == nil || !strings.Contains(err.Error(), "not supported: the format 'parquet' of column 'a'") {
			t.Errorf("%s: %v", typ, err)
		}
	}
	whole := filepath.Join(t.TempDir(), "k")
	insert(t, ab, nil, map[string]string{"path": whole, "format": "parquet"}, `{"a":1,"b":"x"}`)
	names, _ := filepath.Glob(filepath.Join(whole, "part-*"))
	good, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(good); n += 7 {
		s, err := open(t, ab, nil, map[string]string{"path": write(t, "cut", string(good[:n])), "format": "parquet"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(t, s, 10); err == nil || !strings.Contains(err.Error(), "it is no Parquet file") {
			t.Errorf("%d of %d bytes: %v", n, len(good), err)
		}
	}
}

// TestParquetDamaged: a byte that is another one than it was makes an error or other rows, and nothing worse.
func TestParquetDamaged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	insert(t, ab, nil, map[string]string{"path": dir, "format": "parquet"}, `{"a":1,"b":"x"}`+"\n"+`{"b":"a text of more bytes"}`)
	names, _ := filepath.Glob(filepath.Join(dir, "part-*"))
	good, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	damaged := 0
	for i := range good {
		for _, bits := range []byte{0x01, 0x80, 0xFF} {
			bad := slices.Clone(good)
			bad[i] ^= bits
			if err := os.WriteFile(names[0], bad, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := open(t, ab, nil, map[string]string{"path": names[0], "format": "parquet"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := readAll(t, s, 10); err != nil {
				damaged++
			}
		}
	}
	if damaged == 0 {
		t.Errorf("nothing of %d bytes matters", len(good))
	}
}

func BenchmarkParquet(b *testing.B) {
	w := newParquetFiles(&options{Parquet: parquetOptions{Compression: "SNAPPY", GroupSize: 32 << 20}}, datedColumns)(io.Discard)
	batch := dated(1024, 1)
	b.ReportAllocs()
	for b.Loop() {
		if err := w.write(batch.Cols, 0, batch.Len); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*batch.Len)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
