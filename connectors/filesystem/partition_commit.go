package filesystem

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"streamsql/exec/types"
)

// A partition is committed when a trigger says that it is complete: a mark is put into it. Writers tell with every
// epoch which of their partitions have rows that no commit was for, and whether they are still writing there; they
// close what their own time says is due. The committer, after it showed the epoch's files, commits a partition that is
// due and that nobody writes to, and notes the epoch; the writers see that before the next one and tell of the
// partition no more. Rows that come later are told of anew, and commit it again. All of it is in the checkpoint: a
// restore commits once more what was due, and goes on with the others.

type commitOptions struct {
	Trigger string        `opt:"trigger" default:"process-time" enum:"process-time,partition-time" doc:"when a partition is complete: a delay after its first rows came, or when the watermark is past its time and a delay"` //nolint:lll
	Delay   time.Duration `opt:"delay" default:"0 s" min:"0 s" doc:"how long after that"`
	Zone    string        `opt:"watermark-time-zone" default:"UTC" doc:"the zone of the time that a partition stands for"`
	Policy  *string       `opt:"policy.kind" doc:"what to do with a complete partition, a list: success-file puts a file into it, custom runs a program"`
	Success string        `opt:"success-file.name" default:"_SUCCESS" doc:"the name of the file of success-file"`
	Command *string       `opt:"policy.class" doc:"the program of custom: it gets the parameters and the directory, and STREAMSQL_TABLE and STREAMSQL_PARTITION"`
	// Timeout ends a program.
	Timeout time.Duration `opt:"policy.class.timeout" beyond:"true" default:"10 min" min:"1 ms" doc:"the program of custom is ended, and the job fails, when it takes longer"`
	// Parameters are those of the program.
	Parameters *string `opt:"policy.class.parameters" doc:"what the program gets before the directory, separated by ;"`
}

// partition is one with rows that are not committed, as a writer knows it.
type partition struct {
	begun  int64 // when its first rows came
	time   int64 // that it stands for, in milliseconds since 1970
	epoch  int64 // the last one with files of it
	closed bool  // a file of it was rolled since
}

// commits tells that partitions are committed.
func (s *sink) commits() bool { return len(s.policies) > 0 && len(s.table.PartitionKeys) > 0 }

// touch makes known that a folder has rows.
func (w *writer) touch(folder string, now int64) error {
	if !w.sink.commits() || w.pending[folder] != nil {
		return nil
	}
	p := &partition{begun: now}
	if w.sink.o.Commit.Trigger == "partition-time" {
		t, err := w.sink.timeOf(folder)
		if err != nil {
			return err
		}
		p.time = t
	}
	w.pending[folder] = p
	return nil
}

// isDue tells that a folder is complete by the writer's own time.
func (w *writer) isDue(folder string, now int64) bool {
	p := w.pending[folder]
	return p != nil && w.sink.isDue(p.begun, p.time, now, w.watermark)
}

// isDue tells that a partition is complete: at the end of input each one is.
func (s *sink) isDue(begun, at, now int64, watermark types.EventTime) bool {
	delay := s.o.Commit.Delay.Milliseconds()
	switch {
	case watermark == types.MaxTime:
		return true
	case s.o.Commit.Trigger == "partition-time":
		return int64(watermark) > at+delay
	}
	return delay == 0 || now > begun+delay
}

// forget drops the partitions that were committed with all that the writer has closed of them.
func (w *writer) forget() {
	for folder, p := range w.pending {
		epoch, ok := w.sink.noted(folder)
		switch {
		case !ok || p.closed || epoch < p.epoch:
		case w.parts[folder] == nil:
			delete(w.pending, folder)
		default:
			p.begun = w.parts[folder].begun // what is open now began after the commit
		}
	}
}

// partitions are the records of those that wait, as of an epoch.
func (w *writer) partitions(epoch int64) (out [][]byte) {
	var folders []string
	for folder := range w.pending {
		folders = append(folders, folder)
	}
	slices.Sort(folders)
	for _, folder := range folders {
		p := w.pending[folder]
		if p.closed {
			p.closed, p.epoch = false, epoch
		}
		out = append(out, makeRecord(recordPartition, folder, p.begun, p.time, w.parts[folder] != nil))
	}
	return out
}

// restorePartition goes on waiting for the commit of a partition, of which two earlier writers may have told. All its
// files are of the restored epoch: the commit of that, which was repeated, is for them.
func (w *writer) restorePartition(r record) {
	p := &partition{begun: r.number(1), time: r.number(2)}
	if was := w.pending[r.fields[0]]; was != nil {
		p.begun = min(p.begun, was.begun)
	}
	w.pending[r.fields[0]] = p
}

// completed are the partitions that records of an epoch say are complete, in order.
func (s *sink) completed(records []record, now int64, watermark types.EventTime) []string {
	type seen struct {
		begun, time int64
		open        bool
	}
	all := map[string]seen{}
	for _, r := range records {
		if r.kind != recordPartition {
			continue
		}
		open := r.fields[3] == "true"
		p, ok := all[r.fields[0]]
		if !ok {
			p = seen{r.number(1), r.number(2), open}
		}
		p.begun, p.open = min(p.begun, r.number(1)), p.open || open
		all[r.fields[0]] = p
	}
	var out []string
	for folder, p := range all {
		if !p.open && s.isDue(p.begun, p.time, now, watermark) {
			out = append(out, folder)
		}
	}
	slices.SortFunc(out, cmp.Compare[string])
	return out
}

// complete commits partitions; programs are run one after the other.
func (s *sink) complete(folders []string) error {
	commit := func(i int) error {
		for _, name := range s.policies {
			if err := policyKinds[name](s, folders[i]); err != nil {
				return fmt.Errorf("filesystem: commit the partition %s: %w", folders[i], err)
			}
		}
		return nil
	}
	if s.o.Commit.Command == nil {
		return s.disk.each(len(folders), commit)
	}
	for i := range folders {
		if err := commit(i); err != nil {
			return err
		}
	}
	return nil
}

// mark makes an empty file, or makes it anew.
func (d disk) mark(dir, name string) error {
	if err := d.makeDir(dir); err != nil {
		return err
	}
	f, err := d.open(filepath.Join(dir, name), os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	if err := errors.Join(d.sync(f), f.Close()); err != nil {
		return err
	}
	return d.syncDir(dir)
}
