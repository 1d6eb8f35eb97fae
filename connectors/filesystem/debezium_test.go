package filesystem

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// changesOf reads changes as lines of kind and cells.
func changesOf(t *testing.T, opts map[string]string, split connector.Split, max int, each func(connector.Reader, string)) (string, error) {
	t.Helper()
	s, err := open(t, ab, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	_, err = readFrom(t, s, []connector.Split{split}, max, func(r connector.Reader, read connector.Read, _ string) {
		for i := range read.Batch.Len {
			fmt.Fprintf(&out, "%s %s %s\n", read.Batch.Kind(i), text.AppendCell(nil, read.Batch.Cols[0], i), text.AppendCell(nil, read.Batch.Cols[1], i))
		}
		if each != nil {
			each(r, out.String())
		}
	})
	return out.String(), err
}

const messages = `{"before":null,"after":{"a":1,"b":"x"},"op":"c","ts_ms":5}
{"op":"r","after":{"b":"y","a":2}}

{"before":{"a":1,"b":"x"},"after":{"a":1,"b":"z"},"op":"u"}
{"before":{"a":2,"b":"y"},"after":null,"op":"d"}
`

// TestDebezium: messages are changes, an update two of them, between which a reader may stop.
func TestDebezium(t *testing.T) {
	const want = "+I 1 x\n+I 2 y\n-U 1 x\n+U 1 z\n-D 2 y\n"
	path := write(t, "m.json", messages)
	opts := map[string]string{"path": path, "format": "debezium-json"}
	for _, max := range []int{1, 2, 3, 100} {
		type mark struct {
			at   []byte
			rows string
		}
		var marks []mark
		got, err := changesOf(t, opts, connector.Split{ID: path}, max, func(r connector.Reader, rows string) {
			p, _ := r.Position(0)
			marks = append(marks, mark{p, rows})
		})
		if err != nil || got != want {
			t.Errorf("batches of %d: got %q, %v", max, got, err)
		}
		for _, m := range marks {
			rest, err := changesOf(t, opts, connector.Split{ID: path, Position: m.at}, 100, nil)
			if err != nil || m.rows+rest != want {
				t.Errorf("batches of %d: %q and %q, %v", max, m.rows, rest, err)
			}
		}
	}
	wrapped := write(t, "w.json", strings.ReplaceAll(strings.ReplaceAll(messages, `{"before"`, `{"schema":{},"payload":{"before"`), "}\n", "}}\n"))
	b, _ := os.ReadFile(wrapped)
	if err := os.WriteFile(wrapped, []byte(strings.Replace(string(b), `{"op":"r"`, `{"payload":{"op":"r"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := changesOf(t, map[string]string{"path": wrapped, "format": "debezium-json", "debezium-json.schema-include": "true"},
		connector.Split{ID: wrapped}, 10, nil)
	if err != nil || got != want {
		t.Errorf("with schemas: got %q, %v", got, err)
	}
	for in, want := range map[string]string{
		`{"op":"u","before":null,"after":{"a":1}}`: "REPLICA IDENTITY FULL", `{"op":"x"}`: `"op" is "x"`, `[]`: "no object with a change",
		`{"op":"c"}`: `no row "after"`, `{"op":"c","after":{"a":"q"}}`: `column 'a': "\"q\"" is no INT`, `nope`: "no valid JSON",
	} {
		path := write(t, "bad.json", messages+in+"\n"+messages)
		_, err := changesOf(t, map[string]string{"path": path, "format": "debezium-json"}, connector.Split{ID: path}, 100, nil)
		if err == nil || !strings.Contains(err.Error(), path+", line 6: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", in, err)
		}
		got, err := changesOf(t, map[string]string{"path": path, "format": "debezium-json", "debezium-json.ignore-parse-errors": "true"},
			connector.Split{ID: path}, 100, nil)
		if n := strings.Count(got, "\n"); err != nil || n != 10 && !(n == 11 && strings.Contains(in, "q")) {
			t.Errorf("%s, ignored: %d rows, %v", in, n, err)
		}
	}
}

// TestDebeziumWrite: changes come back as inserts and deletes; other formats refuse them.
func TestDebeziumWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	a, b := vector.NewBuilder(integer), vector.NewBuilder(str)
	kinds := []vector.RowKind{vector.Insert, vector.UpdateBefore, vector.UpdateAfter, vector.Delete}
	for i := range kinds {
		a.AppendInt(int64(i))
		b.AppendString("q\"")
	}
	batch := &vector.Batch{Len: len(kinds), Cols: []*vector.Column{{}, {}}, Kinds: kinds}
	a.Finish(batch.Cols[0])
	b.Finish(batch.Cols[1])
	for format, want := range map[string]string{"debezium-json": "+I 0 q\"\n-D 1 q\"\n+I 2 q\"\n-D 3 q\"\n", "json": ""} {
		s := openSink(t, ab, nil, map[string]string{"path": dir, "format": format})
		if s.Changelog() != (want != "") {
			t.Errorf("%s takes changes: %v", format, s.Changelog())
		}
		if want == "" {
			continue
		}
		w, err := s.Open(&connector.Context{Parallelism: 1, Env: &function.Env{Zone: time.UTC}})
		if err == nil {
			err = w.Write(batch)
		}
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
		c, err := s.Committer()
		if err == nil {
			err = c.Commit(1, files, types.MaxTime)
		}
		if err != nil {
			t.Fatal(err)
		}
		names, _ := filepath.Glob(filepath.Join(dir, "part-*"))
		if len(names) != 1 {
			t.Fatal(names)
		}
		if got, err := changesOf(t, map[string]string{"path": dir, "format": format}, connector.Split{ID: names[0]}, 10, nil); err != nil || got != want {
			t.Errorf("got %q, %v", got, err)
		}
	}
}
