package checkpoint

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Epoch is a checkpoint being written. Tasks write their Data from their own goroutines; one goroutine
// ends it with Commit or Abort.
type Epoch struct {
	directory *Directory
	number    int64

	mu    sync.Mutex
	over  bool
	files map[string]bool // made; true when durable
}

// Begin begins the next checkpoint. One is written at a time.
func (d *Directory) Begin() (*Epoch, error) {
	if d.broken != nil {
		return nil, d.broken
	}
	if d.current != nil {
		panic("checkpoint: one begins while another is written")
	}
	d.current = &Epoch{directory: d, number: d.next, files: map[string]bool{}}
	d.next++
	return d.current, nil
}

// Number is the checkpoint's.
func (e *Epoch) Number() int64 { return e.number }

// Data is the file of a task.
func (e *Epoch) Data(stage, subtask int) *Data {
	return &Data{epoch: e, name: fmt.Sprintf("%s%d-%d-%d", e.directory.prefix(), e.number, stage, subtask)}
}

func (e *Epoch) create(name string) (File, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return nil, errEnded
	}
	if _, twice := e.files[name]; twice {
		panic("checkpoint: two files of one task: " + name)
	}
	e.files[name] = false
	f, err := e.directory.fs.Create(e.directory.at(name))
	if err != nil {
		return nil, fmt.Errorf("checkpoint: create %s: %w", name, err)
	}
	return f, nil
}

func (e *Epoch) durable(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.files[name] = true
}

func (e *Epoch) ended() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.over
}

func (e *Epoch) names() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Collect(maps.Keys(e.files))
}

// Commit completes the checkpoint. All Data have been closed without an error; the blocks that the
// metadata lists are theirs or those of a completed checkpoint that is still retained. After an error the
// checkpoint is given up, unless the error is *Uncertain.
func (e *Epoch) Commit(m *Metadata) error {
	d := e.directory
	m.Epoch = e.number
	used := e.check(m)
	err := d.commit(e, m, used)
	if _, open := err.(*Uncertain); open {
		d.broken = err
		e.end()
		return err
	}
	if err != nil {
		e.Abort()
		return err
	}
	e.end()
	return nil
}

// check holds the metadata to what is there, and lists the files that it names.
func (e *Epoch) check(m *Metadata) map[string]bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	used := map[string]bool{}
	for _, k := range m.Blocks {
		known := slices.ContainsFunc(e.directory.kept, func(c kept) bool {
			return c.files[k.File] && !slices.Contains(e.directory.abandoned, c.epoch)
		})
		if !known && !e.files[k.File] {
			panic(fmt.Sprintf("checkpoint: chk-%d names a block of %q, which is not durable", e.number, k.File))
		}
		used[k.File] = true
	}
	return used
}

func (d *Directory) commit(e *Epoch, m *Metadata, used map[string]bool) error {
	b := m.encode(d.job)
	if len(b) > metaMost {
		return fmt.Errorf("checkpoint: the metadata of chk-%d has %d bytes, the most is %d", e.number, len(b), metaMost)
	}
	if len(e.names()) > 0 {
		// The rename may become durable by itself: the names of the data files have to be so before.
		if err := d.fs.SyncDir(d.path); err != nil {
			return fmt.Errorf("checkpoint: sync %s: %w", d.path, err)
		}
	}
	name, aside := epochName(e.number), d.prefix()+fmt.Sprint(e.number)
	if err := writeFile(d.fs, d.at(aside), d.at(name), b); err != nil {
		if names, e2 := d.fs.ReadDir(d.path); e2 != nil || slices.Contains(names, name) {
			return &Uncertain{e.number, err}
		}
		return fmt.Errorf("checkpoint: write %s: %w", name, err)
	}
	if err := d.fs.SyncDir(d.path); err != nil {
		return &Uncertain{e.number, err}
	}
	d.kept = append(d.kept, kept{epoch: e.number, files: used})
	d.mark()
	return nil
}

func (e *Epoch) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	e.directory.current = nil
}

// Abort gives the checkpoint up and removes what was written of it. What cannot be removed now goes with
// the next Retire or start. Tasks that still write get an error.
func (e *Epoch) Abort() {
	if e.ended() {
		return
	}
	e.end()
	d := e.directory
	_ = d.fs.Remove(d.at(d.prefix() + fmt.Sprint(e.number)))
	for _, name := range e.names() {
		_ = d.fs.Remove(d.at(name))
	}
}
