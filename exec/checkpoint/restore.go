package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// PlanDiffers says that a checkpoint belongs to another plan.
type PlanDiffers struct {
	File string
	// Line of the plan's text, from 1, where it reads Is and the checkpoint's has Was.
	Line    int
	Was, Is string
	// Gone are the operators with state or a position that only the checkpoint's plan has, New those that only the
	// plan of now has.
	Gone, New []string
	Hint      string
}

func (p *PlanDiffers) Error() string {
	text := fmt.Sprintf("%s was made by another plan: line %d was %q and is now %q", p.File, p.Line, p.Was, p.Is)
	if len(p.Gone) > 0 {
		text += "; it has state of what is gone: " + enumerate(p.Gone)
	}
	if len(p.New) > 0 {
		text += "; new is: " + enumerate(p.New)
	}
	if p.Hint != "" {
		text += "; " + p.Hint
	}
	return text
}

// What an error says of operators.
const (
	shownOperators = 3
	shownLength    = 120
)

// enumerate names the first of some operators.
func enumerate(texts []string) string {
	shown := make([]string, 0, shownOperators)
	for _, text := range texts[:min(len(texts), shownOperators)] {
		if len(text) > shownLength {
			text = text[:shownLength] + "…"
		}
		shown = append(shown, text)
	}
	out := strings.Join(shown, ", ")
	if more := len(texts) - len(shown); more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}

// restore chooses among the checkpoints that are there, in ascending order, and checks the chosen one.
func (d *Directory) restore(epochs []int64) error {
	if d.options.From == 0 && len(epochs) == 0 {
		return d.fromSavepoint()
	}
	chosen := d.options.From
	switch {
	case chosen > 0 && !slices.Contains(epochs, chosen):
		names := "none"
		for i, n := range epochs {
			if i == 0 {
				names = epochName(n)
				continue
			}
			names += ", " + epochName(n)
		}
		return fmt.Errorf("checkpoint: there is no %s in %s; there are: %s", epochName(chosen), d.path, names)
	case chosen > 0:
	case !d.options.Restore || d.options.Savepoint != "":
		return &Occupied{d.path, d.job, epochs[len(epochs)-1]}
	default:
		chosen = epochs[len(epochs)-1]
	}
	m, err := d.read(chosen)
	if err == nil {
		err = d.fits(m)
	}
	if err == nil {
		err = d.verify(m)
	}
	if err != nil {
		return fmt.Errorf("checkpoint: restore: %w", err)
	}
	d.restored = m
	for _, epoch := range epochs {
		c := kept{epoch: epoch, files: map[string]bool{}}
		if epoch != chosen {
			// An older or newer one that cannot be read is no reason not to go on from this one.
			if m, err = d.read(epoch); err != nil {
				c.unread, m = true, &Metadata{}
			}
		} else {
			m = d.restored
		}
		for _, k := range m.Blocks {
			c.files[k.File] = true
		}
		d.kept = append(d.kept, c)
		if epoch > chosen {
			d.abandoned = append(d.abandoned, epoch)
		}
	}
	return nil
}

// read reads a metadata file.
func (d *Directory) read(epoch int64) (*Metadata, error) {
	file := d.at(epochName(epoch))
	b, err := readFile(d.fs, file, metaMost)
	if err != nil {
		return nil, err
	}
	m, err := decodeMetadata(file, d.job, b)
	if err != nil {
		return nil, err
	}
	if m.Epoch != epoch {
		return nil, &Damage{File: file, Offset: metaHeader, Check: fmt.Sprintf("it is the metadata of %s", epochName(m.Epoch))}
	}
	for _, k := range m.Blocks {
		if _, own := d.own(k.File); !own {
			return nil, &Damage{File: file, Offset: metaHeader, Check: fmt.Sprintf("it names the file %q, which is not of this job", k.File)}
		}
	}
	return m, nil
}

// fits compares the plans, and gives what the checkpoint holds its places in the one of now.
func (d *Directory) fits(m *Metadata) error {
	file := d.at(epochName(m.Epoch))
	switch {
	case d.options.Derived && m.MaxParallelism < d.options.Parallelism:
		return fmt.Errorf("%s has %d key groups ('pipeline.max-parallelism'), which cannot be divided among %d subtasks: "+
			"lower 'parallelism.default' to %d at most", file, m.MaxParallelism, d.options.Parallelism, m.MaxParallelism)
	case !d.options.Derived && m.MaxParallelism != d.options.MaxParallelism:
		return fmt.Errorf("%s was made with 'pipeline.max-parallelism' = %d, it is now %d: it cannot change; unset, it is what the checkpoint has",
			file, m.MaxParallelism, d.options.MaxParallelism)
	}
	if m.Plan != d.options.Plan && d.options.Unclaimed {
		var err error
		d.dropped, err = m.claim(file, d.options.Operators)
		return err
	}
	if m.Plan != d.options.Plan {
		was, is := strings.Split(m.Plan, "\n"), strings.Split(d.options.Plan, "\n")
		n := 0
		for n < len(was) && n < len(is) && was[n] == is[n] {
			n++
		}
		differ := &PlanDiffers{File: file, Line: n + 1}
		if n < len(was) {
			differ.Was = was[n]
		}
		if n < len(is) {
			differ.Is = is[n]
		}
		differ.Gone, differ.New = m.differences(d.options.Operators)
		if d.visible {
			differ.Hint = "go on with the statement as it was, or give up the state of what is gone with --allow-non-restored-state"
		}
		return differ
	}
	return m.relocate(file, d.options.Operators)
}

// verify reads every block that a checkpoint names, so that nothing is restored by halves.
func (d *Directory) verify(m *Metadata) error {
	var buf []byte
	for i := range m.Blocks {
		k := &m.Blocks[i]
		r, err := d.reader(k.File)
		if err != nil {
			return err
		}
		if _, _, err := frame(r, d.at(k.File), k, &buf); err != nil {
			return err
		}
	}
	return nil
}

// reader opens a data file, once.
func (d *Directory) reader(name string) (Reader, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.readers[name]; r != nil {
		return r, nil
	}
	file := d.at(name)
	r, err := d.fs.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Damage{File: file, Offset: 0, Check: "the file is missing"}
	}
	if err != nil {
		return nil, err
	}
	if err := checkData(r, file); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	d.readers[name] = r
	return r, nil
}

// Read gives the bytes of a block of the restored checkpoint, appended to dst.
func (d *Directory) Read(k Block, dst []byte) ([]byte, error) {
	if d.origin != nil {
		return d.origin.block(k, dst)
	}
	return d.block(k, dst)
}

// block reads a block of this directory.
func (d *Directory) block(k Block, dst []byte) ([]byte, error) {
	r, err := d.reader(k.File)
	if err != nil {
		return dst, fmt.Errorf("checkpoint: restore: %w", err)
	}
	var buf []byte
	payload, codec, err := frame(r, d.at(k.File), &k, &buf)
	if err == nil {
		dst, err = expand(d.at(k.File), &k, payload, codec, dst)
	}
	if err != nil {
		return dst, fmt.Errorf("checkpoint: restore: %w", err)
	}
	return dst, nil
}

// EndRestore closes the files that Read opened, once every task has what it needs.
func (d *Directory) EndRestore() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []error
	if d.origin != nil {
		all = append(all, d.origin.EndRestore())
	}
	for name, r := range d.readers {
		all = append(all, r.Close())
		delete(d.readers, name)
	}
	return errors.Join(all...)
}
