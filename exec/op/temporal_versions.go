package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
)

// versions are the rows of each key by the time from which they are valid, the newest first.
type versions struct {
	keys *state.Keyed
	*payload
	time *state.Pages[int64]
	gone *state.Pages[uint8] // the version says that there is no row
	// newest is the first version of a key and older the one behind another, each plus one.
	newest, older *state.Pages[int32]
	// obsolete is due when the watermark passes a version behind which there is an older one, or which says that there is no
	// row.
	obsolete *state.Timers

	dropped, emptied []int32
}

// newVersions declares the tables. Keys, over the columns of types, are those of the keys' table.
func newVersions(keys *state.Keyed, list []types.Type, of []expr.Expr) *versions {
	v := &versions{keys: keys, payload: newPayload(keys, "versions", list, of, false)}
	v.time, v.gone = state.NewPages[int64](v.rows), state.NewPages[uint8](v.rows)
	v.newest, v.older = state.NewDerived[int32](keys), state.NewDerived[int32](v.rows)
	v.obsolete = state.NewTimers(keys, 1)
	v.rows.OnRestore(func() {
		for _, row := range v.rows.Groups(nil) {
			v.link(int32(v.rows.Word(0, row)), row)
		}
	})
	return v
}

// place is the row that a version of a group goes to: that of the same time, or a new one.
func (v *versions) place(g int32, time int64, gone bool) int32 {
	row := v.at(g, time)
	if row < 0 || v.time.At(row) != time {
		row = v.rows.Reserve()
		v.time.Set(row, time)
		v.link(g, row)
	} else {
		v.rows.OwnOne(row)
	}
	v.gone.Set(row, 0)
	if gone {
		v.gone.Set(row, 1)
	}
	if first := v.newest.At(g) - 1; !v.obsolete.Armed(g) && (v.older.At(first) != 0 || v.gone.At(first) != 0) {
		v.obsolete.Set([]int32{g}, []int64{v.time.At(first)})
	}
	return row
}

// link puts a row among the versions of its group.
func (v *versions) link(g, row int32) {
	time, next := v.time.At(row), v.newest.At(g)
	if next == 0 || v.time.At(next-1) < time {
		v.older.Set(row, next)
		v.newest.Set(g, row+1)
		return
	}
	before := next - 1
	for next = v.older.At(before); next != 0 && v.time.At(next-1) >= time; next = v.older.At(before) {
		before = next - 1
	}
	v.older.Set(row, next)
	v.older.Set(before, row+1)
}

// at is the version of a group that is valid at a time, or -1. It may say that there is none.
func (v *versions) at(g int32, time int64) int32 {
	_, row := v.around(g, time)
	return row
}

// forget drops the versions that no row behind a time will find, and lists the keys that have none left in emptied.
func (v *versions) forget(t types.EventTime) {
	v.dropped, v.emptied = v.dropped[:0], v.emptied[:0]
	for _, g := range v.obsolete.Due(int64(t)) {
		newer, last := v.around(g, int64(t))
		from := last
		if v.gone.At(last) == 0 {
			newer, from = last, v.older.At(last)-1
		}
		for row := from; row >= 0; row = v.older.At(row) - 1 {
			v.dropped = append(v.dropped, row)
		}
		switch {
		case newer < 0:
			v.newest.Set(g, 0)
			v.emptied = append(v.emptied, g)
			continue
		case from >= 0:
			v.older.Set(newer, 0)
		}
		if first := v.newest.At(g) - 1; v.time.At(first) > int64(t) {
			next, _ := v.around(g, int64(t))
			v.keys.OwnOne(g)
			v.obsolete.Set([]int32{g}, []int64{v.time.At(next)})
		}
	}
	v.rows.Remove(v.dropped)
	v.rows.Compact()
}

// around are the version of a group that is valid at a time and the one behind which it stands, or -1.
func (v *versions) around(g int32, time int64) (newer, last int32) {
	newer, last = -1, v.newest.At(g)-1
	for last >= 0 && v.time.At(last) > time {
		newer, last = last, v.older.At(last)-1
	}
	return newer, last
}
