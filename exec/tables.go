package exec

import (
	"slices"
	"strconv"
	"strings"

	"streamsql/exec/state"
)

// tablesAt is what the tables of a store took when it was seen to hold the most, and the most keys that each was seen with:
// keys that went before have left their memory to others.
type tablesAt struct {
	bytes       int64
	tables, now []state.Usage
}

// look takes in what a store holds.
func (x *tablesAt) look(s *state.Store) {
	if s == nil {
		return
	}
	x.now = addTables(x.now[:0], s.Usage())
	largest := s.Bytes() >= x.bytes
	if largest {
		x.bytes = s.Bytes()
		for i := range x.tables {
			x.tables[i].Bytes = 0
		}
	}
	for _, u := range x.now {
		at := slices.IndexFunc(x.tables, func(t state.Usage) bool { return t.Table == u.Table })
		if at < 0 {
			at = len(x.tables)
			x.tables = append(x.tables, state.Usage{Table: u.Table})
		}
		t := &x.tables[at]
		if t.Keys = max(t.Keys, u.Keys); largest {
			t.Bytes = u.Bytes
		}
	}
}

// addTables adds up what tables of one name take.
func addTables(to, list []state.Usage) []state.Usage {
	for _, u := range list {
		u.Table = timeless(u.Table)
		at := slices.IndexFunc(to, func(x state.Usage) bool { return x.Table == u.Table })
		if at < 0 {
			to = append(to, u)
			continue
		}
		to[at].Keys += u.Keys
		to[at].Bytes += u.Bytes
	}
	return to
}

// timeless is the name of a table without the slice of time in its second word.
func timeless(table string) string {
	first, rest, _ := strings.Cut(table, " ")
	second, rest, more := strings.Cut(rest, " ")
	switch _, err := strconv.ParseInt(second, 10, 64); {
	case err != nil:
		return table
	case more:
		return first + " " + rest
	}
	return first
}
