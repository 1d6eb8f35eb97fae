package filesystem

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

type rollingOptions struct {
	Size       option.Size   `opt:"file-size" default:"128mb" min:"1" doc:"a file larger than this is ended"`
	Rollover   time.Duration `opt:"rollover-interval" default:"30 min" min:"1 ms" doc:"a file that was begun this long ago is ended"`
	Inactivity time.Duration `opt:"inactivity-interval" default:"30 min" min:"1 ms" doc:"a file without rows for this long is ended"`
	Check      time.Duration `opt:"check-interval" default:"1 min" min:"0 s" doc:"how often that is looked at"`
}

// sink writes a table into a directory: a file per subtask and partition, which the commit shows.
type sink struct {
	table *connector.Table
	o     *options
	zone  *time.Location // of partition times
	// times reads partition times of another form than the usual one.
	times    *function.DateReader
	policies []string
	disk     disk
	// overwrites says that the last commit replaces the directories that there are files for; static is the one that it
	// replaces in any case, absent where there is none.
	overwrites bool
	static     *string

	// owner is the id of a job that nobody goes on with.
	owner string

	mu sync.Mutex
	// lock says that the job runs, from its first file to the end of its last writer.
	lock    *os.File
	owned   bool
	writers int
	// open are the visible names of the files that the last commit says are still written.
	open map[string]bool
	// committed are the partitions of the last commit, with its epoch.
	committed map[string]int64
}

func newSink(t *connector.Table, o *options) (*sink, error) {
	s := &sink{table: t, o: o}
	if err := s.checkCommit(); err != nil {
		return nil, err
	}
	for _, k := range t.PartitionKeys {
		if c := t.Columns[k]; !vector.KeyType(c.Type) {
			return nil, fmt.Errorf("column '%s' of type %s cannot be a partition key of a table of files", c.Name, c.Type)
		}
	}
	return s, nil
}

// checkCommit refuses what tags cannot say about partition commits.
func (s *sink) checkCommit() error {
	c, x := &s.o.Commit, &s.o.Extractor
	const commit, extractor = "sink.partition-commit.", "partition.time-extractor."
	for _, r := range []struct {
		key     string
		refused bool
		why     string
	}{
		{extractor + "kind", x.Kind == "custom", "not supported: a class of Java; 'default' with 'partition.time-extractor.timestamp-pattern' is"},
		{extractor + "class", x.Class != nil, "not supported: a class of Java"},
		{commit + "success-file.name", !isFileName(c.Success),
			"the name must begin with _ or ., or else readers took the file for one of the table, and have no /"},
		{"partition.default-name", s.o.Null == "", "the directory of NULL must have a name"},
		{"sink.shuffle-by-partition.enable", s.o.Shuffle && len(s.table.PartitionKeys) == 0, "the table is not PARTITIONED BY anything"},
	} {
		if r.refused {
			return &option.Error{Key: r.key, Msg: fmt.Sprintf("'%s': %s", r.key, r.why)}
		}
	}
	zone, err := time.LoadLocation(c.Zone)
	if err != nil || c.Zone == "" || c.Zone == "Local" {
		return &option.Error{Key: commit + "watermark-time-zone", Msg: fmt.Sprintf("'%s' is no time zone", c.Zone), Hint: "use a name like Europe/Berlin"}
	}
	s.zone = zone
	if x.Formatter != looseForm {
		if s.times, err = function.NewDateReader(x.Formatter); err != nil {
			return &option.Error{Key: extractor + "timestamp-formatter", Msg: fmt.Sprintf("'%stimestamp-formatter': %v", extractor, err),
				Hint: "use a pattern of java.time such as yyyyMMddHH"}
		}
	}
	s.policies, err = policiesOf(c)
	return err
}

// Division implements connector.Divided.
func (s *sink) Division() (parallelism int, keys []int) {
	if s.o.Shuffle {
		keys = s.table.PartitionKeys
	}
	if p := s.o.Parallelism; p != nil {
		parallelism = int(*p)
	}
	return parallelism, keys
}

func (s *sink) Changelog() bool { return formatOf(s.o).changes }

func (s *sink) Open(c *connector.Context) (_ connector.Writer, err error) {
	defer func() { err = troubled(s.o, err) }()
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, fmt.Errorf("filesystem: name a file: %w", err)
	}
	job := s.join(c, id)
	id[6], id[8] = id[6]&0x0F|0x40, id[8]&0x3F|0x80 // a random UUID
	w := &writer{sink: s, job: job, transient: c.Transient || c.Job == "", root: localPath(s.o.Path), subtask: c.Subtask, now: time.Now,
		uuid:  fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:]),
		parts: map[string]*part{}, memo: map[string]*part{}, fresh: map[string]struct{}{}, pending: map[string]*partition{},
		buckets: newBuckets(s.table, s.o), stored: storedColumns(s.table), watermark: types.MinTime}
	if info, err := os.Stat(w.root); err == nil && !info.IsDir() {
		return nil, &connector.Error{Err: fmt.Errorf("filesystem: %s is a file, and a table is written into a directory", w.root),
			Place: w.root, Hint: "'path' names a directory, which is made if need be"}
	}
	names := make([]string, len(w.stored))
	for i, k := range w.stored {
		names[i] = s.table.Columns[k].Name
		w.columns = append(w.columns, s.table.Columns[k])
	}
	w.check = w.now().UnixMilli() + s.o.Rolling.Check.Milliseconds()
	f := formatOf(s.o)
	if f.bulk != nil {
		w.bulk = f.bulk(s.o, w.columns)
	}
	if f.encoder != nil {
		w.encoder = f.encoder(s.o, names)
		w.changes, _ = w.encoder.(changeEncoder)
		if h, ok := w.encoder.(header); ok {
			w.head = h.head()
		}
	}
	return w, nil
}

