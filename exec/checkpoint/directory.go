package checkpoint

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Options say what a start in a directory is to be.
type Options struct {
	// Plan is that of the job that starts; a checkpoint of another is refused.
	Plan string
	// MaxParallelism is the number of key groups, which a checkpoint has to have too. Where nobody chose it (Derived) a
	// checkpoint may have another one, and that holds from then on; it is Parallelism at least, the most subtasks of a
	// keyed stage.
	MaxParallelism int
	Derived        bool
	Parallelism    int
	// Operators are the nodes of the plan as they stand now; what is restored gets their places.
	Operators []Operator
	// Restore goes on from the newest checkpoint, or begins if there is none.
	Restore bool
	// From goes on from the checkpoint of this number, although there are newer ones; 0 does not.
	From int64
	// Savepoint is the directory of a savepoint to go on from; this one must hold no checkpoint.
	Savepoint string
	// Unclaimed lets a savepoint of another plan do: operators get back the state of those that read the same,
	// what is left of it is given up.
	Unclaimed bool
	// Retain is how many checkpoints are kept, one at least.
	Retain int
	// Transient says that the directory goes when it is closed.
	Transient bool
}

// Directory is a checkpoint directory in use. One goroutine uses it; Read may be called by several.
type Directory struct {
	fs      FS
	path    string
	options Options
	lock    io.Closer
	job     string
	marked  bool // the note is there that a checkpoint was completed

	// visible says that the data files are not hidden, as in a savepoint.
	visible bool
	// origin is the savepoint that restored is of, or nil.
	origin *Directory

	restored  *Metadata
	dropped   []string // operators whose state was given up
	abandoned []int64  // newer than the one that was restored
	kept      []kept   // in ascending order
	first     int64    // the first checkpoint of this run
	next      int64
	current   *Epoch
	broken    error
	// unsynced says that the removal of a metadata file is not yet durable: what it named stays.
	unsynced bool

	mu      sync.Mutex
	readers map[string]Reader
}

// kept is a checkpoint that is in the directory, with the data files that it names.
type kept struct {
	epoch  int64
	files  map[string]bool
	unread bool
}

const (
	jobName  = "job"
	jobAside = ".job"
	lockName = "lock"
	jobText  = "streamsql job "
	idLength = 16
)

// Occupied says that a directory holds a checkpoint and the start did not say that it goes on from it.
type Occupied struct {
	Path, Job string
	Newest    int64
}

func (o *Occupied) Error() string {
	return fmt.Sprintf("%s holds chk-%d of job %s: go on from it with --restore (from an older one with --restore-from chk-N), "+
		"or begin anew in another directory", o.Path, o.Newest, o.Job)
}

// Open takes a directory for a job: it makes it if it is missing, locks it, and finds or gives the job its
// id and the checkpoint to go on from, whose files it checks as a whole. If it refuses nothing in the
// directory is changed, but for the lock file.
func Open(fsys FS, path string, o Options) (*Directory, error) {
	o.Retain = max(o.Retain, 1)
	d := &Directory{fs: fsys, path: path, options: o, readers: map[string]Reader{}}
	names, err := fsys.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.From > 0:
		return nil, fmt.Errorf("checkpoint: there is no %s: directory %s is missing", epochName(o.From), path)
	case errors.Is(err, fs.ErrNotExist):
		err = fsys.MakeDir(path)
	case err == nil:
		err = d.foreign(names) // before the lock file is made in a directory that is none of ours
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint: open directory %s: %w", path, err)
	}
	if d.lock, err = fsys.Lock(d.at(lockName)); err != nil {
		return nil, fmt.Errorf("checkpoint: open directory %s: %w", path, err)
	}
	if err := d.open(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *Directory) open() error {
	names, err := d.fs.ReadDir(d.path)
	if err != nil {
		return fmt.Errorf("checkpoint: read directory %s: %w", d.path, err)
	}
	if err := d.foreign(names); err != nil {
		return fmt.Errorf("checkpoint: open directory %s: %w", d.path, err)
	}
	if slices.Contains(names, jobName) {
		err = d.readJob()
	} else {
		err = d.makeJob()
	}
	if err != nil {
		return err
	}
	var epochs []int64
	for _, name := range names {
		n, is := ParseEpoch(name)
		if is {
			epochs = append(epochs, n)
		} else {
			n, _ = d.own(name)
		}
		d.next = max(d.next, n)
	}
	d.next++
	d.first = d.next
	slices.Sort(epochs)
	if err := d.gone(names, epochs); err != nil {
		return err
	}
	if err := d.restore(epochs); err != nil {
		return err
	}
	// A process that died between a rename and its sync left an id or a checkpoint that a power failure
	// could still take away; what is committed from now on relies on them.
	if err := d.fs.SyncDir(d.path); err != nil {
		return fmt.Errorf("checkpoint: sync %s: %w", d.path, err)
	}
	return d.sweep()
}

