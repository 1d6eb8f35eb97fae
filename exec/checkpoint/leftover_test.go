package checkpoint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// TestRemoveLeft: what a process that was killed left of jobs that take their directory along goes; that of a live one
// stays, as does one that was to stay, one that holds anything else, and what has another name.
func TestRemoveLeft(t *testing.T) {
	above := t.TempDir()
	started := func(name string, o Options) *Directory {
		d := open(t, Disk{}, filepath.Join(above, name), o)
		j := &job{d: d}
		if err := j.checkpoint(false); err != nil {
			t.Fatal(err)
		}
		return d
	}
	// killed leaves the files of a running job as they are when its process dies.
	killed := func(name string, o Options) {
		d := started("running", o)
		dir := filepath.Join(above, name)
		if err := os.CopyFS(dir, os.DirFS(d.path)); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(d.path); err != nil {
			t.Fatal(err)
		}
	}
	transient := testPlan
	transient.Transient = true
	live := started(".job-live", transient)
	killed(".job-dead", transient)
	killed(".job-used", transient)
	killed(".job-kept", testPlan)
	killed("job", transient)
	if err := os.WriteFile(filepath.Join(above, ".job-used", "notes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".job-early", "savepoint-1"} {
		if err := os.Mkdir(filepath.Join(above, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{above, filepath.Join(above, "missing")} {
		if err := RemoveLeft(Disk{}, dir, ".job-"); err != nil {
			t.Error(err)
		}
	}
	want := []string{".job-early", ".job-kept", ".job-live", ".job-used", "job", "savepoint-1"}
	if names, _ := (Disk{}).ReadDir(above); !slices.Equal(names, want) {
		t.Errorf("left: %v, want %v", names, want)
	}
	before := snapshot(t, live.path)
	if len(before) < 3 {
		t.Errorf("of a live job there is %v", before)
	}
	if err := live.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(live.path); !os.IsNotExist(err) {
		t.Errorf("a directory of a job that ended: %v", err)
	}
}

// TestRemoveLeftAtOnce: starts that look for what was left, and jobs that begin and end meanwhile, are not in each other's
// way.
func TestRemoveLeftAtOnce(t *testing.T) {
	above, transient := t.TempDir(), testPlan
	transient.Transient = true
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := range 25 {
				if err := RemoveLeft(Disk{}, above, ".job-"); err != nil {
					t.Error(err)
				}
				d, err := Open(Disk{}, filepath.Join(above, fmt.Sprintf(".job-%d-%d", w, i)), transient) // no two jobs have one name
				if err != nil {
					t.Error(err)
					continue
				}
				j := &job{d: d}
				if err := j.checkpoint(false); err != nil {
					t.Error(err)
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := RemoveLeft(Disk{}, above, ".job-"); err != nil {
		t.Error(err)
	}
	names, _ := (Disk{}).ReadDir(above)
	for _, name := range names {
		left, _ := (Disk{}).ReadDir(filepath.Join(above, name))
		if len(left) > 0 && !slices.Equal(left, []string{lockName}) {
			t.Errorf("%s holds %v", name, left)
		}
	}
}
