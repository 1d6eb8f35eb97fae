package shell

import (
	"bytes"
	"fmt"
	"strings"

	"streamsql/cmd/streamsql/render"
	"streamsql/exec/vector"
)

// rows are what a changelog adds up to. A row that comes in the place of one that went stands where that one stood.
type rows struct {
	list  []string // the cells of each row, or nothing where one went
	live  []bool
	next  []int32          // another place of an equal row, or -1
	at    map[string]int32 // a place of each row
	free  []int32          // places of rows that went, the first of them to be taken first
	taken int              // how many of free were taken again
	most  int
	key   []byte
}

// cellEnd stands behind each cell of a row.
const cellEnd = "\x1f"

func newRows(most int) *rows { return &rows{at: map[string]int32{}, most: most} }

// len is how many there are.
func (r *rows) len() int { return len(r.list) - (len(r.free) - r.taken) }

// take applies a change.
func (r *rows) take(b *vector.Batch, i int, o render.Options) error {
	r.key = r.key[:0]
	for _, c := range b.Cols {
		from := len(r.key)
		r.key = render.AppendCell(r.key, c, i, o)
		if bytes.Contains(r.key[from:], []byte(cellEnd)) {
			r.key = append(r.key[:from], render.Shown(string(r.key[from:]))...)
		}
		r.key = append(r.key, cellEnd...)
	}
	if b.Kind(i).Adds() {
		r.add(string(r.key))
		return nil
	}
	k, ok := r.at[string(r.key)]
	if !ok {
		return fmt.Errorf("the changelog takes away a row that it never gave: %s", strings.ReplaceAll(string(r.key), cellEnd, " "))
	}
	row := r.list[k]
	if r.next[k] < 0 {
		delete(r.at, row)
	} else {
		r.at[row] = r.next[k]
	}
	r.list[k], r.live[k] = "", false
	r.free = append(r.free, k)
	return nil
}

func (r *rows) add(row string) {
	before, ok := r.at[row]
	if !ok {
		before = -1
	}
	k := int32(len(r.list))
	if r.taken < len(r.free) {
		k = r.free[r.taken]
		r.taken++
		r.list[k], r.live[k], r.next[k] = row, true, before
		if r.taken == len(r.free) {
			r.free, r.taken = r.free[:0], 0
		}
	} else {
		r.list, r.live, r.next = append(r.list, row), append(r.live, true), append(r.next, before)
	}
	r.at[row] = k
}

// from gives the cells of n rows from the top-th on.
func (r *rows) from(top, n int) [][]string {
	var out [][]string
	for k, row := range r.list {
		if !r.live[k] {
			continue
		}
		if top > 0 {
			top--
			continue
		}
		if len(out) == n {
			break
		}
		cells := strings.Split(row, cellEnd)
		out = append(out, cells[:len(cells)-1])
	}
	return out
}
