package state

import (
	"fmt"
	"io"
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// KeyGroups is the range of key groups that a subtask works on: From to To, without To. Of writes the group
// of each row of key columns, as the exchange before the operator computes it; nil keeps every row.
type KeyGroups struct {
	From, To int
	Of       func(out []int32, keys []*vector.Column)
}

// Load reads the snapshots that the store starts from, before any table is declared: a chain per former
// subtask, each oldest first. Rows of other key groups are left out.
func (s *Store) Load(keep KeyGroups, chain ...io.Reader) error {
	var last *image
	for i, r := range chain {
		next, err := readImage(r, last)
		if err != nil {
			return fmt.Errorf("state: read snapshot %d of %d: %w", i+1, len(chain), err)
		}
		last = next
	}
	if last == nil {
		return nil
	}
	if err := last.complete(); err != nil {
		return fmt.Errorf("state: read snapshot %d of %d: %w", len(chain), len(chain), err)
	}
	s.join(last.clock)
	s.keep = keep
	s.images = append(s.images, last)
	return nil
}

// Restored are the names of the tables, but for subtables, that were loaded and not declared yet.
func (s *Store) Restored() []string {
	var out []string
	for _, m := range s.images {
		for _, t := range m.tables {
			if !t.taken && t.form.Parent == "" {
				out = append(out, t.form.Name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Open ends the declaration of tables: the rows that were loaded are in them.
func (s *Store) Open() error {
	for _, t := range s.tables {
		for _, m := range s.images {
			if err := t.take(m, s.keep); err != nil {
				return err
			}
		}
		t.opened = true
	}
	for _, t := range s.tables {
		for _, f := range t.restore {
			f()
		}
	}
	for _, m := range s.images {
		for _, x := range m.tables {
			if !x.taken {
				return fmt.Errorf("state of %s has a table %q, which the query does not have", s.options.Operator, x.form.Name)
			}
		}
	}
	s.images = nil
	return nil
}

// take restores the rows of one image.
func (t *Keyed) take(m *image, keep KeyGroups) error {
	x := m.table(t.name)
	if x == nil {
		return nil
	}
	x.taken = true
	own := t.form()
	if own.Keys != x.form.Keys || !slices.Equal(own.Widths, x.form.Widths) || own.Parent != x.form.Parent {
		return fmt.Errorf("state of %s: table %q was written for other columns: keys %s widths %v, now keys %s widths %v",
			t.store.options.Operator, t.name, x.form.Keys, x.form.Widths, own.Keys, own.Widths)
	}
	var parent []int32
	if t.parent != nil {
		above := m.table(t.parent.name)
		if above == nil {
			return fmt.Errorf("state of %s: table %q was written without %q, which it belongs to", t.store.options.Operator, t.name, t.parent.name)
		}
		parent = above.ids
	}
	if t.pairs != nil {
		return t.pairs.take(x, parent)
	}
	x.ids, x.moved = make([]int32, x.form.Rows), newMovedTexts()
	for i := range x.ids {
		x.ids[i] = -1
	}
	for p := 0; p*spanRows < x.form.Rows; p++ {
		if err := t.takeSpan(x, p, parent, keep); err != nil {
			return err
		}
	}
	return nil
}

func (t *Keyed) takeSpan(x *tableImage, p int, parent []int32, keep KeyGroups) error {
	page := x.spans[p]
	var groups []int32
	for r, l := range page.columns[0][:min(page.rows, x.form.Rows-p*spanRows)] {
		if l == 0 {
			continue
		}
		g := t.newGroup()
		if err := t.takeRow(x, page, r, g, parent); err != nil {
			return err
		}
		x.ids[p*spanRows+r] = g
		groups = append(groups, g)
	}
	if len(groups) == 0 {
		return nil
	}
	var hashes []uint64
	var own []int32
	var cols []*vector.Column
	if !t.loose {
		hashes, cols = t.stored.hashesOf(t, groups), t.stored.cols
	}
	if keep.Of != nil && t.parent == nil && len(cols) > 0 {
		own = make([]int32, len(groups))
		keep.Of(own, cols)
	}
	var gone []int32
	for i, g := range groups {
		lost := t.parent != nil && t.words[0].short.At(g) < 0
		if lost || own != nil && (int(own[i]) < keep.From || int(own[i]) >= keep.To) {
			gone = append(gone, g)
			continue
		}
		if t.loose {
			continue
		}
		t.account(t.index.insert(hashes[i], g))
		if c := t.hint.column; c >= 0 {
			t.account(t.hint.set(t.words[c].word(g), g))
		}
	}
	if len(gone) == 0 {
		return nil
	}
	t.empty(gone)
	for r := range page.rows {
		if at := p*spanRows + r; at < len(x.ids) && x.ids[at] >= 0 && t.live.At(x.ids[at]) == 0 {
			x.ids[at] = -1
		}
	}
	t.free = append(t.free, gone...)
	return nil
}

// takeRow copies a row; its texts go to the heap.
func (t *Keyed) takeRow(x *tableImage, page spanImage, r int, g int32, parent []int32) error {
	saved := 0
	for _, c := range t.cols {
		if !c.saved() {
			continue
		}
		from := page.columns[saved]
		saved++
		if from == nil {
			continue
		}
		w := c.width()
		c.put(g, from[r*w:r*w+w])
	}
	for _, text := range t.texts {
		if len(text.pages) == 0 {
			continue
		}
		at := &text.pages[g>>PageShift][g&PageMask]
		if at.Len <= kernel.InlineLen {
			continue
		}
		if int(at.Buf) >= len(x.chunks) || int(at.Off)+int(at.Len) > len(x.chunks[at.Buf]) {
			return fmt.Errorf("state: a text of %s lies outside of its heap", t.name)
		}
		*at = t.heap.put(at, x.chunks)
	}
	for _, p := range t.refs {
		at, ok := &p.pages[g>>PageShift][g&PageMask], false
		if *at, ok = t.heap.move(*at, x.chunks, x.moved); !ok {
			return fmt.Errorf("state: a text of %s lies outside of its heap", t.name)
		}
	}
	if parent != nil {
		old := t.words[0].short.At(g)
		if old < 0 || int(old) >= len(parent) {
			return fmt.Errorf("state: a row of %s belongs to no row of its parent", t.name)
		}
		t.words[0].short.Set(g, parent[old])
	}
	return nil
}
