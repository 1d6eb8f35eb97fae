package filesystem

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// stream is a sink with a writer whose clock the test sets, as a job with checkpoints has it.
type stream struct {
	t      *testing.T
	sink   *sink
	w      *writer
	store  *state.Store
	clock  time.Time
	epoch  int64
	saved  []byte // the writer's store as of the last checkpoint
	last   [][]byte
	policy map[string]string
	// watermark is that of the last checkpoint.
	watermark types.EventTime
}

var partitioned = []connector.Column{{Name: "dt", Type: types.String()}, {Name: "a", Type: types.String()}}

// newStream opens a table partitioned by dt in dir.
func newStream(t *testing.T, dir string, opts map[string]string) *stream {
	t.Helper()
	all := map[string]string{"path": dir, "format": "csv"}
	for k, v := range opts {
		all[k] = v
	}
	s := &stream{t: t, policy: all, clock: time.UnixMilli(1e12), watermark: types.MinTime}
	s.sink = openSink(t, partitioned, []int{0}, all).(*sink)
	s.open("job1")
	return s
}

// open makes a new writer, of what the last checkpoint saved.
func (s *stream) open(job string) {
	s.t.Helper()
	if s.saved == nil {
		s.begin(job)
		return
	}
	s.begin(job, s.saved)
}

