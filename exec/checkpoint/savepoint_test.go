package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// places is a file system of several directories, each a memory of its own.
type places map[string]*memory

func (p places) of(name string) *memory {
	if m := p[name]; m != nil {
		return m
	}
	return p[filepath.Dir(name)]
}

func (p places) MakeDir(name string) error             { return p[name].MakeDir(name) }
func (p places) ReadDir(name string) ([]string, error) { return p[name].ReadDir(name) }
func (p places) Create(name string) (File, error)      { return p.of(name).Create(name) }
func (p places) Open(name string) (Reader, error)      { return p.of(name).Open(name) }
func (p places) Rename(from, to string) error          { return p.of(from).Rename(from, to) }
func (p places) SyncDir(name string) error             { return p[name].SyncDir(name) }
func (p places) Lock(name string) (io.Closer, error)   { return p.of(name).Lock(name) }

func (p places) Remove(name string) error {
	m := p[name]
	if m == nil {
		return p.of(name).Remove(name)
	}
	if len(m.live) > 0 {
		return fmt.Errorf("%s is not empty", name)
	}
	m.made = false
	return nil
}

// TestSavepointAtEveryCall lets every call fail of the file system that a savepoint is written to, or that it is
// read from, alone or with all after it, and cuts the power: there is a whole savepoint or none, and the checkpoint
// it is of goes on to be good.
func TestSavepointAtEveryCall(t *testing.T) {
	for variant := range 8 {
		reads, dies, after := variant&1 > 0, variant&2 > 0, variant&4 > 0
		for n := 1; ; n++ {
			r := rand.New(rand.NewPCG(uint64(n), uint64(variant)))
			p, j := places{"d": newMemory(), "s": newMemory(), "e": newMemory()}, &job{}
			for i := range 4 {
				if i == 0 {
					if err := j.start(p); err != nil {
						t.Fatal(err)
					}
				}
				if err := errors.Join(j.checkpoint(false), j.d.Retire()); err != nil {
					t.Fatal(err)
				}
			}
			m, err := j.d.read(j.acked)
			if err != nil {
				t.Fatal(err)
			}
			bad := p["s"]
			if reads {
				bad = p["d"]
			}
			bad.calls, bad.failAt, bad.dies, bad.after = 0, n, dies, after
			err = j.d.Export(m, "s")
			over := bad.calls < n
			if err != nil && !errors.Is(err, errInjected) {
				t.Fatalf("variant %d, call %d: %v", variant, n, err)
			}
			bad.failAt = 0
			if err != nil && !dies && !after {
				if len(p["s"].live) > 0 && bad != p["s"] {
					t.Fatalf("variant %d, call %d: left %v", variant, n, p["s"].live)
				}
			}
			p["s"].crash(true, r)
			if _, got, e := openSavepoint(p, "s"); err == nil && (e != nil || len(got.Blocks) != len(m.Blocks)) {
				t.Fatalf("variant %d, call %d: the savepoint is not there: %v", variant, n, e)
			} else if e == nil {
				p["d"].crash(true, r)
				p["d"].live, p["d"].durable = map[string]*inode{}, map[string]*inode{} // it needs no other directory
				o := testPlan
				o.Savepoint = "s"
				d, e := Open(p, "e", o)
				if e != nil {
					t.Fatalf("variant %d, call %d: %v", variant, n, e)
				}
				for task := range 2 {
					for _, k := range d.Restored().BlocksOf(0, 1, task, 2) {
						var from int64
						_, _ = fmt.Sscan(k.Table, &from)
						if got, e := d.Read(k, nil); e != nil || string(got) != string(stateOf(from, task)) {
							t.Fatalf("variant %d, call %d: %q, %v", variant, n, got, e)
						}
					}
				}
				if e := d.Close(); e != nil || p["s"].opens() > 0 {
					t.Fatalf("variant %d, call %d: %v, %d files are open", variant, n, e, p["s"].opens())
				}
			}
			if over {
				break
			}
		}
	}
}

// saved makes a savepoint on the disk.
func saved(t *testing.T) string {
	t.Helper()
	d := open(t, Disk{}, t.TempDir(), testPlan)
	take(t, d, 2)
	path := filepath.Join(t.TempDir(), "s")
	m, err := d.read(2)
	if err == nil {
		err = errors.Join(d.Export(m, path), d.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSavepointDamaged flips a bit of every byte and cuts at every length of every file.
func TestSavepointDamaged(t *testing.T) {
	path := saved(t)
	good := snapshot(t, path)
	if len(good) != 3 {
		t.Fatal(good)
	}
	for name, text := range good {
		for i := range 2 * len(text) {
			b := []byte(text)
			if i < len(b) {
				b[i] ^= 1 << (i % 8)
			} else {
				b = b[:i-len(b)]
			}
			if err := os.WriteFile(filepath.Join(path, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t, path)
			o := testPlan
			o.Savepoint = path
			_, err := Open(Disk{}, filepath.Join(t.TempDir(), "d"), o)
			var damage *Damage
			if !errors.As(err, &damage) || filepath.Dir(damage.File) != path {
				t.Errorf("%s, %d: %v", name, i, err)
			}
			if !reflect.DeepEqual(before, snapshot(t, path)) {
				t.Fatalf("%s, %d: the savepoint was changed", name, i)
			}
		}
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNoSavepoint(t *testing.T) {
	o := testPlan
	for what, make := range map[string]func() string{
		"open savepoint": func() string { return filepath.Join(t.TempDir(), "none") },
		"is no savepoint: it holds no file \"job\" with one file chk-N beside it": t.TempDir,
		"is a directory of checkpoints, no savepoint: go on from it with --restore": func() string {
			d := open(t, Disk{}, t.TempDir(), testPlan)
			take(t, d, 1)
			return d.path
		},
	} {
		o.Savepoint = make()
		if _, err := Open(Disk{}, t.TempDir(), o); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	o.Savepoint = saved(t)
	o.Plan = "Source: t\nSink: v"
	var differs *PlanDiffers
	if _, err := Open(Disk{}, t.TempDir(), o); !errors.As(err, &differs) || filepath.Dir(differs.File) != o.Savepoint {
		t.Error(err)
	}
	d := open(t, Disk{}, t.TempDir(), testPlan)
	take(t, d, 1)
	m, _ := d.read(1)
	if err := d.Export(m, o.Savepoint); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(o.Savepoint, "chk-2")); errors.Is(err, fs.ErrNotExist) {
		t.Error("a savepoint was overwritten")
	}
}
