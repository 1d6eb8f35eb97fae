package filesystem

import (
	"fmt"
	"slices"
)

// roll ends a file; the next commit shows it. Its handle is closed once it is durable, if there are not too many.
func (w *writer) roll(p *part) error {
	w.held -= p.held()
	if p.bulk != nil {
		w.discard(p)
		w.lend(p)
		if err := p.bulk.close(); err != nil {
			return err
		}
		p.bulk = nil
	}
	if err := p.flush(); err != nil {
		return err
	}
	w.reclaim(p)
	p.rolled = true
	if w.parts[p.folder] == p { // and no other that goes on in its place
		delete(w.parts, p.folder)
	}
	if w.rolled = append(w.rolled, p); len(w.rolled) > w.sink.o.OpenFiles {
		if err := p.close(); err != nil {
			return err
		}
	}
	if x := w.pending[p.folder]; x != nil {
		x.closed = true
	}
	return nil
}

// rollAged rolls the files that are open for too long or had no rows for too long.
func (w *writer) rollAged(now int64) error {
	o := &w.sink.o.Rolling
	w.check = now + o.Check.Milliseconds()
	return w.rollIf(func(p *part) bool {
		return now-p.begun >= o.Rollover.Milliseconds() || now-p.last >= o.Inactivity.Milliseconds()
	})
}

// rollIf rolls some files, in the order of their folders.
func (w *writer) rollIf(due func(p *part) bool) error {
	for _, folder := range w.folders() {
		if p := w.parts[folder]; due(p) {
			if err := w.roll(p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) folders() []string {
	var out []string
	for folder := range w.parts {
		out = append(out, folder)
	}
	slices.Sort(out)
	return out
}

// Settle implements connector.Settler: every file ends.
func (w *writer) Settle() error {
	if err := w.rollIf(func(*part) bool { return true }); err != nil {
		return fmt.Errorf("filesystem: write: %w", err)
	}
	return nil
}
