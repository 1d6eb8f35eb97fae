package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var testPlan = Options{Plan: "Source: t\nSink: u", MaxParallelism: 128, Restore: true}

// job is a job of two tasks whose state is a function of the checkpoint. Task 0 writes all of its state
// every time; task 1 writes it at every third checkpoint and otherwise names what it wrote before.
type job struct {
	d     *Directory
	old   []Block // of task 1
	acked int64   // the last checkpoint that was completed for sure
	tried int64
	last  int64 // the last one tried in this life
	id    string
}

func stateOf(epoch int64, task int) []byte {
	return bytes.Repeat([]byte(fmt.Sprintf("state %d of task %d;", epoch, task)), 40)
}

func (j *job) checkpoint(finished bool) error {
	e, err := j.d.Begin()
	if err != nil {
		return err
	}
	if e.Number() <= max(j.last, j.acked) {
		panic("the number of a checkpoint is used twice")
	}
	j.last, j.tried = e.Number(), max(j.tried, e.Number())
	m := &Metadata{Finished: finished, Plan: testPlan.Plan, MaxParallelism: 128}
	m.Splits = []Split{{Place{0, 0, 0}, "s", []byte(fmt.Sprint(e.Number())), finished}}
	m.Committables = []Committable{{Place{0, 2, 1}, []byte(fmt.Sprint("file ", e.Number()))}}
	old := j.old
	for task := range 2 {
		if task == 1 && e.Number()%3 != 0 && len(old) > 0 {
			m.Blocks = append(m.Blocks, old...)
			continue
		}
		f := e.Data(0, task)
		k, err := f.Append(Block{Place: Place{0, 1, task}, Table: fmt.Sprint(e.Number())}, stateOf(e.Number(), task))
		if err = errors.Join(err, f.Close()); err != nil {
			e.Abort()
			return err
		}
		m.Blocks = append(m.Blocks, k)
		if task == 1 {
			old = []Block{k}
		}
	}
	if err := e.Commit(m); err != nil {
		return err
	}
	j.old, j.acked = old, e.Number()
	return nil
}

// start opens the directory and checks what is restored.
func (j *job) start(fs FS) (err error) {
	if j.d, err = Open(fs, "d", testPlan); err != nil {
		return err
	}
	if j.id != "" && j.d.Job() != j.id {
		return fmt.Errorf("lost: the id of the job")
	}
	j.old, j.last, j.id = nil, 0, j.d.Job()
	m := j.d.Restored()
	if m == nil {
		if j.acked > 0 {
			return fmt.Errorf("lost: chk-%d", j.acked)
		}
		return nil
	}
	if m.Epoch < j.acked || m.Epoch > j.tried {
		return fmt.Errorf("wrong: chk-%d is restored, chk-%d was completed, chk-%d was tried", m.Epoch, j.acked, j.tried)
	}
	j.acked = m.Epoch
	if string(m.Splits[0].Position) != fmt.Sprint(m.Epoch) {
		return fmt.Errorf("wrong: position %s", m.Splits[0].Position)
	}
	for task := range 2 {
		blocks := m.BlocksOf(0, 1, task, 2)
		if len(blocks) != 1 {
			return fmt.Errorf("wrong: task %d has %d blocks", task, len(blocks))
		}
		var from int64
		if _, err := fmt.Sscan(blocks[0].Table, &from); err != nil {
			return err
		}
		got, err := j.d.Read(blocks[0], nil)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, stateOf(from, task)) || task == 0 && from != m.Epoch {
			return fmt.Errorf("wrong: state of task %d: %.40q", task, got)
		}
		if task == 1 {
			j.old = blocks
		}
	}
	return j.d.EndRestore()
}

// life starts, takes checkpoints, and says whether it came to its end.
func (j *job) life(fs FS) error {
	if err := j.start(fs); err != nil {
		return err
	}
	for i := range 4 {
		if err := j.checkpoint(i == 3); err != nil {
			return err
		}
		if err := j.d.Retire(); err != nil {
			return err
		}
	}
	return j.d.Close()
}

// tidy says what is in the directory besides what belongs there.
func tidy(fs *memory, d *Directory) error {
	for name := range fs.live {
		named := slices.ContainsFunc(d.kept, func(c kept) bool { return c.files[name] || epochName(c.epoch) == name })
		if !named && name != jobName && name != lockName && name != d.markName() {
			return fmt.Errorf("left over: %s", name)
		}
	}
	if len(d.kept) != 1 {
		return fmt.Errorf("%d checkpoints are kept", len(d.kept))
	}
	return nil
}

// whole says what hidden files nothing names, and what is named and missing.
func whole(fs *memory, d *Directory) error {
	for name := range fs.live {
		_, own := d.own(name)
		if own && !slices.ContainsFunc(d.kept, func(c kept) bool { return c.files[name] }) {
			return fmt.Errorf("left over: %s", name)
		}
	}
	for _, c := range d.kept {
		for name := range c.files {
			if fs.live[name] == nil {
				return fmt.Errorf("chk-%d names %s, which is gone", c.epoch, name)
			}
		}
	}
	return nil
}

