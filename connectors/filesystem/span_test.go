package filesystem

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// divided opens a source that makes splits of few bytes.
func divided(t *testing.T, columns []connector.Column, opts map[string]string) *source {
	t.Helper()
	s, err := open(t, columns, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	out := s.(*source)
	out.leastSpan = 50
	return out
}

// sorted are the lines of a text in order.
func sorted(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// readSplits reads each split by itself.
func readSplits(t *testing.T, s connector.Source, splits []connector.Split) string {
	t.Helper()
	var out strings.Builder
	for _, x := range splits {
		rows, err := readFrom(t, s, []connector.Split{x}, 7, nil)
		if err != nil {
			t.Fatalf("%q: %v", x.ID, err)
		}
		out.WriteString(rows)
	}
	return out.String()
}

// TestSpans: the parts of a file hold the rows of the file, each once, in its order.
func TestSpans(t *testing.T) {
	line := func(format string) string {
		var b strings.Builder
		for i := range 300 {
			fmt.Fprintf(&b, format+"\n", i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, content string
		opts          map[string]string
		parts         int // of 8
	}{
		{"lines.json", line(`{"a": %d, "b": "x"}`), nil, 8},
		{"arrays.json", line(`[{"a": %d}, {"a": 1}, {"a": 2}]`), nil, 8},
		{"plain.csv", "\uFEFF" + line("%d,x"), nil, 8},
		{"crlf.csv", strings.ReplaceAll(line("%d,x"), "\n", "\r\n"), nil, 8},
		{"head.csv", "a,b\n" + line("%d,x"), map[string]string{"csv.header": "true"}, 8},
		{"quoted.csv", "\uFEFF" + line("%d,\"x\n\"\"\n1,y\" "), nil, 8},
		{"inches.csv", line("%d,3\" long"), nil, 8},
		{"once.csv", "1,\"" + strings.Repeat("9,y\n", 500) + "\"\n" + line("%d,x"), nil, 5},
		{"last.csv", line("%d,x") + "1,\"" + strings.Repeat("9,y\n", 300) + "\"\n", nil, 5},
		{"unquoted.csv", line("%d,\"x"), map[string]string{"csv.disable-quote-character": "true"}, 8},
		{"remarks.csv", line("#it\"s\n%d,x"), map[string]string{"csv.allow-comments": "true"}, 1},
		{"escaped.csv", line("%d,x\\\ny"), map[string]string{"csv.escape-character": `\`}, 1},
		{"damaged.csv", line("%d,x") + "5,\"x\"y\n" + line("%d,\"x\n"), map[string]string{"csv.ignore-parse-errors": "true"}, 0},
		{"one.json", strings.Repeat(" ", 3000) + "{}", nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := map[string]string{"path": write(t, c.name, c.content), "format": strings.TrimPrefix(filepath.Ext(c.name), ".")}
			for k, v := range c.opts {
				opts[k] = v
			}
			s := divided(t, ab, opts)
			want, err := readAll(t, s, 100)
			if err != nil {
				t.Fatal(err)
			}
			splits, err := s.Splits(4)
			if err != nil || c.parts > 0 && len(splits) != c.parts {
				t.Errorf("%d parts, want %d: %v", len(splits), c.parts, err)
			}
			if got := readSplits(t, s, splits); got != want {
				t.Errorf("%d parts have other rows:\n%s\nwant\n%s", len(splits), got, want)
			}
		})
	}
}

// TestSpansOfParquet: a Parquet file is divided between its row groups, and bounds leave groups out all the same.
func TestSpansOfParquet(t *testing.T) {
	dir := t.TempDir()
	var rows strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&rows, `{"a":%d,"b":"text %d"}`+"\n", i, i)
	}
	insert(t, ab, nil, map[string]string{"path": dir, "format": "parquet", "parquet.block-size": "1kb"}, rows.String())
	s := divided(t, ab, map[string]string{"path": dir, "format": "parquet"})
	want, err := readAll(t, s, 1000)
	if err != nil {
		t.Fatal(err)
	}
	splits, err := s.Splits(3)
	if err != nil || len(splits) < 3 {
		t.Fatalf("%d splits: %v", len(splits), err)
	}
	if got := readSplits(t, s, splits); got != want {
		t.Errorf("%d parts have other rows", len(splits))
	}
	s.Push(connector.Request{Filters: nil, Need: []connector.Path{{1}}})
	if splits, err = s.Splits(2); err != nil || len(splits) < 2 {
		t.Fatalf("%d splits: %v", len(splits), err)
	}
	if got := readSplits(t, s, splits); strings.Count(got, "\n") != 5000 {
		t.Errorf("%d rows of one column", strings.Count(got, "\n"))
	}
}

// TestSpansResumed: whatever was read of the splits of a checkpoint, any number of subtasks gives the rest, again and again.
func TestSpansResumed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	for f := range 3 {
		var b strings.Builder
		for i := range 200 + 400*f {
			fmt.Fprintf(&b, `[{"a": %d, "b": "file %d"}, {"a": -1}]`+"\n", i, f)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(f)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range []string{"json", "parquet"} {
		path := dir
		if format == "parquet" {
			from, err := os.ReadFile(filepath.Join(dir, "2"))
			if err != nil {
				t.Fatal(err)
			}
			path = t.TempDir()
			insert(t, ab, nil, map[string]string{"path": path, "format": "parquet", "parquet.block-size": "1kb"}, string(from))
		}
		s := divided(t, ab, map[string]string{"path": path, "format": format})
		all, err := readAll(t, s, 100)
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			splits, err := s.Splits(1 + random.IntN(4))
			var got strings.Builder
			for round := 0; ; round++ {
				if err != nil {
					t.Fatal(err)
				}
				n := 1 + random.IntN(4)
				stop := -1
				if round < 3 {
					stop = random.IntN(200)
				}
				for i := range splits {
					splits[i].Position = readSome(t, s, splits[i], &got, stop)
				}
				if stop < 0 {
					break
				}
				splits, err = s.Resume(n, splits)
			}
			if sorted(got.String()) != sorted(all) {
				t.Fatalf("%s: %d rows of %d, or others", format, strings.Count(got.String(), "\n"), strings.Count(all, "\n"))
			}
		}
	}
}

// readSome reads rows of a split, about n or all for -1, and gives its position.
func readSome(t *testing.T, s *source, x connector.Split, out *strings.Builder, n int) []byte {
	t.Helper()
	at := x.Position
	if n == 0 {
		return at
	}
	stop := fmt.Errorf("enough")
	func() {
		defer func() {
			if e := recover(); e != nil && e != any(stop) {
				panic(e)
			}
		}()
		have := 0
		_, err := readFrom(t, s, []connector.Split{x}, 5, func(r connector.Reader, read connector.Read, rows string) {
			p, err := r.Position(0)
			if err != nil {
				t.Fatal(err)
			}
			at = p
			out.WriteString(rows[have:])
			have = len(rows)
			if n >= 0 && strings.Count(rows, "\n") >= n {
				panic(stop)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}()
	return at
}

// TestSpansAreRefused: where order counts a file is read whole, and what was changed or is gone is named.
func TestSpansAreRefused(t *testing.T) {
	path := write(t, "a.json", strings.Repeat(`{"a": 1}`+"\n", 100)+"x\n")
	s := divided(t, ab, map[string]string{"path": path, "format": "json"})
	splits, err := s.Splits(2)
	if err != nil || len(splits) < 3 {
		t.Fatalf("%d splits: %v", len(splits), err)
	}
	_, err = readFrom(t, s, splits[len(splits)-1:], 1000, nil)
	if err == nil || !strings.Contains(err.Error(), "line 101") {
		t.Errorf("of a line that is wrong: %v", err)
	}
	s.table.Watermark = true
	if whole, err := s.Splits(2); err != nil || len(whole) != 1 || whole[0].ID != path {
		t.Errorf("with a watermark: %v, %v", whole, err)
	}
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readFrom(t, s, splits[1:2], 1000, nil); err == nil || !strings.Contains(err.Error(), "files of a table never change") {
		t.Errorf("of a file that was changed: %v", err)
	}
	if err := os.Rename(path, path+"x"); err != nil {
		t.Fatal(err)
	}
	s.o.Path = filepath.Dir(path)
	if _, err := s.Resume(2, splits); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("of a file that is gone: %v", err)
	}
	changes := divided(t, columns(types.Of(types.Int)), map[string]string{"format": "debezium-json",
		"path": write(t, "c.json", strings.Repeat(`{"op": "c", "before": null, "after": {"a": 1}}`+"\n", 100))})
	if whole, err := changes.Splits(2); err != nil || len(whole) != 1 {
		t.Errorf("of changes: %v, %v", whole, err)
	}
}
