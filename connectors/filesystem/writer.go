package filesystem

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// writer writes the rows of one subtask. A file is open from its first row until it is rolled, over checkpoints; a
// rolled one is shown by the commit of the epoch.
type writer struct {
	sink *sink
	job  string
	// transient says that nothing would go on with an open file after a failure.
	transient bool
	root      string
	uuid      string
	subtask   int
	counter   int // of files; part of their names
	stored    []int
	columns   []connector.Column   // those
	encoder   encoder              // nil for bulk formats
	bulk      func(io.Writer) bulk // nil for others; begins a file
	head      []byte               // of a file
	changes   changeEncoder        // the same, where it tells changes
	batch     *vector.Batch        // lent for a Write
	buckets   *buckets
	now       func() time.Time

	parts   map[string]*part // by folder
	memo    map[string]*part // by raw partition values
	handles int              // parts that are not parked
	uses    uint64
	spare   [][]byte // buffers of rolled parts
	held    int64    // of all parts
	litter  int64    // memory that row groups left behind
	check   int64    // when it is next looked for parts that are to be rolled
	ended   bool
	// watermark is the event time at the writer.
	watermark types.EventTime

	rolled   []*part             // since the last Prepare
	late     [][]byte            // records of the files that the last commit is for
	fresh    map[string]struct{} // folders with files that were made since
	made     bool                // the root did not exist
	prepared []*part             // by the last Prepare

	pending map[string]*partition
	store   *state.Keyed
	cols    []*vector.Column
}

// Write implements connector.Writer.
func (w *writer) Write(b *vector.Batch) (err error) {
	defer func() { err = troubled(w.sink.o, err) }()
	w.batch = b
	for i := range b.Len {
		if k := b.Kind(i); k != vector.Insert && w.changes == nil {
			return fmt.Errorf("filesystem: a file cannot take back rows, but %s came", k)
		}
	}
	now := w.now().UnixMilli()
	if now >= w.check {
		if err := w.rollAged(now); err != nil {
			return fmt.Errorf("filesystem: write: %w", err)
		}
	}
	w.cols = w.cols[:0]
	for _, k := range w.stored {
		w.cols = append(w.cols, b.Cols[k])
	}
	edges := w.buckets.cut(b)
	for from := 0; from < b.Len; {
		to := from + 1
		for to < b.Len && !edges[to] {
			to++
		}
		if err := w.writeRun(from, to, now); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// writeRun writes rows of one partition.
func (w *writer) writeRun(from, to int, now int64) error {
	for from < to {
		p, err := w.find(from, now)
		if err != nil {
			return err
		}
		p.last = now
		before := p.held()
		if from, err = w.append(p, from, to); err != nil {
			return err
		}
		if w.held += p.held() - before; w.held > int64(w.sink.o.Memory) {
			if err := w.relieve(); err != nil {
				return fmt.Errorf("filesystem: write: %w", err)
			}
		}
		if p.size+w.bulkSize(p) > int64(w.sink.o.Rolling.Size) {
			if err := w.roll(p); err != nil {
				return fmt.Errorf("filesystem: write: %w", err)
			}
		}
	}
	return nil
}

// append writes rows to a part until it is too large, and says which row is the next.
func (w *writer) append(p *part, from, to int) (next int, err error) {
	if p.bulk != nil {
		if err := p.bulk.write(w.cols, from, to); err != nil {
			return from, fmt.Errorf("filesystem: write: %w", err)
		}
		return to, nil
	}
	if p.size == 0 {
		p.buf, p.size = append(p.buf, w.head...), int64(len(w.head))
	}
	limit, full := max(int64(w.sink.o.Rolling.Size), int64(len(w.head))), w.full()
	for ; from < to && p.size <= limit; from++ {
		at := len(p.buf)
		if w.changes != nil {
			p.buf, err = w.changes.appendChange(p.buf, w.cols, from, w.batch.Kind(from))
		} else {
			p.buf, err = w.encoder.appendRow(p.buf, w.cols, from)
		}
		if err != nil {
			p.buf = p.buf[:at]
			return from, err
		}
		p.size += int64(len(p.buf) - at)
		if len(p.buf) >= full {
			if err := p.flush(); err != nil {
				return from, fmt.Errorf("filesystem: write: %w", err)
			}
			if cap(p.buf) > 2*full { // of when there were fewer files
				p.buf = nil
			}
		}
	}
	return from, nil
}

func (w *writer) bulkSize(p *part) int64 {
	if p.bulk == nil {
		return 0
	}
	return p.bulk.size()
}

// find is the file of a row's partition.
func (w *writer) find(row int, now int64) (*part, error) {
	raw := w.buckets.rawOf(row)
	p := w.memo[string(raw)]
	if p == nil || p.rolled {
		folder, err := w.buckets.folder(row)
		if err != nil {
			return nil, err
		}
		if p = w.parts[string(folder)]; p == nil {
			if p, err = w.create(string(folder), now); err != nil {
				return nil, fmt.Errorf("filesystem: create a file: %w", err)
			}
		}
		if len(w.memo) > 2*len(w.parts)+64 { // values of files that were rolled
			clear(w.memo)
		}
		w.memo[string(raw)] = p
	}
	w.uses++
	p.used = w.uses
	return p, nil
}

// create makes the file of a folder.
func (w *writer) create(folder string, now int64) (*part, error) {
	if err := w.touch(folder, now); err != nil {
		return nil, err
	}
	if _, err := os.Stat(w.root); errors.Is(err, fs.ErrNotExist) {
		w.made = true
	}
	dir := filepath.Join(w.root, folder)
	if err := w.sink.disk.makeDir(dir); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("part-%s-%d-%d", w.uuid, w.subtask, w.counter)
	p := &part{disk: w.sink.disk, unparked: w.hold, folder: folder, visible: filepath.Join(dir, name), begun: now, last: now}
	p.hidden = hiddenName(p.visible, w.job)
	w.counter++
	if w.bulk == nil {
		w.lend(p)
	}
	if w.transient {
		w.sink.own()
	}
	if err := p.create(); err != nil {
		return nil, err
	}
	if w.bulk != nil {
		p.bulk = w.bulk(p)
	}
	w.fresh[folder] = struct{}{}
	w.parts[folder] = p
	return p, w.hold(p)
}

// Advance implements connector.Writer.
func (w *writer) Advance(t types.EventTime) error {
	w.watermark, w.ended = t, t == types.MaxTime
	return nil
}

// Abort implements connector.Writer: the hidden files go.
func (w *writer) Abort() error {
	defer w.sink.leave()
	var all []error
	for _, p := range slices.Concat(w.prepared, w.rolled) {
		all = append(all, p.remove())
	}
	for _, p := range w.parts {
		all = append(all, p.remove())
	}
	return errors.Join(all...)
}

// Close implements connector.Writer: what is open stays for who goes on with it.
func (w *writer) Close() error {
	defer w.sink.leave()
	var all []error
	for _, p := range slices.Concat(w.prepared, w.rolled) {
		all = append(all, p.close())
	}
	for _, p := range w.parts {
		all = append(all, p.close())
	}
	return errors.Join(all...)
}