// foreign refuses a directory without a job that is not empty.
func (d *Directory) foreign(names []string) error {
	if slices.Contains(names, jobName) {
		return nil
	}
	for _, name := range names {
		if name != lockName && name != jobAside {
			return fmt.Errorf("it holds %q and no file %q: this is no checkpoint directory; name an empty or a new one", name, jobName)
		}
	}
	return nil
}

func (d *Directory) readJob() error {
	file := d.at(jobName)
	b, err := readFile(d.fs, file, 1<<10)
	if err != nil {
		return fmt.Errorf("checkpoint: read %s: %w", file, err)
	}
	id, ok := strings.CutPrefix(string(b), jobText)
	id, nl := strings.CutSuffix(id, "\n")
	if raw, err := hex.DecodeString(id); !ok || !nl || err != nil || 2*len(raw) != idLength || strings.ToLower(id) != id {
		return fmt.Errorf("checkpoint: %w", &Damage{File: file, Offset: 0, Check: "it does not hold the id of a job"})
	}
	d.job = id
	return nil
}

// makeJob gives the job its id; it is durable when open syncs the directory.
func (d *Directory) makeJob() error {
	var id [idLength / 2]byte
	if _, err := rand.Read(id[:]); err != nil {
		return fmt.Errorf("checkpoint: make an id: %w", err)
	}
	d.job = hex.EncodeToString(id[:])
	err := writeFile(d.fs, d.at(jobAside), d.at(jobName), []byte(jobText+d.job+"\n"))
	if err != nil {
		return fmt.Errorf("checkpoint: write %s: %w", d.at(jobName), err)
	}
	return nil
}

// Job is the job's id.
func (d *Directory) Job() string { return d.job }

// Restored is the checkpoint to go on from, or nil.
func (d *Directory) Restored() *Metadata { return d.restored }

// Dropped lists the operators of a savepoint whose state the plan of now has no use for.
func (d *Directory) Dropped() []string { return d.dropped }

// Abandoned lists the checkpoints newer than the one gone back to: what the job committed with them is
// committed once more.
func (d *Directory) Abandoned() []int64 { return d.abandoned }

// Close lets go of the directory. What is written of an unfinished checkpoint goes.
func (d *Directory) Close() error {
	if d.current != nil {
		d.current.Abort()
	}
	err := d.EndRestore()
	if d.options.Transient {
		err = errors.Join(err, d.discard())
	}
	return errors.Join(err, d.lock.Close())
}

func (d *Directory) at(name string) string { return filepath.Join(d.path, name) }

// prefix is how the names of this job's data files begin.
func (d *Directory) prefix() string {
	if d.visible {
		return "data-"
	}
	return "." + d.job + "-"
}

// own tells a data file of this job, and the checkpoint that made it.
func (d *Directory) own(name string) (epoch int64, ok bool) {
	rest, ok := strings.CutPrefix(name, d.prefix())
	if !ok || strings.ContainsAny(rest, `/\`) {
		return 0, false
	}
	number, _, _ := strings.Cut(rest, "-")
	epoch, err := strconv.ParseInt(number, 10, 64)
	return epoch, err == nil && epoch > 0
}

func epochName(epoch int64) string { return "chk-" + strconv.FormatInt(epoch, 10) }

// ParseEpoch reads the name of a checkpoint, chk-N.
func ParseEpoch(name string) (epoch int64, ok bool) {
	number, ok := strings.CutPrefix(name, "chk-")
	epoch, err := strconv.ParseInt(number, 10, 64)
	return epoch, ok && err == nil && epoch > 0 && epochName(epoch) == name
}
