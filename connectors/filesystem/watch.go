package filesystem

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"streamsql/exec/connector"
)

// watched is a source of files that appear. Each subtask looks for them itself, and takes its share by their paths.
type watched struct{ *source }

func (watched) Bounded() bool { return false }

// Splits implements connector.Source: one per subtask.
func (w watched) Splits(n int) ([]connector.Split, error) {
	if _, err := placeOf(w.o.Path).list(); err != nil {
		return nil, err
	}
	out := make([]connector.Split, n)
	for i := range out {
		out[i].ID = fmt.Sprintf("%d of %d", i, n)
	}
	return out, nil
}

// Resume implements connector.Resumer: all shares are dealt out anew.
func (w watched) Resume(n int, saved []connector.Split) ([]connector.Split, error) {
	all := newBooks()
	for _, s := range saved {
		if len(s.Position) == 0 {
			continue
		}
		if err := all.restore(s.Position); err != nil {
			return nil, err
		}
	}
	out, err := w.Splits(n)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Position = all.share(i, n).position(nil)
	}
	return out, nil
}

// books tell which files were read, in 16 bytes for each that is still there.
type books struct {
	mu    sync.Mutex
	known map[uint64]entry
	// resumed are files of which a part was read before the reader began.
	resumed []file
}

// unseen is the print of a file that was gone on with before it was seen again.
const unseen = 0

// entry is a file that was given to read: a print of what it was, and whether it was read to its end.
type entry struct {
	print uint64
	done  bool
}

func newBooks() *books { return &books{known: map[uint64]entry{}} }

func nameOf(path string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(path))
	return h.Sum64()
}

// printOf tells a file from what it was before.
func printOf(info fs.FileInfo) uint64 {
	h := fnv.New64a()
	size := binary.LittleEndian.AppendUint64(nil, uint64(info.Size()))
	_, _ = h.Write(binary.LittleEndian.AppendUint64(size, uint64(info.ModTime().UnixNano())))
	return max(h.Sum64(), unseen+1)
}

// shareOf is the subtask that reads a file.
func shareOf(name uint64, n int) int { return int(name >> 32 % uint64(n)) }

func (b *books) share(i, n int) *books {
	out := newBooks()
	for name, e := range b.known {
		if e.done && shareOf(name, n) == i {
			out.known[name] = e
		}
	}
	for _, f := range b.resumed {
		if shareOf(nameOf(f.path), n) == i {
			out.resumed = append(out.resumed, f)
			out.known[nameOf(f.path)] = entry{}
		}
	}
	return out
}

func (b *books) finish(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := nameOf(path)
	b.known[name] = entry{b.known[name].print, true}
	b.resumed = slices.DeleteFunc(b.resumed, func(f file) bool { return f.path == path })
}

// position has the files read, and those read in part: the one being read, and those that wait to be gone on with.
func (b *books) position(begun *file) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	var names []uint64
	for name, e := range b.known {
		if e.done {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := binary.AppendUvarint(nil, uint64(len(names)))
	for _, name := range names {
		out = binary.LittleEndian.AppendUint64(out, name)
		out = binary.LittleEndian.AppendUint64(out, b.known[name].print)
	}
	parts := slices.Clone(b.resumed)
	if begun != nil {
		parts = slices.DeleteFunc(parts, func(f file) bool { return f.path == begun.path })
		parts = append(parts, *begun)
	}
	out = binary.AppendUvarint(out, uint64(len(parts)))
	for _, f := range parts {
		out = binary.AppendUvarint(out, uint64(len(f.path)))
		out = append(append(out, f.path...), f.position()...)
	}
	return out
}

var errBooks = errors.New("filesystem: a checkpoint has no position of watched files")

// restore adds what a position has.
func (b *books) restore(p []byte) error {
	n, k := binary.Uvarint(p)
	if k <= 0 || n > uint64(len(p))/16 {
		return errBooks
	}
	for p = p[k:]; n > 0; n-- {
		if len(p) < 16 {
			return errBooks
		}
		b.known[binary.LittleEndian.Uint64(p)] = entry{binary.LittleEndian.Uint64(p[8:]), true}
		p = p[16:]
	}
	n, k = binary.Uvarint(p)
	if k <= 0 {
		return errBooks
	}
	for p = p[k:]; n > 0; n-- {
		size, k := binary.Uvarint(p)
		if k <= 0 || size > uint64(len(p)-k) {
			return errBooks
		}
		f := file{span: span{path: string(p[k : k+int(size)])}}
		rest, err := f.restore(p[k+int(size):])
		if err != nil {
			return err
		}
		p, b.resumed = rest, append(b.resumed, f)
		b.known[nameOf(f.path)] = entry{}
	}
	return nil
}

// watcher is the feed of a subtask of a place that is watched.
type watcher struct {
	source   *source
	books    *books
	interval time.Duration
	share, n int
	queue    []file
	scanned  bool
}

func newWatcher(s *source, splits []connector.Split) (*watcher, error) {
	w := &watcher{source: s, books: newBooks(), interval: *s.o.Monitor, n: 1, share: -1}
	for _, split := range splits {
		if _, err := fmt.Sscanf(split.ID, "%d of %d", &w.share, &w.n); err != nil || w.n < 1 {
			return nil, errBooks
		}
		if len(split.Position) > 0 {
			if err := w.books.restore(split.Position); err != nil {
				return nil, err
			}
		}
	}
	w.queue = slices.Clone(w.books.resumed)
	return w, nil
}

// next implements feed.
func (w *watcher) next(done <-chan struct{}) (file, bool, error) {
	for len(w.queue) == 0 {
		if w.scanned || w.share < 0 {
			t := time.NewTimer(w.interval)
			select {
			case <-t.C:
			case <-done:
				t.Stop()
				return file{}, false, nil
			}
		}
		if w.share < 0 {
			continue
		}
		if err := w.scan(); err != nil {
			return file{}, false, err
		}
		w.scanned = true
	}
	f := w.queue[0]
	w.queue = w.queue[1:]
	return f, true, nil
}

// scan puts files that are new into the queue, the oldest first, and forgets those that are gone.
func (w *watcher) scan() error {
	all, err := placeOf(w.source.o.Path).list()
	if err != nil {
		return err
	}
	prune, err := w.source.pruner()
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b found) int { return a.info.ModTime().Compare(b.info.ModTime()) })
	w.books.mu.Lock()
	defer w.books.mu.Unlock()
	there := make(map[uint64]bool, len(all))
	for _, f := range all {
		name := nameOf(f.path)
		if shareOf(name, w.n) != w.share {
			continue
		}
		there[name] = true
		e, known := w.books.known[name]
		now := printOf(f.info)
		switch {
		case known && e.print == unseen:
			w.books.known[name] = entry{now, e.done}
			continue
		case known && e.done && e.print != now:
			return fmt.Errorf("file %s was changed after it was read: %w", f.path, errNeverChange)
		case known:
			continue
		}
		w.books.known[name] = entry{print: now}
		drop, err := prune.drops(f.path)
		if err != nil {
			return err
		}
		if drop {
			w.books.known[name] = entry{now, true}
			continue
		}
		if err := w.source.readable(f.path); err != nil {
			return err
		}
		w.queue = append(w.queue, file{span: span{path: f.path}, line: 1})
	}
	maps.DeleteFunc(w.books.known, func(name uint64, _ entry) bool { return !there[name] })
	return nil
}