// join takes a writer of a job up, whose id it gives: one of a job without checkpoints has what they drew first.
func (s *sink) join(c *connector.Context, drawn [16]byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writers++
	if c.Job != "" && !c.Transient {
		return c.Job
	}
	s.owner = cmp.Or(c.Job, s.owner, fmt.Sprintf("%x", drawn[:8]))
	return s.owner
}

// Clean implements connector.Cleaner. What the last commit says is still written stays.
func (s *sink) Clean(job string) (err error) {
	defer func() { err = troubled(s.o, err) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.remove(job)
}

// remove removes what a job left unfinished.
func (s *sink) remove(job string) error {
	suffix := hiddenSuffix + "." + job
	root := localPath(s.o.Path)
	err := s.cleanBeside(root, suffix)
	if err == nil {
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // the table's own directory, or one that another process removed
			case err != nil:
				return err
			case d.IsDir() && isReplacing(d.Name(), suffix):
				if err := s.disk.removeAll(path); err != nil {
					return err
				}
				return fs.SkipDir
			}
			name, ours := strings.CutSuffix(d.Name(), suffix)
			if !ours || !d.Type().IsRegular() || !isPart(name) || s.open[filepath.Join(filepath.Dir(path), name[1:])] {
				return nil
			}
			return s.disk.remove(path)
		})
	}
	if err != nil {
		return fmt.Errorf("filesystem: remove unfinished files: %w", err)
	}
	return nil
}

// isPart tells the hidden names of this connector's files, without the suffix.
func isPart(name string) bool {
	return strings.HasPrefix(name, ".part-") || strings.HasPrefix(name, "."+compactedPrefix+"part-")
}

// noted is the epoch of the last commit if that was for a folder.
func (s *sink) noted(folder string) (epoch int64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	epoch, ok = s.committed[folder]
	return epoch, ok
}

// Committer implements connector.Sink.
func (s *sink) Committer() (connector.Committer, error) { return committer{s, time.Now}, nil }

// committer gives the files their visible names, and commits partitions.
type committer struct {
	sink *sink
	now  func() time.Time
}

// Commit implements connector.Committer; a committable is a record.
func (c committer) Commit(epoch int64, committables [][]byte, watermark types.EventTime) (err error) {
	defer func() { err = troubled(c.sink.o, err) }()
	all, err := gather(committables)
	if err != nil {
		return err
	}
	s := c.sink
	switch {
	case !s.overwrites:
		err = s.showAll(all)
	case watermark == types.MaxTime:
		err = s.replace(all)
	default:
		s.note(all.open, nil)
		return nil
	}
	if err != nil {
		return fmt.Errorf("filesystem: commit: %w", err)
	}
	committed := map[string]int64{}
	if s.commits() {
		complete := s.completed(all.records, c.now().UnixMilli(), watermark)
		if s.overwrites && s.static != nil && !slices.Contains(complete, *s.static) {
			complete = append(complete, *s.static)
		}
		if err := s.complete(complete); err != nil {
			return err
		}
		for _, folder := range complete {
			committed[folder] = epoch
		}
	}
	s.note(all.open, committed)
	return nil
}

// note has writers and Clean know of a commit.
func (s *sink) note(open map[string]bool, committed map[string]int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open, s.committed = open, committed
}

// gathered is what committables say.
type gathered struct {
	records []record
	// files are those that ended, by their directories, in the order of their names; each is there once.
	files map[string][]record
	// open are the visible names of those that no earlier commit than the next is for.
	open    map[string]bool
	writers int
}

func gather(committables [][]byte) (*gathered, error) {
	g := &gathered{files: map[string][]record{}, open: map[string]bool{}}
	seen := map[string]bool{}
	for _, b := range committables {
		r, err := parseRecord(b)
		if err != nil {
			return nil, err
		}
		g.records = append(g.records, r)
		switch r.kind {
		case recordWriter:
			g.writers++
		case recordOpen:
			g.open[r.fields[0]] = true
		case recordLate:
			g.open[r.fields[1]] = true
		}
		if (r.kind == recordFile || r.kind == recordLate) && !seen[r.fields[1]] {
			dir := filepath.Dir(r.fields[1])
			seen[r.fields[1]], g.files[dir] = true, append(g.files[dir], r)
		}
	}
	for _, files := range g.files {
		slices.SortFunc(files, func(a, b record) int { return cmp.Compare(a.fields[1], b.fields[1]) })
	}
	return g, nil
}

// showAll makes the files of a commit visible.
func (s *sink) showAll(all *gathered) error {
	var units []unit
	dirs := slices.Sorted(maps.Keys(all.files))
	for _, dir := range dirs {
		units = append(units, s.units(all.files[dir], dir)...)
	}
	if err := s.publish(units, all.writers); err != nil {
		return err
	}
	return s.disk.each(len(dirs), func(i int) error { return s.disk.syncDir(dirs[i]) })
}
