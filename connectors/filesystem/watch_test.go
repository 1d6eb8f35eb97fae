package filesystem

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/text"
)

// watching is a running reader of a place that is watched.
type watching struct {
	t *testing.T
	r connector.Reader
}

func watch(t *testing.T, s connector.Source, split connector.Split, max int) *watching {
	t.Helper()
	r, err := s.Open(&connector.Context{MaxRows: max, Env: &function.Env{Zone: time.UTC}}, []connector.Split{split})
	if err != nil {
		t.Fatal(err)
	}
	return &watching{t, r}
}

// rows reads n rows at least.
func (w *watching) rows(n int) (out []string, err error) {
	w.t.Helper()
	deadline := time.After(10 * time.Second)
	for len(out) < n {
		read, err := w.r.Next()
		switch {
		case err != nil:
			return out, err
		case read.Status == connector.Wait:
			select {
			case <-read.Wake:
			case <-deadline:
				w.t.Fatalf("only %q came", out)
			}
		case read.Status != connector.Rows:
			w.t.Fatalf("status %d", read.Status)
		default:
			for i := range read.Batch.Len {
				out = append(out, string(text.AppendCell(nil, read.Batch.Cols[0], i)))
			}
		}
	}
	return out, nil
}

func (w *watching) stop() []byte {
	p, err := w.r.Position(0)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.r.Close(); err != nil {
		w.t.Fatal(err)
	}
	return p
}

func put(t *testing.T, path, content string, age time.Duration) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	hiddenPath := filepath.Join(filepath.Dir(path), ".new")
	if err := os.WriteFile(hiddenPath, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_700_000_000, 0).Add(-age)
	if err := os.Chtimes(hiddenPath, at, at); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(hiddenPath, path); err != nil {
		t.Fatal(err)
	}
}

// TestWatch: files that appear are read once, those too that are older than what was read; a restore goes on within a file,
// whatever the parallelism, and what is gone is forgotten.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	opts := map[string]string{"path": filepath.Join(dir, "**", "*.csv"), "format": "csv", "source.monitor-interval": "1 ms"}
	s, err := open(t, ab, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	if s.Bounded() {
		t.Error("a watched place ends")
	}
	splits, err := s.Splits(1)
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, s, splits[0], 2)
	put(t, filepath.Join(dir, "a.csv"), "1,x\n2,x\n", 0)
	got, _ := w.rows(2)
	put(t, filepath.Join(dir, "sub", "old.csv"), "3,x\n4,x\n5,x\n", time.Hour)
	more, _ := w.rows(2)
	splits[0].Position = w.stop()
	got = append(got, more...)
	put(t, filepath.Join(dir, "sub", "b.csv"), "6,x\n", 0)
	// The rest of old.csv and b.csv come in one of three shares each.
	three, err := s.(connector.Resumer).Resume(3, splits)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "c.csv"), "7,x\n", 0)
	var next []connector.Split
	var readers []*watching
	for _, split := range three {
		readers = append(readers, watch(t, s, split, 100))
	}
	deadline := time.Now().Add(10 * time.Second)
	for len(got) < 7 && time.Now().Before(deadline) {
		for _, w := range readers {
			read, err := w.r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if read.Status == connector.Rows {
				for i := range read.Batch.Len {
					got = append(got, string(text.AppendCell(nil, read.Batch.Cols[0], i)))
				}
			}
		}
	}
	for i, w := range readers {
		for settled := false; !settled; { // to the ends of files
			read, err := w.r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if settled = read.Status == connector.Wait; settled {
				time.Sleep(5 * time.Millisecond)
				read, err = w.r.Next()
				settled = err == nil && read.Status == connector.Wait
			}
		}
		next = append(next, connector.Split{ID: three[i].ID, Position: w.stop()})
	}
	slices.Sort(got)
	if strings.Join(got, "") != "1234567" {
		t.Errorf("got %q", got)
	}
	// Once files are gone the books are short again.
	for _, name := range []string{"a.csv", "c.csv", "sub"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	one, err := s.(connector.Resumer).Resume(1, next)
	if err != nil {
		t.Fatal(err)
	}
	w = watch(t, s, one[0], 10)
	put(t, filepath.Join(dir, "d.csv"), "8,x\n", 0)
	if got, err := w.rows(1); err != nil || got[0] != "8" {
		t.Errorf("got %q, %v", got, err)
	}
	if p := w.stop(); len(p) > 100 {
		t.Errorf("%d bytes for one file", len(p))
	}
}

// TestWatchChanged: a file that is written to after it was read is an error, not rows that are lost.
func TestWatchChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	s, err := open(t, ab, nil, map[string]string{"path": filepath.Dir(path), "format": "csv", "source.monitor-interval": "1 ms"})
	if err != nil {
		t.Fatal(err)
	}
	w := watch(t, s, connector.Split{ID: "0 of 1"}, 10)
	put(t, path, "1,x\n", 0)
	if _, err := w.rows(1); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(filepath.Dir(path), "b.csv"), "2,x\n", 0)
	if _, err := w.rows(1); err != nil {
		t.Fatal(err)
	}
	put(t, path, "1,x\n3,x\n", 0)
	if got, err := w.rows(1); err == nil || !strings.Contains(err.Error(), path+" was changed after it was read") {
		t.Errorf("got %q, %v", got, err)
	}
	_ = w.r.Close()
}

// TestPatterns: `*` stays within a name, `**` goes through directories, and what is hidden is found only by its name.
func TestPatterns(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"a.csv", "b.txt", "x/c.csv", "x/y/d.csv", ".h/e.csv", "x/_f.csv", "_k=1/g.csv"} {
		put(t, filepath.Join(dir, name), fmt.Sprint(i), 0)
	}
	for pattern, want := range map[string]string{
		"": "0123 6", "*": "0123 6", "*.csv": "0", "[ab].*": "01", "x": "23", "x/*": "23", "x/*.csv": "2", "*/*/*.csv": "3", "**": "0123 6",
		"**/*.csv": "023 6", "**/?.csv": "023 6", "x/**/d.csv": "3", "**/y/**": "3", ".h/*": "4", "x/_*": "5", "nope/*": "", "**/**/*.txt": "1",
	} {
		all, err := placeOf(filepath.Join(dir, pattern)).list()
		got := ""
		for _, f := range all {
			b, _ := os.ReadFile(f.path)
			got += string(b)
		}
		sorted := []byte(got)
		slices.Sort(sorted)
		if err == nil && string(sorted) != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s: got %q, %v; want %q", pattern, got, err, want)
		}
	}
}
