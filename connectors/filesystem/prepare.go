package filesystem

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// files are the committables of the files that ended. Files that replace others are told of with every checkpoint, since
// only the last commit, which is for all of them, knows that it is that.
func (w *writer) files() (committables [][]byte) {
	for _, p := range w.rolled {
		if r := makeRecord(recordLate, p.hidden, p.visible, p.size); w.sink.overwrites {
			w.late = append(w.late, r)
			continue
		}
		committables = append(committables, makeRecord(recordFile, p.hidden, p.visible, p.size))
	}
	return append(committables, w.late...)
}

// Prepare implements connector.Writer.
func (w *writer) Prepare(epoch int64) (committables [][]byte, wait func() error, err error) {
	now := w.now().UnixMilli()
	if now >= w.check {
		err = w.rollAged(now)
	}
	if err == nil {
		w.forget()
		all := w.ended || w.transient || w.encoder == nil || w.sink.o.Compact
		err = w.rollIf(func(p *part) bool { return all || w.isDue(p.folder, now) })
	}
	var dirty []string
	for _, folder := range w.folders() {
		p := w.parts[folder]
		if err == nil {
			w.held -= p.held()
			err = p.flush()
			w.held += p.held()
		}
		if p.dirty {
			dirty, p.dirty = append(dirty, p.hidden), false
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("filesystem: write: %w", err)
	}
	committables = w.files()
	open := w.records(epoch)
	committables = append(committables, open...)
	if w.job != "" || w.sink.commits() || w.sink.overwrites {
		committables = append(committables, makeRecord(recordWriter))
	}
	w.keep(append(open, w.late...))
	rolled, dirs, made := w.rolled, w.fresh, w.made
	w.prepared, w.rolled, w.fresh, w.made = rolled, nil, map[string]struct{}{}, false
	return committables, func() error { return w.durable(rolled, dirty, dirs, made) }, nil
}

// durable syncs what rolled files and open ones hold, and the directories that files were made in.
func (w *writer) durable(rolled []*part, dirty []string, folders map[string]struct{}, made bool) (err error) {
	defer func() { err = troubled(w.sink.o, err) }()
	d := w.sink.disk
	above := filepath.Dir(w.root)
	dirs := map[string]bool{}
	for folder := range folders {
		for dir := filepath.Join(w.root, folder); dir != above && !dirs[dir]; dir = filepath.Dir(dir) {
			dirs[dir] = true
		}
	}
	if made {
		dirs[above] = true
	}
	err = d.each(len(rolled), func(i int) error {
		p := rolled[i]
		if p.file == nil {
			return d.syncFile(p.hidden)
		}
		return errors.Join(d.sync(p.file), p.close(), p.isThere())
	})
	if err == nil {
		err = d.each(len(dirty), func(i int) error { return d.syncFile(dirty[i]) })
	}
	if list := slices.Sorted(maps.Keys(dirs)); err == nil {
		err = d.each(len(list), func(i int) error { return d.syncDir(list[i]) })
	}
	if err != nil {
		return fmt.Errorf("filesystem: write: %w", err)
	}
	return nil
}
