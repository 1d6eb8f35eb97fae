package filesystem

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestPartitionTypes: a value of each type is read from the path as it was written, NULL too.
func TestPartitionTypes(t *testing.T) {
	for _, c := range []struct {
		typ    types.Type
		values string // as JSON
		folder string // of the first
	}{
		{str, `"a/b=c %:\u00e9 "|""|"."|".."|" "`, "k=a%2Fb%3Dc %25%3Aé "},
		{types.Type{Kind: types.Char, Precision: 3}, `"abc"|"a:c"`, "k=abc"},
		{types.Of(types.Boolean), `true|false`, "k=true"},
		{types.Of(types.TinyInt), `-128|127`, "k=-128"},
		{types.Of(types.SmallInt), `-5|7`, "k=-5"},
		{integer, `-5|7`, "k=-5"},
		{types.Of(types.BigInt), `-9223372036854775808|9223372036854775807`, "k=-9223372036854775808"},
		{types.Of(types.Float), `1.5|1e10|-0.25`, "k=1.5"},
		{types.Of(types.Double), `1.0E100|0.1|-3`, "k=1.0E100"},
		{types.DecimalOf(10, 2), `100.00|1.50|-0.01|0`, "k=100"},
		{types.DecimalOf(38, 10), `12345678901234567890.5|-1`, "k=12345678901234567890.5"},
		{types.Of(types.Date), `"2024-01-02"|"1969-12-31"|"0001-01-01"`, "k=2024-01-02"},
		{types.TimeOf(0), `"03:04:05"|"00:00:00"`, "k=03%3A04%3A05"},
		{types.TimeOf(3), `"03:04:05.678"|"00:00:00"`, "k=03%3A04%3A05.678"},
		{types.TimestampOf(9), `"2024-01-02 03:04:05.123456789"`, "k=2024-01-02 03%3A04%3A05.123456789"},
		{types.TimestampOf(3), `"2024-01-02 03:04:05.678"|"1969-12-31 23:59:59"`, "k=2024-01-02 03%3A04%3A05.678"},
		{types.TimestampOf(6), `"2024-01-02 03:04:05.678901"`, "k=2024-01-02 03%3A04%3A05.678901"},
		{types.TimestampLTZOf(3), `"2024-01-02 03:04:05.678Z"`, "k=2024-01-02 03%3A04%3A05.678Z"},
		{types.Bytes(), `"AQI+/w=="|"AA=="`, "k=AQI+%2Fw%3D%3D"},
	} {
		t.Run(c.typ.String(), func(t *testing.T) {
			cols := []connector.Column{{Name: "k", Type: c.typ}, {Name: "n", Type: integer}}
			rows, values := "{\"n\":0}\n", strings.Split(c.values, "|")
			for i, v := range values {
				rows += fmt.Sprintf("{\"k\":%s,\"n\":%d}\n", v, i+1)
			}
			sorted := func(opts map[string]string, keys []int) string {
				s, err := open(t, cols, keys, opts)
				if err != nil {
					t.Fatal(err)
				}
				out, err := readAll(t, s, 100)
				if err != nil {
					t.Fatal(err)
				}
				lines := strings.SplitAfter(out, "\n")
				slices.Sort(lines)
				return strings.Join(lines, "")
			}
			dir := filepath.Join(t.TempDir(), "k")
			opts := map[string]string{"path": dir, "format": "csv"}
			insert(t, cols, []int{0}, opts, rows)
			want := sorted(map[string]string{"path": write(t, "rows.json", rows), "format": "json"}, nil)
			if got := sorted(opts, []int{0}); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			folders, _ := filepath.Glob(filepath.Join(dir, "k=*"))
			if len(folders) != len(values)+1 {
				t.Errorf("%d folders of %d values and NULL: %q", len(folders), len(values), folders)
			}
			if f, _ := filepath.Glob(filepath.Join(dir, strings.NewReplacer("*", "?").Replace(c.folder))); len(f) != 1 {
				t.Errorf("there is no folder %q: %q", c.folder, folders)
			}
		})
	}
}

