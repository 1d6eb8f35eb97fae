package filesystem

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/state"
	"streamsql/exec/types"
)

var errDisk = errors.New("no space left on device")

// life writes rows in steps, with checkpoints between; a failure ends the process, and the next one goes on from the
// last complete checkpoint.
type life struct {
	*stream
	at, saved  int // rows written, and as of the checkpoint
	calls      int // changes of the file system
	fail       int // the one that fails, 0 for none
	overwrites bool
}

// rows go to four partitions, of which two are open at most.
var lifeRows = func() (out []string) {
	for i := range 40 {
		out = append(out, fmt.Sprintf("%d:%d", i/5%4, i))
	}
	return out
}()

// run is false when a call failed.
func (l *life) run() (whole bool, err error) {
	l.sink = openSink(l.t, partitioned, []int{0}, l.policy).(*sink)
	l.sink.disk.lazy = true
	if l.overwrites {
		if err := l.sink.Overwrite(dynamic); err != nil {
			return false, err
		}
	}
	l.sink.disk.before = func(op, path string) error {
		if l.calls++; l.calls == l.fail {
			return fmt.Errorf("%s %s: %w", op, path, errDisk)
		}
		return nil
	}
	c := committer{l.sink, func() time.Time { return l.clock }}
	if err := c.Commit(l.epoch, l.last, l.watermark); err != nil {
		return false, err
	}
	if err := l.sink.Clean("job1"); err != nil {
		return false, err
	}
	w, err := l.sink.Open(&connector.Context{Job: "job1", Parallelism: 1})
	if err != nil {
		return false, err
	}
	l.w, l.store, l.at = w.(*writer), state.NewStore(state.Options{}), l.saved
	defer func() { _ = l.w.Close() }()
	l.w.now = func() time.Time { return l.clock }
	if l.stream.saved != nil {
		if err := l.store.Load(state.KeyGroups{}, strings.NewReader(string(l.stream.saved))); err != nil {
			return false, err
		}
	}
	if err := l.w.Keep(l.store); err != nil {
		return false, err
	}
	for {
		n := min(7, len(lifeRows)-l.at)
		if n == 0 {
			if err := l.w.Advance(types.MaxTime); err != nil {
				return false, err
			}
		} else if err := l.w.Write(textBatch(lifeRows[l.at : l.at+n])); err != nil {
			return false, err
		}
		l.at += n
		if l.at%2 == 1 && n > 0 {
			continue
		}
		epoch, now := l.epoch+1, l.clock
		committables, wait, err := l.w.Prepare(epoch)
		if err == nil {
			err = wait()
		}
		if err != nil {
			return false, err
		}
		l.clock = now.Add(time.Second)
		l.stream.saved, l.last, l.epoch, l.saved = frozen(l.t, l.store), committables, epoch, l.at
		l.watermark = l.w.watermark
		if err := c.Commit(epoch, committables, l.watermark); err != nil {
			return false, err
		}
		if n == 0 {
			return true, nil
		}
	}
}

// TestFailingDisk fails every change of the file system in turn: the error says so, the files of the next attempts hold
// each row once, and nothing is left hidden.
func TestFailingDisk(t *testing.T) {
	var want []string
	for _, r := range lifeRows {
		k, v, _ := strings.Cut(r, ":")
		want = append(want, k+" "+v)
	}
	slices.Sort(want)
	for name, more := range map[string]map[string]string{
		"csv":           {"format": "csv", "sink.rolling-policy.file-size": "20b"},
		"csv compacted": {"format": "csv", "sink.rolling-policy.file-size": "4b", "auto-compaction": "true", "compaction.file-size": "20b"},
		"parquet":       {"format": "parquet"},
		"parquet compacted": {"format": "parquet", "sink.rolling-policy.file-size": "1b", "auto-compaction": "true",
			"compaction.file-size": "4kb", "compaction.parallelism": "1"},
		"overwrite": {"format": "csv", "sink.rolling-policy.file-size": "20b"},
		"overwrite compacted": {"format": "csv", "sink.rolling-policy.file-size": "4b", "auto-compaction": "true",
			"compaction.file-size": "20b"},
	} {
		t.Run(name, func(t *testing.T) {
			step := 1
			if testing.Short() {
				step = 3
			}
			for fail := 1; ; fail += step {
				policy := map[string]string{"path": filepath.Join(t.TempDir(), "k"), "sink.open-files": "2",
					"sink.partition-commit.policy.kind": "success-file", "sink.partition-commit.delay": "3 s"}
				maps.Copy(policy, more)
				l := &life{stream: &stream{t: t, watermark: types.MinTime, clock: time.UnixMilli(1e12), policy: policy}, fail: fail,
					overwrites: strings.HasPrefix(name, "overwrite")}
				failed := 0
				for {
					whole, err := l.run()
					if whole {
						break
					}
					if !errors.Is(err, errDisk) || !strings.HasPrefix(err.Error(), "filesystem: ") {
						t.Fatalf("call %d: %v", fail, err)
					}
					failed++
				}
				got := strings.Split(strings.TrimSpace(rowsOf(t, partitioned, []int{0}, policy, 100)), "\n")
				slices.Sort(got)
				if !slices.Equal(got, want) || l.left() > 0 || strings.Count(l.files(), "_SUCCESS") != 4 {
					t.Fatalf("call %d: %d rows, want %d, %d hidden files, %s", fail, len(got), len(want), l.left(), l.files())
				}
				if failed == 0 {
					t.Logf("%d calls", l.calls)
					return
				}
			}
		})
	}
}

// TestDurable: when an epoch may be completed every file that it names was synced after it was written, and when it is
// committed the directory of every renamed file was synced after that.
func TestDurable(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"sink.open-files": "2", "sink.rolling-policy.file-size": "8b",
		"sink.partition-commit.policy.kind": "success-file"})
	dirty := map[string]bool{} // files with unsynced rows, directories with unsynced names
	s.sink.disk.before = func(op, path string) error {
		switch op {
		case "write":
			dirty[path] = true
		case "open", "rename":
			dirty[filepath.Dir(path)] = true
		case "mkdir":
			if _, err := os.Stat(path); err != nil {
				dirty[filepath.Dir(path)] = true
			}
		case "sync":
			delete(dirty, path)
		}
		return nil
	}
	for i := range 20 {
		s.write(fmt.Sprintf("x:%d", i), fmt.Sprintf("y:%d", i), fmt.Sprintf("%d:1", i))
		s.prepare()
		if len(dirty) > 0 {
			t.Fatalf("not durable when the epoch is: %v", dirty)
		}
		s.commit()
		if len(dirty) > 0 {
			t.Fatalf("not durable when the epoch is committed: %v", dirty)
		}
	}
}
