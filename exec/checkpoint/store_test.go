package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

func open(t *testing.T, fs FS, dir string, o Options) *Directory {
	t.Helper()
	d, err := Open(fs, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func begin(t *testing.T, d *Directory) *Epoch {
	t.Helper()
	e, err := d.Begin()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// noise are bytes that do not compress.
func noise(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{7})
	_, _ = r.Read(b)
	return b
}

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	d := open(t, Disk{}, dir, testPlan)
	if d.Restored() != nil || len(d.Job()) != idLength {
		t.Fatalf("a new directory: job %q, restored %v", d.Job(), d.Restored())
	}
	payloads := [][]byte{nil, []byte("x"), bytes.Repeat([]byte("abc"), 10_000), noise(1000), noise(700_000), make([]byte, 1<<20)}
	e := begin(t, d)
	var wg sync.WaitGroup
	blocks := make([][]Block, 4)
	for task := range blocks {
		wg.Go(func() {
			f := e.Data(0, task)
			for i, p := range payloads {
				k := Block{Place: Place{0, 3, task}, Table: fmt.Sprint("t", i)}
				if i > 2 {
					k.Groups = []Span{{task * 32, task*32 + 10}, {task*32 + 20, task*32 + 32}}
				}
				k, err := f.Append(k, p)
				if err != nil {
					t.Error(err)
				}
				blocks[task] = append(blocks[task], k)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	m := &Metadata{Began: 1234, Name: "insert-1", Plan: testPlan.Plan, MaxParallelism: 128, Watermark: -5,
		Counts:       []Count{{Place{0, 3, 1}, "late rows", 7}, {Place{0, 3, 2}, "late rows", 1}, {Place{0, 3, 2}, "others", 1}},
		Operators:    []Operator{{Stage: 0, Node: 3, ID: "7 GroupAggregate", Text: "GroupAggregate(…)"}},
		Splits:       []Split{{Place{0, 0, 1}, "split", []byte{0, 1, 255}, true}},
		Marks:        []Mark{{Place{0, 3, 0}, "in", -1 << 63, true}, {Place{0, 0, 1}, "out", 1<<63 - 1, false}},
		Committables: []Committable{{Place{1, 2, 3}, []byte("hidden\x00visible")}},
		Blocks:       slices.Concat(blocks...)}
	if err := e.Commit(m); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Retire(), d.Close()); err != nil {
		t.Fatal(err)
	}
	job := d.Job()
	d = open(t, Disk{}, dir, testPlan)
	if !reflect.DeepEqual(m, d.Restored()) || d.Job() != job {
		t.Fatalf("written %+v\nrestored %+v", m, d.Restored())
	}
	for task := range blocks {
		for i, k := range d.Restored().BlocksOf(0, 3, task, 4) {
			if got, err := d.Read(k, []byte("before")); err != nil || !bytes.Equal(got, append([]byte("before"), payloads[i]...)) {
				t.Errorf("task %d, table %s: %d bytes, %v", task, k.Table, len(got), err)
			}
			if packed := k.Stored < k.Length; packed != (i == 2 || i == 5) {
				t.Errorf("table %s: %d bytes are stored in %d", k.Table, k.Length, k.Stored)
			}
		}
	}
	if c := m.CountsOf(0, 3); len(c) != 2 || c[0].Value != 8 || c[1].Value != 1 || m.CountsOf(0, 2) != nil {
		t.Errorf("counts: %v", c)
	}
	if m.CommittablesOf(1, 2)[0] == nil || m.CommittablesOf(1, 1) != nil || len(m.SplitsOf(0, 0)) != 1 || m.SplitsOf(1, 0) != nil {
		t.Error("wrong committables or splits")
	}
}

func TestRescale(t *testing.T) {
	const most = 128
	m := &Metadata{MaxParallelism: most}
	for sub := range 4 {
		p := Place{1, 2, sub}
		m.Blocks = append(m.Blocks, Block{Place: p, Table: fmt.Sprint("k", sub), Groups: []Span{SpanOf(sub, 4, most)}},
			Block{Place: p, Table: fmt.Sprint("p", sub)}, Block{Place: p, Table: "none", Groups: []Span{}})
		m.Marks = append(m.Marks, Mark{p, "in", int64(10 + sub), sub > 0}, Mark{p, "out", int64(20 - sub), true})
	}
	got := func(n int) string {
		var b strings.Builder
		for sub := range n {
			fmt.Fprintf(&b, "%d:", sub)
			for _, k := range m.BlocksOf(1, 2, sub, n) {
				b.WriteString(" " + k.Table)
			}
			for _, k := range m.MarksOf(1, 2, sub, n) {
				fmt.Fprintf(&b, " %s=%d", k.Name, k.Time)
				if k.Idle {
					b.WriteString("(idle)")
				}
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	for n, want := range map[int]string{
		1: "0: k0 p0 k1 p1 k2 p2 k3 p3 in=10 out=17(idle)\n",
		2: "0: k0 p0 k1 p2 in=10 out=17(idle)\n1: p1 k2 k3 p3 in=10 out=17(idle)\n",
		3: "0: k0 p0 k1 p3 in=10 out=17(idle)\n1: k1 p1 k2 in=10 out=17(idle)\n2: k2 p2 k3 in=10 out=17(idle)\n",
		4: "0: k0 p0 in=10 out=20(idle)\n1: k1 p1 in=11(idle) out=19(idle)\n2: k2 p2 in=12(idle) out=18(idle)\n" +
			"3: k3 p3 in=13(idle) out=17(idle)\n",
	} {
		if got(n) != want {
			t.Errorf("parallelism %d:\n%swant\n%s", n, got(n), want)
		}
	}
	if len(m.BlocksOf(1, 1, 0, 1))+len(m.BlocksOf(0, 2, 0, 1)) > 0 {
		t.Error("blocks of other nodes")
	}
	// Every key group finds its block, whatever the parallelism.
	for n := 1; n <= 9; n++ {
		for sub := range n {
			own := SpanOf(sub, n, most)
			for g := own.From; g < own.To; g++ {
				if !slices.ContainsFunc(m.BlocksOf(1, 2, sub, n), func(k Block) bool {
					return slices.ContainsFunc(k.Groups, Span{g, g + 1}.overlaps)
				}) {
					t.Fatalf("parallelism %d: subtask %d misses key group %d", n, sub, g)
				}
			}
		}
	}
}

// take makes n checkpoints of one block each.
func take(t *testing.T, d *Directory, n int) {
	t.Helper()
	for range n {
		e := begin(t, d)
		f := e.Data(0, 0)
		k, err := f.Append(Block{Table: "t"}, fmt.Append(nil, e.Number()))
		m := &Metadata{Plan: testPlan.Plan, MaxParallelism: 128, Blocks: []Block{k}}
		if err := errors.Join(err, f.Close(), e.Commit(m)); err != nil {
			t.Fatal(err)
		}
		if err := d.Retire(); err != nil {
			t.Fatal(err)
		}
	}
}

// visible lists a directory with the job's id left out.
func visible(t *testing.T, d *Directory) string {
	t.Helper()
	names, err := d.fs.ReadDir(d.path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(strings.Join(names, " "), d.job, "ID")
}

func TestRetention(t *testing.T) {
	dir := t.TempDir()
	o := testPlan
	o.Retain = 3
	d := open(t, Disk{}, dir, o)
	take(t, d, 5)
	want := ".ID-3-0-0 .ID-4-0-0 .ID-5-0-0 .ID-completed chk-3 chk-4 chk-5 job lock"
	if got := visible(t, d); got != want {
		t.Errorf("three retained: %s", got)
	}
	_ = d.Close()
	// Files of others, and those of this job that look like nothing we make, stay.
	foreign := []string{".0123456789abcdef-9-0-0", "." + d.job + "-x", "." + d.job + "-0", "notes", "chk-07", "chk-0", "chk--1"}
	for _, name := range append([]string{"." + d.job + "-5", "." + d.job + "-6-0-1"}, foreign...) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o.Retain = 1
	d = open(t, Disk{}, dir, o)
	if e := begin(t, d); e.Number() != 7 {
		t.Errorf("the checkpoint after one that left files is chk-%d", e.Number())
	}
	d.current.Abort()
	if err := d.Retire(); err != nil {
		t.Fatal(err)
	}
	if got := visible(t, d); !strings.Contains(got, "chk-3 chk-4 chk-5") || strings.Contains(got, "ID-6") {
		t.Errorf("before the first checkpoint of a run: %s", got)
	}
	take(t, d, 1)
	slices.Sort(foreign)
	want = ".0123456789abcdef-9-0-0 .ID-0 .ID-8-0-0 .ID-completed .ID-x chk--1 chk-0 chk-07 chk-8 job lock notes"
	if got := strings.Fields(visible(t, d)); strings.Join(sorted(got), " ") != strings.Join(sorted(strings.Fields(want)), " ") {
		t.Errorf("one retained: %s", got)
	}
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}

func TestStepBack(t *testing.T) {
	dir := t.TempDir()
	o := testPlan
	o.Retain = 10
	d := open(t, Disk{}, dir, o)
	take(t, d, 4)
	_ = d.Close()
	o.Restore, o.From = false, 2
	d = open(t, Disk{}, dir, o)
	if d.Restored().Epoch != 2 || !slices.Equal(d.Abandoned(), []int64{3, 4}) {
		t.Fatalf("restored chk-%d, abandoned %v", d.Restored().Epoch, d.Abandoned())
	}
	if got := visible(t, d); !strings.Contains(got, "chk-4") {
		t.Errorf("gone before there was a new checkpoint: %s", got)
	}
	take(t, d, 2)
	want := ".ID-1-0-0 .ID-2-0-0 .ID-5-0-0 .ID-6-0-0 .ID-completed chk-1 chk-2 chk-5 chk-6 job lock"
	if got := visible(t, d); got != want {
		t.Errorf("after stepping back: %s", got)
	}
	_ = d.Close()
	o.From = 4
	_, err := Open(Disk{}, dir, o)
	if err == nil || !strings.HasSuffix(err.Error(), "there is no chk-4 in "+dir+"; there are: chk-1, chk-2, chk-5, chk-6") {
		t.Error(err)
	}
}

// TestRefusals: what a start refuses, and that it changes nothing.
func TestRefusals(t *testing.T) {
	used := func(t *testing.T, finished bool) string {
		dir := t.TempDir()
		d := open(t, Disk{}, dir, testPlan)
		take(t, d, 2)
		if finished {
			e := begin(t, d)
			if err := e.Commit(&Metadata{Finished: true, Plan: testPlan.Plan, MaxParallelism: 128}); err != nil {
				t.Fatal(err)
			}
		}
		_ = d.Close()
		return dir
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for _, c := range []struct {
		name, dir string
		fs        FS
		o         Options
		want      string
	}{
		{"occupied", used(t, false), Disk{}, Options{Plan: testPlan.Plan, MaxParallelism: 128}, "DIR holds chk-2 of job ID: " +
			"go on from it with --restore (from an older one with --restore-from chk-N), or begin anew in another directory"},
		{"finished", used(t, true), Disk{}, Options{Plan: testPlan.Plan, MaxParallelism: 128}, "DIR holds chk-3 of job ID: "},
		{"other plan", used(t, false), Disk{}, Options{Restore: true, Plan: "Source: t\nFilter\nSink: u", MaxParallelism: 128},
			`checkpoint: restore: DIR/chk-2 was made by another plan: line 2 was "Sink: u" and is now "Filter"`},
		{"shorter plan", used(t, false), Disk{}, Options{Restore: true, Plan: "Source: t", MaxParallelism: 128},
			`line 2 was "Sink: u" and is now ""`},
		{"key groups", used(t, false), Disk{}, Options{Restore: true, Plan: testPlan.Plan, MaxParallelism: 256},
			"DIR/chk-2 was made with 'pipeline.max-parallelism' = 128, it is now 256: it cannot change; unset, it is what the checkpoint has"},
		{"too few key groups", used(t, false), Disk{}, Options{Restore: true, Plan: testPlan.Plan, MaxParallelism: 256, Derived: true,
			Parallelism: 129}, "DIR/chk-2 has 128 key groups ('pipeline.max-parallelism'), which cannot be divided among 129 subtasks: " +
			"lower 'parallelism.default' to 128 at most"},
		{"foreign", foreign, Disk{}, testPlan, `DIR: it holds "letter.txt" and no file "job": this is no checkpoint directory`},
		{"no such checkpoint", empty, Disk{}, Options{From: 3}, "there is no chk-3 in DIR; there are: none"},
		{"no directory", filepath.Join(empty, "x"), Disk{}, Options{From: 3}, "there is no chk-3: directory DIR is missing"},
		{"unreadable", used(t, false), deaf{}, testPlan, "checkpoint: open directory DIR: permission denied"},
	} {
		before := snapshot(t, c.dir)
		_, err := Open(c.fs, c.dir, c.o)
		if err == nil {
			t.Errorf("%s: opened", c.name)
			continue
		}
		id, _ := os.ReadFile(filepath.Join(c.dir, jobName))
		got := strings.ReplaceAll(err.Error(), c.dir, "DIR")
		if len(id) > 0 {
			got = strings.ReplaceAll(got, strings.TrimSpace(strings.TrimPrefix(string(id), jobText)), "ID")
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		if c.dir != empty && !reflect.DeepEqual(before, snapshot(t, c.dir)) {
			t.Errorf("%s: the directory was changed", c.name)
		}
	}
	// The job's id alone is no reason to refuse: nothing was run with it.
	dir := t.TempDir()
	o := Options{Plan: testPlan.Plan, MaxParallelism: 128}
	d := open(t, Disk{}, dir, o)
	_ = d.Close()
	if again := open(t, Disk{}, dir, o); again.Job() != d.Job() {
		t.Errorf("job %s, then %s", d.Job(), again.Job())
	}
}

// deaf is a disk with a directory that cannot be listed.
type deaf struct{ Disk }

func (deaf) ReadDir(string) ([]string, error) { return nil, os.ErrPermission }

// snapshot reads all files of a directory, but for the lock.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	hidden, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, hidden...) {
		b, err := os.ReadFile(name)
		if base := filepath.Base(name); err == nil && base != lockName {
			out[base] = string(b)
		}
	}
	return out
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	d := open(t, Disk{}, dir, testPlan)
	_, err := Open(Disk{}, dir, testPlan)
	var l *Locked
	if !errors.As(err, &l) || l.PID != os.Getpid() || !strings.Contains(err.Error(), fmt.Sprintf("is held by process %d", os.Getpid())) {
		t.Fatalf("second start: %v", err)
	}
	take(t, d, 1)
	_ = d.Close()
	if d = open(t, Disk{}, dir, testPlan); d.Restored().Epoch != 1 {
		t.Error("the lock was not let go")
	}
}

// TestAbort: a checkpoint given up while tasks still write leaves nothing and hurts nobody.
func TestAbort(t *testing.T) {
	dir := t.TempDir()
	d := open(t, Disk{}, dir, testPlan)
	take(t, d, 1)
	e := begin(t, d)
	var wg sync.WaitGroup
	started := make(chan bool, 3)
	for task := range 3 {
		wg.Go(func() {
			f := e.Data(0, task)
			var err error
			for i := 0; err == nil; i++ {
				_, err = f.Append(Block{Table: "t"}, noise(100_000))
				if i == 3 {
					started <- true
				}
			}
			if !errors.Is(err, errEnded) || !errors.Is(f.Close(), errEnded) {
				t.Error(err)
			}
		})
	}
	for range 3 {
		<-started
	}
	e.Abort()
	wg.Wait()
	if got := visible(t, d); got != ".ID-1-0-0 .ID-completed chk-1 job lock" {
		t.Errorf("after giving up: %s", got)
	}
	take(t, d, 1)
	if got := visible(t, d); got != ".ID-3-0-0 .ID-completed chk-3 job lock" {
		t.Errorf("after the next: %s", got)
	}
}
