package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const filesScript = `
SET 'execution.checkpointing.interval' = '10 ms';
SET 'execution.checkpointing.dir' = 'DIR/chk';
SET 'parallelism.default' = '2';
CREATE TABLE n (n BIGINT, t STRING) WITH ('connector' = 'datagen', 'rows-per-second' = '20000',
  'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '9999', 'fields.t.kind' = 'sequence', 'fields.t.start' = '0',
  'fields.t.end' = '9999');
CREATE TABLE out (n BIGINT, t STRING, k BIGINT) PARTITIONED BY (k) WITH ('connector' = 'filesystem', 'path' = 'DIR/out',
  'format' = 'json', 'sink.rolling-policy.file-size' = '2kb', 'sink.open-files' = '3',
  'sink.partition-commit.policy.kind' = 'success-file', 'sink.partition-commit.delay' = '40 ms');
INSERT INTO out SELECT n, t, MOD(n, 7) FROM n;
`

// TestKilledFiles kills jobs that write files: at every such moment what is visible is whole and does not change any
// more, and at the end it is what a run writes that was left alone, each partition has its mark, and nothing is left.
func TestKilledFiles(t *testing.T) {
	p := newProgress(t, 4)
	r := rand.New(rand.NewPCG(*soakSeed, 5))
	for i := 0; p.more(); i++ {
		dir, alone := t.TempDir(), t.TempDir()
		args := func(dir string) []string {
			return []string{"nexmark", "run", "q10", "--parallelism", "2", "--events", "200K", "--with", "first-event.rate=400", "--with",
				"next-event.rate=400", "--out-dir", filepath.Join(dir, "out"), "--checkpoint-dir", filepath.Join(dir, "chk"),
				"--checkpoint-interval", "10ms", "--restore"}
		}
		folder, final := "q10", true // a partition that has its mark gets no more rows
		if i%2 == 1 {
			folder, final = "insert-1", false
			args = func(dir string) []string {
				name := filepath.Join(dir, "job.sql")
				if err := os.WriteFile(name, []byte(strings.ReplaceAll(filesScript, "DIR", dir)), 0o600); err != nil {
					t.Fatal(err)
				}
				return []string{"run", name, "--restore"}
			}
		}
		c, _, errs := program(t, args(alone)...)
		if err := c.Run(); err != nil {
			t.Fatalf("%v\n%s", err, errs)
		}
		seen := &visible{t: t, root: filepath.Join(dir, "out"), files: map[string]string{}, final: final}
		for {
			c, _, errs := program(t, args(dir)...)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			if p.left > 0 && kill(t, c, r, filepath.Join(dir, "chk", folder), r.IntN(3) > 0) {
				p.left--
				seen.look()
				continue
			}
			if err := c.Wait(); c.ProcessState.ExitCode() != 0 {
				t.Fatalf("%v\n%s", err, errs)
			}
			break
		}
		seen.look()
		want := &visible{t: t, root: filepath.Join(alone, "out"), files: map[string]string{}}
		want.look()
		if got, want := seen.lines(), want.lines(); !slices.Equal(got, want) {
			t.Fatalf("%d lines, %d if left alone: %v", len(got), len(want), firstDifference(got, want))
		}
		if seen.hidden > 0 {
			t.Errorf("%d hidden files are left", seen.hidden)
		}
		if t.Failed() {
			return
		}
	}
}

// visible is what a reader saw of a table of files.
type visible struct {
	t      *testing.T
	root   string
	files  map[string]string // content by path
	final  bool
	hidden int
}

// look reads everything: what was there is there unchanged, and every file ends with a whole line.
func (v *visible) look() {
	v.t.Helper()
	now := map[string]string{}
	v.hidden = 0
	err := filepath.WalkDir(v.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil || d.IsDir():
			return err
		case strings.HasPrefix(d.Name(), "."):
			v.hidden++
			return nil
		}
		b, err := os.ReadFile(path)
		if err == nil && d.Name() != "_SUCCESS" && (len(b) == 0 || b[len(b)-1] != '\n') {
			v.t.Errorf("%s has %d bytes and no end", path, len(b))
		}
		now[path] = string(b)
		return err
	})
	if err != nil {
		v.t.Fatal(err)
	}
	for path, was := range v.files {
		if got, ok := now[path]; !ok || got != was {
			v.t.Errorf("%s had %d bytes and has %d now", path, len(was), len(got))
		}
	}
	for path := range now {
		_, old := v.files[path]
		if _, marked := v.files[filepath.Join(filepath.Dir(path), "_SUCCESS")]; v.final && marked && !old {
			v.t.Errorf("%s came after the mark of its partition", path)
		}
	}
	v.files = now
}

// lines are the lines of all files with their partition, sorted, and the partitions that have a mark.
func (v *visible) lines() (out []string) {
	for path, text := range v.files {
		folder, err := filepath.Rel(v.root, filepath.Dir(path))
		if err != nil {
			v.t.Fatal(err)
		}
		if filepath.Base(path) == "_SUCCESS" {
			out = append(out, folder+" is marked")
		}
		for l := range strings.Lines(text) {
			out = append(out, folder+" "+l)
		}
		if _, ok := v.files[filepath.Join(filepath.Dir(path), "_SUCCESS")]; !ok {
			v.t.Errorf("%s has no mark", filepath.Dir(path))
		}
	}
	slices.Sort(out)
	return out
}
