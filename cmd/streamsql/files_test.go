package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// filesScript writes numbers into partitions; DIR is a directory, OPTIONS are of the table that is written.
const filesScript = `
SET 'execution.checkpointing.interval' = '10 ms';
SET 'execution.checkpointing.dir' = 'DIR/chk';
SET 'parallelism.default' = '2';
CREATE TABLE n (n BIGINT, t STRING) WITH ('connector' = 'datagen', 'rows-per-second' = '20000',
  'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '9999', 'fields.t.kind' = 'sequence', 'fields.t.start' = '0',
  'fields.t.end' = '9999');
CREATE TABLE out (n BIGINT, t STRING, k BIGINT) PARTITIONED BY (k) WITH ('connector' = 'filesystem', 'path' = 'DIR/out',
  'sink.partition-commit.policy.kind' = 'success-file', OPTIONS);
INSERT INTO out SELECT n, t, MOD(n, 7) FROM n;
`

// readScript writes what the table holds as lines.
const readScript = `
SET 'execution.runtime-mode' = 'BATCH';
CREATE TABLE out (n BIGINT, t STRING, k BIGINT) PARTITIONED BY (k) WITH ('connector' = 'filesystem', 'path' = 'DIR/out',
  'format' = 'parquet');
CREATE TABLE lines (n BIGINT, t STRING, k BIGINT) PARTITIONED BY (k) WITH ('connector' = 'filesystem', 'path' = 'DIR/lines',
  'format' = 'csv', 'sink.partition-commit.policy.kind' = 'success-file');
INSERT INTO lines SELECT * FROM out;
`

// filesShapes are the ways in which files are written: the options of the table of filesScript, or none for q10.
var filesShapes = []string{
	"",
	`'format' = 'json', 'sink.rolling-policy.file-size' = '2kb', 'sink.open-files' = '3', 'sink.partition-commit.delay' = '40 ms'`,
	`'format' = 'csv', 'sink.rolling-policy.file-size' = '1kb', 'auto-compaction' = 'true', 'compaction.file-size' = '4kb'`,
	`'format' = 'parquet', 'sink.open-files' = '3', 'sink.shuffle-by-partition.enable' = 'true', 'sink.parallelism' = '3'`,
	`'format' = 'parquet', 'sink.rolling-policy.file-size' = '1kb', 'auto-compaction' = 'true', 'sink.partition-commit.delay' = '40 ms'`,
}

// filesArgs start a job that writes DIR/out; chk is where in dir its checkpoints are.
func filesArgs(t *testing.T, dir, options string) (args []string, chk string) {
	t.Helper()
	if options == "" {
		return []string{"nexmark", "run", "q10", "--parallelism", "2", "--events", "200K", "--with", "first-event.rate=400", "--with",
			"next-event.rate=400", "--out-dir", filepath.Join(dir, "out"), "--checkpoint-dir", filepath.Join(dir, "chk"),
			"--checkpoint-interval", "10ms", "--restore"}, "chk/q10"
	}
	return []string{"run", scriptFile(t, dir, filesScript, options), "--restore"}, "chk/insert-1"
}

