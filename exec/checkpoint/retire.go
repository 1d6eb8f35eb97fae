package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Retire removes the checkpoints that are not retained any more, and the data files that nothing names.
// An error leaves things that the next call removes; the checkpoints are not affected by it.
func (d *Directory) Retire() error {
	for _, epoch := range d.outdated() {
		if err := d.remove(epochName(epoch)); err != nil {
			return err
		}
		d.unsynced = true
		d.kept = slices.DeleteFunc(d.kept, func(c kept) bool { return c.epoch == epoch })
	}
	if d.unsynced {
		if err := d.fs.SyncDir(d.path); err != nil {
			return fmt.Errorf("checkpoint: sync %s: %w", d.path, err)
		}
		d.unsynced = false
	}
	return d.sweep()
}

// outdated lists what Retire removes: nothing before this run has completed a checkpoint of its own.
func (d *Directory) outdated() []int64 {
	var out []int64
	n := len(d.kept)
	if n == 0 || d.kept[n-1].epoch < d.first {
		return nil
	}
	left := d.options.Retain
	for _, c := range slices.Backward(d.kept) {
		if left == 0 || slices.Contains(d.abandoned, c.epoch) {
			out = append(out, c.epoch)
			continue
		}
		left--
	}
	return out
}

// sweep removes this job's hidden files that no metadata names. As long as a metadata file is there that
// cannot be read nothing is removed.
func (d *Directory) sweep() error {
	if slices.ContainsFunc(d.kept, func(c kept) bool { return c.unread }) {
		return nil
	}
	names, err := d.fs.ReadDir(d.path)
	if err != nil {
		return fmt.Errorf("checkpoint: read directory %s: %w", d.path, err)
	}
	for _, name := range names {
		epoch, own := d.own(name)
		named := slices.ContainsFunc(d.kept, func(c kept) bool { return c.files[name] })
		if !own || named || d.current != nil && epoch == d.current.number {
			continue
		}
		if err := d.remove(name); err != nil {
			return err
		}
	}
	return nil
}

func (d *Directory) remove(name string) error {
	if err := d.fs.Remove(d.at(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("checkpoint: remove %s: %w", d.at(name), err)
	}
	return nil
}
