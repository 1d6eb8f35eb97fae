package checkpoint

import (
	"fmt"
	"slices"
)

// Gone says that checkpoints were completed in a directory and none of them is there any more.
type Gone struct{ Path, Job string }

func (g *Gone) Error() string {
	return fmt.Sprintf("checkpoint: %s: checkpoints of job %s were completed, and no file chk-N is left: this is no first start; "+
		"put chk-N back, or begin anew in another directory", g.Path, g.Job)
}

// markName is the file that stays once a checkpoint was completed: without a chk-N beside it somebody took those away.
func (d *Directory) markName() string { return d.prefix() + "completed" }

// mark notes that a checkpoint was completed; it is durable with the next sync of the directory. A failure is no harm:
// what the note tells is told by the checkpoint too, and the next one tries again.
func (d *Directory) mark() {
	if d.marked || d.visible || d.options.Transient {
		return
	}
	if f, err := d.fs.Create(d.at(d.markName())); err == nil {
		d.marked = f.Close() == nil
	}
}

// gone refuses a start without a checkpoint where some were completed.
func (d *Directory) gone(names []string, epochs []int64) error {
	d.marked = slices.Contains(names, d.markName())
	if d.marked && len(epochs) == 0 && d.options.Savepoint == "" {
		return &Gone{d.path, d.job}
	}
	return nil
}