// scriptFile writes a script into a directory that it is about.
func scriptFile(t *testing.T, dir, text, options string) string {
	t.Helper()
	name := filepath.Join(dir, "job.sql")
	if err := os.WriteFile(name, []byte(strings.NewReplacer("DIR", dir, "OPTIONS", options).Replace(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestKilledFiles kills jobs that write files: at every moment, also while they run, what is visible is whole and does
// not change any more, and at the end it is what a run writes that was left alone, each partition has its mark, and nothing
// is left.
func TestKilledFiles(t *testing.T) {
	few := 20
	if testing.Short() {
		few = 3
	}
	p := newProgress(t, few)
	if *soak { // 300 if nobody says how many
		p.left = p.left * 3 / 2
	}
	r := rand.New(rand.NewPCG(*soakSeed, 5))
	for i := 0; p.more(); i++ {
		options := filesShapes[i%len(filesShapes)]
		dir, alone := t.TempDir(), t.TempDir()
		args, _ := filesArgs(t, alone, options)
		c, _, errs := program(t, args...)
		if err := c.Run(); err != nil {
			t.Fatalf("%v\n%s", err, errs)
		}
		args, chk := filesArgs(t, dir, options)
		// A partition of q10 that has its mark gets no more rows.
		seen := &visible{t: t, root: filepath.Join(dir, "out"), files: map[string]seenFile{}, final: options == ""}
		for left := 4 + r.IntN(4); ; left-- {
			c, _, errs := program(t, args...)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			stop := seen.watch()
			killed := p.left > 0 && left > 0 && kill(t, c, r, filepath.Join(dir, chk), r.IntN(3) > 0)
			if !killed {
				_ = c.Wait()
			}
			stop()
			seen.look(true)
			if killed {
				p.left--
				continue
			}
			if c.ProcessState.ExitCode() != 0 {
				t.Fatal(errs)
			}
			break
		}
		want := &visible{t: t, root: filepath.Join(alone, "out"), files: map[string]seenFile{}}
		want.look(true)
		if got, want := seen.lines(dir), want.lines(alone); !slices.Equal(got, want) {
			t.Fatalf("%s: %d lines, %d if left alone: %v", options, len(got), len(want), firstDifference(got, want))
		}
		if seen.hidden > 0 {
			t.Errorf("%s: %d hidden files are left", options, seen.hidden)
		}
		t.Logf("looked %d times at files of %s", seen.looks, options)
		if t.Failed() {
			return
		}
	}
}

// visible is what a reader saw of a table of files.
type visible struct {
	t      *testing.T
	root   string
	files  map[string]seenFile // by path
	final  bool
	hidden int
	looks  int
}

// seenFile is a file as a reader saw it.
type seenFile struct {
	text string
	at   time.Time // when it was written
}

// watch looks again and again, until stop is called.
func (v *visible) watch() (stop func()) {
	end, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-end:
				return
			case <-time.After(2 * time.Millisecond):
				v.look(false)
			}
		}
	}()
	return func() { close(end); <-done }
}

// look reads what is new, or everything: what was there is there unchanged, and every file is whole.
func (v *visible) look(everything bool) {
	v.t.Helper()
	now := map[string]seenFile{}
	v.hidden = 0
	v.looks++
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
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		was, old := v.files[path]
		if old && !everything && info.Size() == int64(len(was.text)) && (info.ModTime().Equal(was.at) || was.text == "") {
			now[path] = was
			return nil
		}
		b, err := os.ReadFile(path)
		if err == nil && d.Name() != "_SUCCESS" && !whole(string(b)) {
			v.t.Errorf("%s has %d bytes and no end", path, len(b))
		}
		now[path] = seenFile{string(b), info.ModTime()}
		return err
	})
	if err != nil {
		v.t.Error(err)
	}
	for path, was := range v.files {
		if got, ok := now[path]; !ok || got.text != was.text {
			v.t.Errorf("%s had %d bytes and has %d now", path, len(was.text), len(got.text))
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

// parquetMagic begins and ends a file.
const parquetMagic = "PAR1"

// whole tells that the end of a file is there: of a line, or of a Parquet file.
func whole(text string) bool {
	if strings.HasPrefix(text, parquetMagic) {
		return len(text) > 2*len(parquetMagic) && strings.HasSuffix(text, parquetMagic)
	}
	return strings.HasSuffix(text, "\n")
}

// lines are the lines of all files with their partition, sorted, and the partitions that have a mark.
func (v *visible) lines(dir string) (out []string) {
	for path := range v.files {
		if _, ok := v.files[filepath.Join(filepath.Dir(path), "_SUCCESS")]; !ok {
			v.t.Errorf("%s has no mark", filepath.Dir(path))
		}
	}
	for path, f := range v.files {
		if strings.HasPrefix(f.text, parquetMagic) {
			c, _, errs := program(v.t, "run", scriptFile(v.t, dir, readScript, ""))
			if err := c.Run(); err != nil {
				v.t.Fatalf("%v\n%s", err, errs)
			}
			read := &visible{t: v.t, root: filepath.Join(dir, "lines"), files: map[string]seenFile{}}
			read.look(true)
			return read.lines(dir)
		}
		folder, err := filepath.Rel(v.root, filepath.Dir(path))
		if err != nil {
			v.t.Fatal(err)
		}
		if filepath.Base(path) == "_SUCCESS" {
			out = append(out, folder+" is marked")
		}
		for l := range strings.Lines(f.text) {
			out = append(out, folder+" "+l)
		}
	}
	slices.Sort(out)
	return out
}
