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

// image is the state of one former subtask: a full snapshot and the later ones laid over it.
type image struct {
	clock  map[string]int64
	tables []*tableImage
}

type tableImage struct {
	form   form
	pages  map[int]pageImage
	chunks [][]byte
	// ids are the new groups by old one, -1 where a row went elsewhere.
	ids   []int32
	taken bool
}

type pageImage struct {
	rows    int
	columns [][]byte
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
	for name, t := range last.clock {
		s.SetTime(name, min(t, s.Time(name, t)))
	}
	s.keep = keep
	s.images = append(s.images, last)
	return nil
}

// readImage reads one snapshot over the one before it.
func readImage(r io.Reader, base *image) (*image, error) {
	b := &blockReader{r: r}
	if err := b.start(); err != nil {
		return nil, err
	}
	if err := b.next(); err != nil {
		return nil, err
	}
	out, err := b.image(base)
	if err != nil {
		return nil, err
	}
	for {
		if err := b.next(); err != nil {
			return nil, err
		}
		switch b.kind {
		case blockEnd:
			return out, out.complete(b)
		case blockPage:
			err = b.page(out)
		case blockChunk:
			err = b.chunk(out)
		default:
			err = b.damage("a block of unknown kind %q", b.kind)
		}
		if err != nil {
			return nil, err
		}
	}
}

func (b *blockReader) image(base *image) (*image, error) {
	if b.kind != blockMeta {
		return nil, b.damage("the snapshot does not begin with its contents")
	}
	out := &image{clock: map[string]int64{}}
	full := b.number() == 1
	if !full && base == nil {
		return nil, b.damage("a snapshot of changes without the one before it")
	}
	for range b.count() {
		name := b.text()
		out.clock[name] = int64(b.number())
	}
	for range b.count() {
		t := &tableImage{pages: map[int]pageImage{}}
		f := &t.form
		f.Name, f.Parent, f.Keys = b.text(), b.text(), b.text()
		f.ID, f.Rows, f.Heap = uint64(b.number()), b.number(), uint64(b.number())
		f.Widths, f.Chunks = b.numbers(), b.numbers()
		if b.bad || f.Rows < 0 || len(f.Widths) == 0 || f.Widths[0] != 1 || slices.Max(f.Widths) > 64 {
			b.bad = true
			break
		}
		if !full {
			t.over(base)
		}
		out.tables = append(out.tables, t)
	}
	if b.bad {
		return nil, b.damage("the contents of the snapshot are cut short")
	}
	return out, nil
}

// over takes up what the base has of the same table.
func (t *tableImage) over(base *image) {
	for _, old := range base.tables {
		if old.form.ID != t.form.ID || old.form.Name != t.form.Name {
			continue
		}
		t.pages = old.pages
		if old.form.Heap == t.form.Heap {
			t.chunks = old.chunks
		}
	}
}

func (b *blockReader) tableOf(m *image) (*tableImage, []int, error) {
	at := b.numbers()
	if b.bad || len(at) != 3 || at[0] < 0 || at[0] >= len(m.tables) || at[1] < 0 || at[2] < 0 {
		return nil, nil, b.damage("a block of no table")
	}
	return m.tables[at[0]], at, nil
}

func (b *blockReader) page(m *image) error {
	t, at, err := b.tableOf(m)
	if err != nil {
		return err
	}
	if at[2] > PageRows || at[1]*PageRows >= t.form.Rows {
		return b.damage("a page that the table %s does not have", t.form.Name)
	}
	p := pageImage{rows: at[2], columns: make([][]byte, len(t.form.Widths))}
	has := make([]bool, len(p.columns))
	for i := range has {
		has[i] = b.number() == 1
	}
	for i, w := range t.form.Widths {
		if has[i] {
			p.columns[i] = b.bytes(w * p.rows)
		}
	}
	if b.bad || len(b.raw) != 0 || !has[0] {
		return b.damage("a page of %s of the wrong size", t.form.Name)
	}
	t.pages[at[1]] = p
	return nil
}

func (b *blockReader) chunk(m *image) error {
	t, at, err := b.tableOf(m)
	if err != nil {
		return err
	}
	k, from := at[1], at[2]
	if k >= len(t.form.Chunks) {
		return b.damage("texts that the table %s does not have", t.form.Name)
	}
	for len(t.chunks) <= k {
		t.chunks = append(t.chunks, nil)
	}
	if len(t.chunks[k]) != from {
		return b.damage("texts of %s do not continue those before", t.form.Name)
	}
	t.chunks[k] = append(t.chunks[k], b.raw...)
	return nil
}

// complete checks that everything is there.
func (m *image) complete(b *blockReader) error {
	for _, t := range m.tables {
		for p := 0; p*PageRows < t.form.Rows; p++ {
			if want := min(t.form.Rows-p*PageRows, PageRows); t.pages[p].rows < want {
				return b.damage("page %d of %s is missing", p, t.form.Name)
			}
		}
		for k, n := range t.form.Chunks {
			if k >= len(t.chunks) || len(t.chunks[k]) < n {
				return b.damage("texts of %s are missing", t.form.Name)
			}
		}
	}
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

func (m *image) table(name string) *tableImage {
	for _, t := range m.tables {
		if t.form.Name == name {
			return t
		}
	}
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
		parent = m.table(t.parent.name).ids
	}
	x.ids = make([]int32, x.form.Rows)
	for i := range x.ids {
		x.ids[i] = -1
	}
	for p := 0; p*PageRows < x.form.Rows; p++ {
		if err := t.takePage(x, p, parent, keep); err != nil {
			return err
		}
	}
	return nil
}

func (t *Keyed) takePage(x *tableImage, p int, parent []int32, keep KeyGroups) error {
	page := x.pages[p]
	var groups []int32
	for r, l := range page.columns[0][:min(page.rows, x.form.Rows-p*PageRows)] {
		if l == 0 {
			continue
		}
		g := t.newGroup()
		if err := t.takeRow(x, page, r, g, parent); err != nil {
			return err
		}
		x.ids[p*PageRows+r] = g
		groups = append(groups, g)
	}
	if len(groups) == 0 {
		return nil
	}
	var hashes []uint64
	var own []int32
	var cols []*vector.Column
	if !t.loose {
		cols = t.keysOf(groups)
		hashes = t.hashesOf(cols, len(groups))
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
		if at := p*PageRows + r; at < len(x.ids) && x.ids[at] >= 0 && t.live.At(x.ids[at]) == 0 {
			x.ids[at] = -1
		}
	}
	t.free = append(t.free, gone...)
	return nil
}

// takeRow copies a row; its texts go to the heap.
func (t *Keyed) takeRow(x *tableImage, page pageImage, r int, g int32, parent []int32) error {
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
		if c == column(t.nulls) && len(t.nulls.pages) == 0 {
			t.nulls.grow(t.room)
		}
		c.put(g, from[r*w:r*w+w])
	}
	for _, text := range t.texts {
		at := &text.pages[g>>PageShift][g&PageMask]
		if at.Len <= kernel.InlineLen {
			continue
		}
		if int(at.Buf) >= len(x.chunks) || int(at.Off)+int(at.Len) > len(x.chunks[at.Buf]) {
			return fmt.Errorf("state: a text of %s lies outside of its heap", t.name)
		}
		*at = t.heap.put(at, x.chunks)
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
