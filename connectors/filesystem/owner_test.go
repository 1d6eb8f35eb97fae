package filesystem

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"streamsql/exec/connector"
)

// TestOwners: what a job without checkpoints leaves when it is killed is removed by the next one, and nothing of a job that runs.
func TestOwners(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k[1]*") // which are no patterns
	opts := map[string]string{"path": dir, "format": "csv"}
	begin := func(row string) (*sink, connector.Writer) {
		s := openSink(t, partitioned, []int{0}, opts).(*sink)
		w, err := s.Open(&connector.Context{Parallelism: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(textBatch([]string{row})); err != nil {
			t.Fatal(err)
		}
		return s, w
	}
	hidden := func() (out []string) {
		_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error {
			if strings.HasPrefix(d.Name(), ".") {
				out = append(out, path)
			}
			return nil
		})
		return out
	}
	killed, _ := begin("x:1")
	_, alive := begin("x:2")
	if n := len(hidden()); n != 4 {
		t.Fatalf("two jobs have %v", hidden())
	}
	if err := killed.lock.Close(); err != nil { // as the system does at the end of a process
		t.Fatal(err)
	}
	_, next := begin("x:3")
	for _, path := range hidden() {
		if strings.Contains(path, killed.owner) {
			t.Errorf("%s is left", path)
		}
	}
	if n := len(hidden()); n != 4 {
		t.Errorf("two jobs have %v", hidden())
	}
	for _, w := range []connector.Writer{alive, next} {
		if err := w.Abort(); err != nil {
			t.Error(err)
		}
	}
	if n := len(hidden()); n != 0 {
		t.Errorf("left at the end: %v", hidden())
	}
}
