package filesystem

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
)

// Rows wait in memory until they fill a block, or a row group, of their file; a file needs a handle only when it is
// written to. Both are bounded for all files of a writer together: beyond 'sink.open-files' the one not used for longest
// loses its handle, beyond 'sink.memory' the files that hold most are written.

// leastBlock is the least that is worth a write.
const leastBlock = 4 << 10

// full is how much a buffer holds before it is written: a block, or less where many files have one. Buffers that are
// filled again cost nothing to collect, as those do that grow and are let go.
func (w *writer) full() int {
	share := int64(w.sink.o.Memory) / 2 / int64(max(len(w.parts), 1))
	return int(min(max(share, leastBlock), block))
}

// maxSpare is how many buffers are kept for files to come.
const maxSpare = 4

// hold counts the handle of a part, and parks the one not used for longest where there are too many.
func (w *writer) hold(p *part) error {
	if w.handles++; w.handles <= w.sink.o.OpenFiles {
		return nil
	}
	var oldest *part
	for _, q := range w.parts {
		if q != p && q.file != nil && (oldest == nil || q.used < oldest.used) {
			oldest = q
		}
	}
	if oldest == nil {
		return nil
	}
	w.handles--
	return oldest.close()
}

// reclaim takes what a part has that ends. Few handles go on with it: they are closed once the file is durable.
func (w *writer) reclaim(p *part) {
	w.release(p)
	if p.file != nil {
		w.handles--
	}
}

// release takes the empty buffer of a part, for whoever needs one next.
func (w *writer) release(p *part) {
	if p.buf != nil && len(w.spare) < maxSpare {
		w.spare = append(w.spare, p.buf[:0])
	}
	p.buf = nil
}

// lend gives a part without a buffer a spare one, if there is one.
func (w *writer) lend(p *part) {
	if n := len(w.spare) - 1; p.buf == nil && n >= 0 {
		p.buf, w.spare = w.spare[n], w.spare[:n]
	}
}

// relieve writes what the parts hold that hold most, until a quarter of the memory is free.
func (w *writer) relieve() error {
	parts := make([]*part, 0, len(w.parts))
	for _, p := range w.parts {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b *part) int {
		return cmp.Or(cmp.Compare(b.held(), a.held()), cmp.Compare(a.folder, b.folder))
	})
	for _, p := range parts {
		if w.held <= int64(w.sink.o.Memory)/4*3 {
			break
		}
		w.held -= p.held()
		if p.bulk != nil {
			w.discard(p)
			w.lend(p)
			if err := p.bulk.flush(); err != nil {
				return fmt.Errorf("%s: %w", p.hidden, err)
			}
		}
		if err := p.flush(); err != nil {
			return err
		}
		w.release(p)
		w.held += p.held()
	}
	return nil
}

// discard counts what the row group of a part leaves behind: the collector waits for some times what is in use.
func (w *writer) discard(p *part) {
	if w.litter += p.held(); w.litter > int64(w.sink.o.Memory)/2 {
		w.litter = 0
		runtime.GC()
	}
}
