package state

import "streamsql/exec/vector"

// storedKeys brings keys that are in a table out to be hashed again, in used memory.
type storedKeys struct {
	keys   *vector.Keys
	cols   []*vector.Column
	hashes []uint64
	rows   []int32
}

// hashesOf are the hashes of the keys of groups, which stand in cols; both are lent until the next call.
func (x *storedKeys) hashesOf(t *Keyed, groups []int32) []uint64 {
	if x.keys == nil {
		x.keys, x.cols = vector.NewKeys(t.types), make([]*vector.Column, len(t.types))
		for i := range x.cols {
			x.cols[i] = &vector.Column{}
		}
	}
	for i, c := range x.cols {
		t.Key(c, i, groups)
	}
	n := len(groups)
	x.keys.Load(x.cols, n)
	if cap(x.hashes) < n {
		x.hashes = make([]uint64, n+n/2)
	}
	for i := len(x.rows); i < n; i++ {
		x.rows = append(x.rows, int32(i))
	}
	x.hashes = x.hashes[:n]
	t.hash(x.keys, x.hashes, x.rows[:n])
	return x.hashes
}