// TestKilledAtEveryCall kills the process, or cuts the power, at every call of the file system, with and
// without the effect of that call; in the start after it too.
func TestKilledAtEveryCall(t *testing.T) {
	for variant := range 8 {
		after, power, twice := variant&1 > 0, variant&2 > 0, variant&4 > 0
		t.Run(fmt.Sprintf("after=%t,power=%t,twice=%t", after, power, twice), func(t *testing.T) {
			for n := 1; ; n++ {
				r := rand.New(rand.NewPCG(uint64(n), uint64(variant)))
				m, j := newMemory(), &job{}
				kill := func(at int) error {
					m.failAt, m.after, m.dies = at, after, true
					err := j.life(m)
					if err != nil && !errors.Is(err, errInjected) {
						t.Fatalf("call %d of the first life: %v", n, err)
					}
					m.crash(power, r)
					return err
				}
				if kill(n) == nil {
					break
				}
				if twice {
					_ = kill(1 + r.IntN(40))
				}
				if err := j.start(m); err != nil {
					t.Fatalf("start after call %d: %v", n, err)
				}
				if err := whole(m, j.d); err != nil {
					t.Fatalf("start after call %d: %v", n, err)
				}
				restored := j.d.Restored()
				m.crash(true, r)
				if err := j.start(m); err != nil {
					t.Fatalf("second start after call %d: %v", n, err)
				}
				if was, is := restored, j.d.Restored(); (was == nil) != (is == nil) || was != nil && was.Epoch != is.Epoch {
					t.Fatalf("second start after call %d: %+v, then %+v", n, was, is)
				}
				m.crash(true, r)
				if err := j.life(m); err != nil {
					t.Fatalf("life after call %d: %v", n, err)
				}
				if err := tidy(m, j.d); err != nil {
					t.Fatalf("after call %d: %v", n, err)
				}
			}
		})
	}
}

// TestFailureAtEveryCall lets one call fail and the job go on: a checkpoint is lost, not the job.
func TestFailureAtEveryCall(t *testing.T) {
	for _, after := range []bool{false, true} {
		for n := 1; ; n++ {
			m, j := newMemory(), &job{}
			m.failAt, m.after = n, after
			err := j.start(m)
			if err != nil {
				if !errors.Is(err, errInjected) {
					t.Fatalf("call %d: %v", n, err)
				}
				if err = j.start(m); err != nil {
					t.Fatalf("start after call %d: %v", n, err)
				}
			}
			failed := 0
			for i := range 6 {
				err := j.checkpoint(i == 5)
				var u *Uncertain
				if err != nil {
					failed++
				}
				if errors.As(err, &u) {
					if _, err := j.d.Begin(); !errors.As(err, &u) {
						t.Fatalf("call %d: after an uncertain checkpoint: %v", n, err)
					}
					if err := j.d.Close(); err != nil {
						t.Fatalf("call %d: %v", n, err)
					}
					if err = j.start(m); err != nil {
						t.Fatalf("start after call %d: %v", n, err)
					}
				}
				_ = j.d.Retire()
			}
			calls := m.calls
			m.failAt = 0
			if failed > 0 {
				if err := j.checkpoint(true); err != nil {
					t.Fatalf("call %d: the checkpoint after a failed one: %v", n, err)
				}
			}
			if err := j.d.Retire(); err != nil {
				t.Fatal(err)
			}
			if failed > 1 || j.acked != j.tried {
				t.Fatalf("call %d: %d checkpoints failed; completed %d of %d", n, failed, j.acked, j.tried)
			}
			if err := tidy(m, j.d); err != nil {
				t.Fatalf("call %d: %v", n, err)
			}
			if err := j.d.Close(); err != nil || m.opens() > 0 {
				t.Fatalf("call %d: %v; %d files are open", n, err, m.opens())
			}
			if calls < n {
				break
			}
		}
	}
}

func TestDiskFull(t *testing.T) {
	m, j := newMemory(), &job{}
	if err := j.start(m); err != nil {
		t.Fatal(err)
	}
	if err := j.checkpoint(false); err != nil {
		t.Fatal(err)
	}
	full := 0
	for room := 0; room < 2000; room += 40 {
		m.room = room
		if err := j.checkpoint(false); err != nil {
			full++
			if !strings.Contains(err.Error(), "no space left") {
				t.Fatal(err)
			}
			if m.room != room {
				t.Fatalf("%d bytes are free after a failed checkpoint, %d were", m.room, room)
			}
		}
		m.room = -1
		if err := j.d.Retire(); err != nil {
			t.Fatal(err)
		}
	}
	if full == 0 || j.acked != j.tried {
		t.Fatalf("%d checkpoints failed; completed %d of %d", full, j.acked, j.tried)
	}
}
