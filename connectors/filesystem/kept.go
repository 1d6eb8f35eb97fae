package filesystem

import (
	"fmt"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// records are the writer's open files and the partitions that wait for their commit. So that these come to pass, they
// are kept over a restore, and with them the files that wait for the last commit.
func (w *writer) records(epoch int64) (out [][]byte) {
	for _, folder := range w.folders() {
		p := w.parts[folder]
		out = append(out, makeRecord(recordOpen, p.visible, p.size, folder, p.begun, p.last))
	}
	return append(out, w.partitions(epoch)...)
}

// Keep implements connector.Keeper: the table has the records of the last Prepare as its keys.
func (w *writer) Keep(s *state.Store) error {
	w.store = s.Keyed("files", nil, []types.Type{types.String()})
	if err := s.Open(); err != nil {
		return err
	}
	groups := w.store.Groups(nil)
	for _, g := range groups {
		r, err := parseRecord(w.store.Text(0, g))
		if err == nil {
			err = w.restore(r)
		}
		if err != nil {
			return fmt.Errorf("filesystem: restore: %w", err)
		}
	}
	return nil
}

// restore goes on with what an earlier writer left.
func (w *writer) restore(r record) error {
	switch r.kind {
	case recordPartition:
		w.restorePartition(r)
	case recordLate:
		w.late = append(w.late, r.bytes())
	case recordOpen:
		p := &part{disk: w.sink.disk, unparked: w.hold, visible: r.fields[0], size: r.number(1), folder: r.fields[2],
			begun: r.number(3), last: r.number(4)}
		found, err := p.resume(w.job)
		if err != nil || !found {
			return err
		}
		if w.parts[p.folder] != nil { // of another earlier writer
			return w.roll(p)
		}
		w.parts[p.folder] = p
	}
	return nil
}

// keep puts records into the table, in place of those of the last Prepare.
func (w *writer) keep(records [][]byte) {
	if w.store == nil {
		return
	}
	w.store.Remove(w.store.Groups(nil))
	w.store.Compact()
	if len(records) == 0 {
		return
	}
	c := &vector.Column{}
	c.Reset(types.String(), len(records))
	t := vector.NewText(c)
	for i, r := range records {
		t.Put(i, r)
	}
	t.Finish()
	w.store.Own(w.store.Lookup([]*vector.Column{c}, len(records)))
}
