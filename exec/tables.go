package exec

import (
	"slices"
	"strconv"
	"strings"

	"streamsql/exec/state"
)

// tablesAt is what a store held when it was seen to hold the most.
type tablesAt struct {
	bytes  int64
	tables []state.Usage
}

// look takes a store in unless it held more before.
func (x *tablesAt) look(s *state.Store) {
	if s == nil || s.Bytes() < x.bytes {
		return
	}
	x.bytes, x.tables = s.Bytes(), addTables(x.tables[:0], s.Usage())
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