// TestPartitionNull: the directories of NULL are Flink's and Hive's, and no text may be written as one of them.
func TestPartitionNull(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{flinkNull, hiveNull, "own%3A"} {
		folder := filepath.Join(dir, "dt="+name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "f"), []byte("1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := open(t, partitioned, []int{0}, map[string]string{"path": dir, "format": "csv", "partition.default-name": "own:"})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := readAll(t, s, 10); err != nil || out != "\\N 1\n\\N 1\n\\N 1\n" {
		t.Errorf("%q, %v", out, err)
	}
	for _, value := range []string{flinkNull, hiveNull, "own:"} {
		w, err := openSink(t, partitioned, []int{0}, map[string]string{"path": dir, "format": "csv", "partition.default-name": "own:"}).
			Open(&connector.Context{Env: &function.Env{}})
		if err != nil {
			t.Fatal(err)
		}
		b := &vector.Batch{Len: 1, Cols: []*vector.Column{vector.ConstText(str, value, 1), vector.ConstText(str, "x", 1)}}
		if err := w.Write(b); err == nil || !strings.Contains(err.Error(), "would be read back as NULL") {
			t.Errorf("%s: %v", value, err)
		}
	}
}

// TestRuns: runs of a partition are found whatever encodes the columns, and equal values are one directory.
func TestRuns(t *testing.T) {
	dict := vector.NewBuilder(str)
	for _, v := range []string{"a", "b", "a", "a text that is longer than a view"} {
		dict.AppendString(v)
	}
	values := &vector.Column{}
	dict.Finish(values)
	coded := &vector.Column{}
	coded.SetDict(str, []int32{0, 2, 1, 1, 3, 3}, vector.NewDictionary(values))
	flat := vector.NewBuilder(integer)
	for _, v := range []int64{1, 1, 1, 1, 1, 2} {
		flat.AppendInt(v)
	}
	ints := &vector.Column{}
	flat.Finish(ints)
	cols := []connector.Column{{Name: "a", Type: str}, {Name: "b", Type: integer}, {Name: "c", Type: str}}
	b := newBuckets(&connector.Table{Columns: cols, PartitionKeys: []int{0, 1, 2}}, &options{Null: flinkNull})
	batch := &vector.Batch{Len: 6, Cols: []*vector.Column{coded, ints, vector.ConstText(str, "z", 6)}}
	var got, raws []string
	for i, edge := range b.cut(batch) {
		if !edge {
			continue
		}
		raws = append(raws, string(b.rawOf(i)))
		f, err := b.folder(i)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d %s", i, f))
	}
	const long = "a=a text that is longer than a view"
	if want := "0 a=a/b=1/c=z; 1 a=a/b=1/c=z; 2 a=b/b=1/c=z; 4 " + long + "/b=1/c=z; 5 " + long + "/b=2/c=z"; strings.Join(got, "; ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "; "), want)
	}
	if raws[0] != raws[1] || raws[1] == raws[2] || raws[3] == raws[4] {
		t.Errorf("raw values: %q", raws)
	}
}

// dated is a batch of texts of the day and the minute, in order or alternating, and a number.
func dated(rows, run int) *vector.Batch {
	dt, hm, n := vector.NewBuilder(str), vector.NewBuilder(str), vector.NewBuilder(integer)
	for i := range rows {
		dt.AppendString("2024-01-02")
		hm.AppendString(fmt.Sprintf("00:%02d", i/run%60))
		n.AppendInt(int64(i))
	}
	b := &vector.Batch{Len: rows, Cols: []*vector.Column{{}, {}, {}}}
	for i, x := range []*vector.Builder{dt, hm, n} {
		x.Finish(b.Cols[i])
	}
	return b
}

var datedColumns = []connector.Column{{Name: "dt", Type: str}, {Name: "hm", Type: str}, {Name: "n", Type: integer}}

// finder looks up the files of all rows, as Write does.
func finder(t testing.TB, dir string) func(b *vector.Batch) {
	o := Definition.Options().(*options)
	o.Path, o.Format, o.Null, o.OpenFiles, o.CSV.Delimiter = dir, "csv", flinkNull, 100, ","
	s := &sink{table: &connector.Table{Columns: datedColumns, PartitionKeys: []int{0, 1}}, o: o}
	c, err := s.Open(&connector.Context{Env: &function.Env{}})
	if err != nil {
		t.Fatal(err)
	}
	w := c.(*writer)
	t.Cleanup(func() { _ = w.Abort() })
	return func(b *vector.Batch) {
		for i, edge := range w.buckets.cut(b) {
			if !edge {
				continue
			}
			if _, err := w.find(i, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestMemoAllocates: nothing, for rows of partitions that have an open file.
func TestMemoAllocates(t *testing.T) {
	find := finder(t, t.TempDir())
	for _, b := range []*vector.Batch{dated(64, 64), dated(64, 1)} {
		find(b)
		if n := testing.AllocsPerRun(20, func() { find(b) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

func BenchmarkMemo(b *testing.B) {
	for _, c := range []struct {
		name string
		run  int
	}{{"in-order", 1024}, {"runs-of-8", 8}, {"alternating", 1}} {
		b.Run(c.name, func(b *testing.B) {
			find, batch := finder(b, b.TempDir()), dated(1024, c.run)
			b.ReportAllocs()
			for b.Loop() {
				find(batch)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch.Len), "ns/row")
		})
	}
}
