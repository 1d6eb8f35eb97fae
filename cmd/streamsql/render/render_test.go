package render

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

func batch() ([]Column, *vector.Batch) {
	id := vector.OfSlice(types.Of(types.Int), []int32{1, 2, 3})
	s := &vector.Column{}
	s.Reset(types.String(), 3)
	w := vector.NewText(s)
	w.PutString(0, "plain")
	w.PutString(1, "tab\tand \"quote\", comma")
	w.Finish()
	s.SetNull(2)
	return []Column{{"id", id.Type}, {"s", s.Type}}, &vector.Batch{Len: 3, Cols: []*vector.Column{id, s}}
}

func render(t *testing.T, format string, kinds []vector.RowKind) string {
	t.Helper()
	cols, b := batch()
	b.Kinds = kinds
	var out strings.Builder
	f, err := New(&out, Options{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Begin(cols); err != nil {
		t.Fatal(err)
	}
	r := NewResult(f, 0)
	if err := r.Writer().Write(b); err != nil {
		t.Fatal(err)
	}
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFormats(t *testing.T) {
	want := map[string]string{
		"csv":       "id,s\n1,plain\n2,\"tab\tand \"\"quote\"\", comma\"\n3,\n",
		"tsv":       "id\ts\n1\tplain\n2\ttab\\tand \"quote\", comma\n3\t\\N\n",
		"ndjson":    "{\"id\": 1, \"s\": \"plain\"}\n{\"id\": 2, \"s\": \"tab\\tand \\\"quote\\\", comma\"}\n{\"id\": 3, \"s\": null}\n",
		"json":      "[\n  {\"id\": 1, \"s\": \"plain\"},\n  {\"id\": 2, \"s\": \"tab\\tand \\\"quote\\\", comma\"},\n  {\"id\": 3, \"s\": null}\n]\n",
		"changelog": "+I[1, plain]\n+I[2, tab\tand \"quote\", comma]\n+I[3, null]\n",
	}
	for f, w := range want {
		if got := render(t, f, nil); got != w {
			t.Errorf("%s:\n%s\nwant\n%s", f, got, w)
		}
	}
}

func TestTableFoldsChanges(t *testing.T) {
	cols, b := batch()
	var out strings.Builder
	f, err := New(&out, Options{Format: "markdown", Updating: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Begin(cols); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := f.Row(b, i); err != nil {
			t.Fatal(err)
		}
	}
	b.Kinds = []vector.RowKind{vector.Delete, vector.Insert, vector.Insert}
	if err := f.Row(b, 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Row(b, 0); err == nil {
		t.Error("a second retraction of the same row passed")
	}
	if err := f.End(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Contains(got, "plain") || !strings.Contains(got, "| 3 | NULL |") {
		t.Error(got)
	}
}

// TestLinesFoldChanges: csv and tsv have no place for a kind.
func TestLinesFoldChanges(t *testing.T) {
	cols, b := batch()
	for format, want := range map[string]string{"csv": "3,", "tsv": `3	\N`} {
		var out strings.Builder
		f, err := New(&out, Options{Format: format, Updating: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Begin(cols); err != nil {
			t.Fatal(err)
		}
		b.Kinds = nil
		for i := range 3 {
			if err := f.Row(b, i); err != nil {
				t.Fatal(err)
			}
		}
		b.Kinds = []vector.RowKind{vector.UpdateBefore, vector.Insert, vector.Insert}
		if err := f.Row(b, 0); err != nil {
			t.Fatal(err)
		}
		if err := f.End(); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		if n := strings.Count(got, "\n"); strings.Contains(got, "plain") || !strings.Contains(got, want) || n < 3 {
			t.Errorf("%s: %d lines\n%s", format, n, got)
		}
	}
}

func TestNDJSONNamesChanges(t *testing.T) {
	got := render(t, "ndjson", []vector.RowKind{vector.UpdateBefore, vector.UpdateAfter, vector.Delete})
	if !strings.HasPrefix(got, `{"op": "-U", "id": 1`) {
		t.Error(got)
	}
}

func TestLimit(t *testing.T) {
	cols, b := batch()
	var out strings.Builder
	f, _ := New(&out, Options{Format: "csv"})
	if err := f.Begin(cols); err != nil {
		t.Fatal(err)
	}
	if err := NewResult(f, 2).Writer().Write(b); err != ErrLimit {
		t.Errorf("got %v", err)
	}
	if n := strings.Count(out.String(), "\n"); n != 3 {
		t.Errorf("%d lines, want a header and 2 rows", n)
	}
}

// Bytes are no text: a raw byte would break JSON and terminals.
func TestBytes(t *testing.T) {
	c := &vector.Column{}
	c.Reset(types.Of(types.Varbinary), 1)
	w := vector.NewText(c)
	w.Put(0, []byte{0xff, 0})
	w.Finish()
	for format, want := range map[string]string{"ndjson": `{"x": "/wA="}`, "csv": "x\nx'ff00'", "tsv": "x\nx'ff00'"} {
		var out strings.Builder
		f, _ := New(&out, Options{Format: format})
		if err := f.Begin([]Column{{"x", c.Type}}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Row(&vector.Batch{Len: 1, Cols: []*vector.Column{c}}, 0), f.End()); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(out.String()); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}

// TestChangesHaveNoBound: a table whose rows may change takes as many as its memory holds, and says which setting gives it more.
func TestChangesHaveNoBound(t *testing.T) {
	for _, format := range []string{"table", "csv"} {
		const n = 300_000
		v := make([]int32, n)
		for i := range v {
			v[i] = int32(i)
		}
		id := vector.OfSlice(types.Of(types.Int), v)
		var out strings.Builder
		f, err := New(&out, Options{Format: format, Updating: true})
		if err := errors.Join(err, f.Begin([]Column{{"id", id.Type}})); err != nil {
			t.Fatal(err)
		}
		r := NewResult(f, 0)
		for _, kind := range []vector.RowKind{vector.Insert, vector.Delete} {
			b := &vector.Batch{Len: n, Cols: []*vector.Column{id}}
			if kind == vector.Delete {
				b = First(b, 2)
			}
			b.Kinds = slices.Repeat([]vector.RowKind{kind}, b.Len)
			if err := r.Writer().Write(b); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.End(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "\n"); got < n-1 || got > n+3 {
			t.Errorf("%s: %d lines of %d rows", format, got, n-2)
		}
	}
	_, b := batch()
	f, _ := New(io.Discard, Options{Format: "table", Updating: true, StateLimit: 1 << 10})
	if err := f.Begin([]Column{{"id", b.Cols[0].Type}, {"s", b.Cols[1].Type}}); err != nil {
		t.Fatal(err)
	}
	err := error(nil)
	for i := 0; i < 10_000 && err == nil; i++ {
		err = f.Row(b, i%3)
	}
	if err == nil || !strings.Contains(err.Error(), "'state.memory-limit'") || !strings.Contains(err.Error(), "--limit") {
		t.Errorf("got %v", err)
	}
}

// TestTableGoesOn: rows that stay are drawn as they come once there are too many to hold, in the widths of those that were
// held; what is wider is whole.
func TestTableGoesOn(t *testing.T) {
	text := func(s string) *vector.Batch {
		return &vector.Batch{Len: 1, Cols: []*vector.Column{vector.ConstText(types.String(), s, 1)}}
	}
	for most, want := range map[int]string{0: "| a   |\n| b   |\n| wider |\n| c   |\n+-----+\n", 2: "| a   |\n| a   |\n+-----+\n250001 more rows are not shown\n"} {
		var out strings.Builder
		f, err := New(&out, Options{Format: "table", MaxRows: most})
		if err := errors.Join(err, f.Begin([]Column{{"abc", types.String()}})); err != nil {
			t.Fatal(err)
		}
		for range maxTable {
			err = errors.Join(err, f.Row(text("a"), 0))
		}
		if out.Len() > 0 {
			t.Error("a table is drawn before its widths are known")
		}
		for _, s := range []string{"b", "wider", "c"} {
			err = errors.Join(err, f.Row(text(s), 0), f.Flush())
		}
		held := strings.Count(out.String(), "\n")
		if err = errors.Join(err, f.End()); err != nil || !strings.HasSuffix(out.String(), want) {
			t.Errorf("%v, at most %d rows: …%q", err, most, out.String()[max(0, out.Len()-100):])
		}
		if most == 0 && held != maxTable+3+3 {
			t.Errorf("%d lines before the end", held)
		}
	}
}

// TestWide: a table is as wide as a terminal shows it, a value has its lines, and what would move the cursor is shown.
func TestWide(t *testing.T) {
	rows := [][]string{{"1", "表格"}, {"22", "a\nb"}, {"3", "\x1b[31mé\t"}}
	cols := []Column{{"n", types.Of(types.Int)}, {"wide", types.String()}}
	var out strings.Builder
	tab := &Table{W: &out, Style: StyleOf("table")}
	if err := tab.Draw(cols, rows); err != nil {
		t.Fatal(err)
	}
	want := `+----+-------------+
|  n | wide        |
+----+-------------+
|  1 | 表格        |
| 22 | a           |
|    | b           |
|  3 | \x1b[31mé\t |
+----+-------------+
`
	if got := out.String(); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	for line := range strings.Lines(out.String()) {
		if w := Width(strings.TrimRight(line, "\n")); w != tab.Width() {
			t.Errorf("%q is %d wide, the table is %d", line, w, tab.Width())
		}
	}
	out.Reset()
	if err := (&Table{W: &out, Style: StyleOf("box"), MaxWidth: 3}).Draw(cols, rows[:1]); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "│ n │ wi… │\n") || !strings.Contains(got, "│ 1 │ 表… │\n") {
		t.Error(got)
	}
}

// TestVertical: a line for each value, and the kind of a change where there are such.
func TestVertical(t *testing.T) {
	cols, b := batch()
	null := "-"
	var out strings.Builder
	f, err := New(&out, Options{Format: "vertical", Updating: true, Null: &null})
	if err != nil {
		t.Fatal(err)
	}
	b.Kinds = []vector.RowKind{vector.Insert, vector.Insert, vector.Delete}
	if err := errors.Join(f.Begin(cols), f.Row(b, 2), f.End()); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "*** row 1 *** -D\nid: 3\n s: -\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestJSONTexts: every text is one that readers of JSON take, and reads back where it is UTF-8.
func TestJSONTexts(t *testing.T) {
	for _, s := range []string{"", "plain", "a\"b\\c\n\t\r\x00\x1f\x7f", "表 é 😀 <&>\u2028", "\xff\xfe", "a\xc3"} {
		b := appendString(nil, []byte(s))
		var back string
		if err := json.Unmarshal(b, &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Errorf("%q: %s reads as %q, %v", s, b, back, err)
		}
	}
}

// TestCSVReadsBack: what is written is what a reader of CSV reads.
func TestCSVReadsBack(t *testing.T) {
	row := []string{"", "plain", " blank", "a,b", "say \"hi\"", "two\nlines", "cr\r", "\ttab", `\.`, "表"}
	line := appendCSV(nil, row)
	back, err := csv.NewReader(strings.NewReader(string(line))).Read()
	if err != nil || !slices.Equal(back, row) {
		t.Errorf("%s reads as %q, %v", line, back, err)
	}
}

// BenchmarkRows is how fast rows are printed.
func BenchmarkRows(b *testing.B) {
	n := 1000
	ids, names := make([]int64, n), &vector.Column{}
	names.Reset(types.String(), n)
	w := vector.NewText(names)
	for i := range n {
		ids[i] = int64(i) * 7919
		w.PutString(i, "a text of some length")
	}
	w.Finish()
	id := vector.OfSlice(types.Of(types.BigInt), ids)
	batch := &vector.Batch{Len: n, Cols: []*vector.Column{id, names, id, names, id}}
	cols := []Column{{"a", id.Type}, {"b", names.Type}, {"c", id.Type}, {"d", names.Type}, {"e", id.Type}}
	for _, format := range []string{"csv", "tsv", "ndjson", "table", "vertical", "changelog"} {
		b.Run(format, func(b *testing.B) {
			f, err := New(io.Discard, Options{Format: format, Limit: 0})
			if err == nil {
				err = f.Begin(cols)
			}
			if err != nil {
				b.Fatal(err)
			}
			rows := 0
			for b.Loop() {
				if rows += n; format == "table" && rows >= maxTable { // it holds no more
					if f, err = New(io.Discard, Options{Format: format}); err == nil {
						err = f.Begin(cols)
					}
					rows = 0
				}
				for i := range n {
					if e := f.Row(batch, i); e != nil {
						b.Fatal(e)
					}
				}
				if e := f.Flush(); err != nil || e != nil {
					b.Fatal(err, e)
				}
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
