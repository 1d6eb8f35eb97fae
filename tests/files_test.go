package tests

import (
	"context"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/cmd/streamsql/bench"
	"streamsql/connectors"
	"streamsql/planner"
	"streamsql/queries"
)

// TestNexmarkFiles: the files that a query wrote hold its answer when they are read back, no partition is without its
// mark, and nothing else is there.
func TestNexmarkFiles(t *testing.T) {
	tried := sampled(t, 13, 3)
	for _, q := range queries.List() {
		if !queries.Files(q) {
			continue
		}
		for _, parallelism := range []string{"1", "2"} {
			for _, in := range inputs {
				if !tried() {
					continue
				}
				dir := t.TempDir()
				s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
				if _, err := s.Set("parallelism.default", parallelism); err != nil {
					t.Fatal(err)
				}
				run, _ := bench.Measure(context.Background(), s, bench.Config{Query: q, Options: in.Options, Verify: true, OutDir: dir,
					Out: io.Discard, Err: io.Discard})
				if run.Error != "" || run.Verified == nil || !*run.Verified {
					t.Errorf("%s over %s: %s %s", q, in.Name, run.Error, run.Note)
				}
				files, marks := map[string]bool{}, map[string]bool{}
				err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
					switch {
					case err != nil || d.IsDir():
					case strings.HasPrefix(d.Name(), "part-"):
						files[filepath.Dir(path)] = true
					case d.Name() == "_SUCCESS":
						marks[filepath.Dir(path)] = true
					default:
						t.Errorf("%s over %s: there is %s", q, in.Name, path)
					}
					return err
				})
				if err != nil || len(files) == 0 || len(files) != len(marks) {
					t.Errorf("%s over %s: %d partitions have files and %d marks: %v", q, in.Name, len(files), len(marks), err)
				}
			}
		}
	}
}