// begin makes a new writer, of what several saved.
func (s *stream) begin(job string, saved ...[]byte) {
	s.t.Helper()
	w, err := s.sink.Open(&connector.Context{Job: job, Parallelism: 1, Env: &function.Env{Zone: time.UTC}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.w, s.store = w.(*writer), state.NewStore(state.Options{})
	s.w.now = func() time.Time { return s.clock }
	if s.epoch > 0 {
		if err := w.Advance(s.watermark); err != nil {
			s.t.Fatal(err)
		}
	}
	s.w.check = s.clock.UnixMilli() + s.sink.o.Rolling.Check.Milliseconds()
	for _, b := range saved {
		if err := s.store.Load(state.KeyGroups{}, bytes.NewReader(b)); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := s.w.Keep(s.store); err != nil {
		s.t.Fatal(err)
	}
}

// crash forgets the writer and the sink, and goes on from the last checkpoint.
func (s *stream) crash(job string) {
	s.t.Helper()
	s.sink = openSink(s.t, partitioned, []int{0}, s.policy).(*sink)
	s.commit()
	if err := s.sink.Clean(job); err != nil {
		s.t.Fatal(err)
	}
	s.open(job)
}

// write takes `partition:value` texts, one batch.
func (s *stream) write(rows ...string) {
	s.t.Helper()
	if err := s.w.Write(textBatch(rows)); err != nil {
		s.t.Fatal(err)
	}
}

// textBatch has a row for each `partition:value`.
func textBatch(rows []string) *vector.Batch {
	dt, a := vector.NewBuilder(types.String()), vector.NewBuilder(types.String())
	for _, r := range rows {
		k, v, _ := strings.Cut(r, ":")
		dt.AppendString(k)
		a.AppendString(v)
	}
	b := &vector.Batch{Len: len(rows), Cols: []*vector.Column{{}, {}}}
	dt.Finish(b.Cols[0])
	a.Finish(b.Cols[1])
	return b
}

// checkpoint prepares an epoch and commits.
func (s *stream) checkpoint() {
	s.t.Helper()
	s.prepare()
	s.commit()
}

// prepare prepares an epoch, and saves the store.
func (s *stream) prepare() {
	s.t.Helper()
	s.epoch++
	c, wait, err := s.w.Prepare(s.epoch)
	if err == nil {
		err = wait()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.saved, s.last, s.watermark = frozen(s.t, s.store), c, s.w.watermark
}

// frozen is a snapshot of a store.
func frozen(t *testing.T, s *state.Store) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := s.Freeze(true).Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (s *stream) commit() {
	s.t.Helper()
	c := committer{s.sink, func() time.Time { return s.clock }}
	if err := c.Commit(s.epoch, s.last, s.watermark); err != nil {
		s.t.Fatal(err)
	}
}

// files are the visible files of the table: `folder: lines`, sorted; the marks too.
func (s *stream) files() string {
	s.t.Helper()
	var out []string
	err := filepath.WalkDir(s.w.root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		b, err := os.ReadFile(path)
		folder := filepath.Base(filepath.Dir(path))
		line := folder + ": " + strings.ReplaceAll(strings.TrimSuffix(string(b), "\n"), "\n", ",")
		if hidden(d.Name()) {
			line = folder + " " + d.Name()
		}
		out = append(out, line)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func (s *stream) want(when, want string) {
	s.t.Helper()
	if got := s.files(); got != want {
		s.t.Errorf("%s: got %q, want %q", when, got, want)
	}
}

// left counts the hidden files.
func (s *stream) left() (n int) {
	_ = filepath.WalkDir(s.w.root, func(_ string, d os.DirEntry, _ error) error {
		if strings.HasPrefix(d.Name(), ".") {
			n++
		}
		return nil
	})
	return n
}

// TestRolling: a file goes on over checkpoints until it is too large, too old or idle for too long.
func TestRolling(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"sink.rolling-policy.file-size": "8b"})
	s.write("x:1", "y:1", "x:2")
	s.checkpoint()
	s.want("young", "")
	s.write("x:3", "x:4", "x:5", "x:6")
	s.want("too large, before the checkpoint", "")
	s.checkpoint()
	s.want("too large", "dt=x: 1,2,3,4,5")
	s.clock = s.clock.Add(29 * time.Minute)
	s.write("y:2")
	s.checkpoint()
	s.want("x is not idle for long enough", "dt=x: 1,2,3,4,5")
	s.clock = s.clock.Add(time.Minute)
	s.checkpoint()
	s.want("too old", "dt=x: 1,2,3,4,5; dt=x: 6; dt=y: 1,2")
	s.write("z:1")
	if err := s.w.Advance(types.MaxTime); err != nil {
		t.Fatal(err)
	}
	s.checkpoint()
	s.want("the end", "dt=x: 1,2,3,4,5; dt=x: 6; dt=y: 1,2; dt=z: 1")
	if n := s.left(); n > 0 {
		t.Errorf("%d hidden files are left", n)
	}
	form := regexp.MustCompile(`^part-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-0-\d+$`)
	names, _ := filepath.Glob(filepath.Join(s.w.root, "*", "*"))
	for _, name := range names {
		if !form.MatchString(filepath.Base(name)) {
			t.Errorf("a file is named %s", name)
		}
	}
}

// TestResumeFiles: after a crash a file goes on from where the checkpoint knew it, and what no checkpoint knew is gone,
// but for what is another job's.
func TestResumeFiles(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"sink.open-files": "1"})
	s.write("x:1", "y:1")
	s.checkpoint()
	s.write("x:lost", "z:lost")
	other := filepath.Join(s.w.root, "dt=x", ".part-1-0-0.inprogress.job2")
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.w.Prepare(99); err != nil { // which did not come to its end
		t.Fatal(err)
	}
	s.crash("job1")
	if n := s.left(); n != 3 {
		t.Errorf("%d hidden files, want x, y and the other job's", n)
	}
	s.write("x:2", "z:2")
	s.checkpoint()
	s.crash("job1")
	s.write("y:3")
	s.crash("job1")
	s.write("y:4")
	if err := s.w.Advance(types.MaxTime); err != nil {
		t.Fatal(err)
	}
	s.checkpoint()
	s.want("the end", "dt=x: 1,2; dt=y: 1,4; dt=z: 2")
	s.commit() // once more
	s.want("again", "dt=x: 1,2; dt=y: 1,4; dt=z: 2")
	if n := s.left(); n != 1 {
		t.Errorf("%d hidden files, want the other job's", n)
	}
}

// TestFewerWriters: where several writers had files of a partition open, one that has their place goes on with one of them
// and ends the others.
func TestFewerWriters(t *testing.T) {
	for _, writers := range []int{1, 2, 3} {
		dir := filepath.Join(t.TempDir(), "k")
		var saved [][]byte
		var want []string
		var s *stream
		for i := range writers {
			s = newStream(t, dir, nil)
			s.write(fmt.Sprintf("x:%d", i))
			s.prepare()
			saved = append(saved, s.saved)
			want = append(want, fmt.Sprintf("dt=x: %d", i))
		}
		s.begin("job1", saved...)
		s.checkpoint()
		if n := strings.Count(s.files(), "dt=x"); n != writers-1 {
			t.Errorf("%d of %d files ended", n, writers)
		}
		s.clock = s.clock.Add(time.Hour)
		s.checkpoint()
		s.want("the end", strings.Join(want, "; "))
	}
}

// TestDamagedFiles: a file that is gone or shorter than a checkpoint knows it is no file to go on with. One that is
// visible is left alone: the job went back to an older checkpoint.
func TestDamagedFiles(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), nil)
	s.write("x:1", "x:2")
	s.checkpoint()
	names, _ := filepath.Glob(filepath.Join(s.w.root, "dt=x", ".part*"))
	if len(names) != 1 {
		t.Fatal(names)
	}
	refused := func(want string) {
		t.Helper()
		w, err := s.sink.Open(&connector.Context{Job: "job1", Parallelism: 1})
		if err != nil {
			t.Fatal(err)
		}
		store := state.NewStore(state.Options{})
		if err := store.Load(state.KeyGroups{}, bytes.NewReader(s.saved)); err != nil {
			t.Fatal(err)
		}
		if err := w.(*writer).Keep(store); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if err := os.Truncate(names[0], 3); err != nil {
		t.Fatal(err)
	}
	refused("has 3 bytes and 4 at the checkpoint")
	if err := os.Rename(names[0], filepath.Join(s.w.root, "dt=x", "aside")); err != nil {
		t.Fatal(err)
	}
	refused("and it is gone")
	visible := strings.TrimSuffix(filepath.Base(names[0])[1:], ".inprogress.job1")
	if err := os.Rename(filepath.Join(s.w.root, "dt=x", "aside"), filepath.Join(s.w.root, "dt=x", visible)); err != nil {
		t.Fatal(err)
	}
	s.crash("job1")
	s.write("x:3")
	s.clock = s.clock.Add(time.Hour)
	s.checkpoint()
	s.want("visible before", "dt=x: 1,2; dt=x: 3")
}

// TestSettled: nothing is left open for a savepoint, and partitions wait over it for their commit.
func TestSettled(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"sink.partition-commit.policy.kind": "success-file",
		"sink.partition-commit.delay": "5 min"})
	s.write("x:1", "y:1")
	if err := s.w.Settle(); err != nil {
		t.Fatal(err)
	}
	s.checkpoint()
	s.want("settled", "dt=x: 1; dt=y: 1")
	s.last, s.epoch = nil, 0 // a savepoint has no committables, and another job counts anew
	s.crash("job2")
	s.write("x:2")
	s.clock = s.clock.Add(6 * time.Minute)
	s.checkpoint()
	s.want("gone on", "dt=x _SUCCESS; dt=x: 1; dt=x: 2; dt=y _SUCCESS; dt=y: 1")
	s.checkpoint()
	if len(s.w.pending) > 0 {
		t.Errorf("%d partitions are waited for", len(s.w.pending))
	}
}

// TestManyBuckets: parked files go on, and hold neither memory nor a handle.
func TestManyBuckets(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"sink.open-files": "3"})
	var want []string
	for round := range 3 {
		for k := range 20 {
			s.write(fmt.Sprintf("p%02d:%d", k, round))
		}
		if s.w.handles > 3 {
			t.Fatalf("%d handles", s.w.handles)
		}
		s.checkpoint()
	}
	for k := range 20 {
		want = append(want, fmt.Sprintf("dt=p%02d: 0,1,2", k))
	}
	s.clock = s.clock.Add(time.Hour)
	s.checkpoint()
	s.want("the end", strings.Join(want, "; "))
}
