package state

import (
	"bytes"
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

// image is the state of one former subtask: a snapshot laid over those before it.
type image struct {
	numbers []uint64 // of the snapshots in it
	base    []uint64 // those that the last one has to be read after
	end     int64    // of the last one, in bytes
	clock   map[string]int64
	tables  []*tableImage
}

type tableImage struct {
	form   form
	spans  map[int]spanImage
	pieces [][]pieceImage // by chunk
	chunks [][]byte       // once complete
	// ids are the new groups by old one, -1 where a row went elsewhere.
	ids   []int32
	moved *movedTexts // texts that rows share
	taken bool
}

type spanImage struct {
	rows    int
	columns [][]byte // nil for one without pages
}

type pieceImage struct {
	from  int
	bytes []byte
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
			out.end = b.offset
			return out, nil
		case blockPage:
			err = b.spans(out)
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
	number := uint64(b.number())
	for range b.count() {
		out.base = append(out.base, uint64(b.number()))
	}
	if base != nil && len(out.base) > 0 {
		out.numbers = slices.Clone(base.numbers)
	}
	out.numbers = append(out.numbers, number)
	for range b.count() {
		name := b.text()
		out.clock[name] = int64(b.number())
	}
	for range b.count() {
		t := &tableImage{spans: map[int]spanImage{}}
		f := &t.form
		f.Name, f.Parent, f.Keys = b.text(), b.text(), b.text()
		f.ID, f.Rows, f.Heap = uint64(b.number()), b.number(), uint64(b.number())
		f.Widths, f.Chunks = b.numbers(), b.numbers()
		if b.bad || f.Rows < 0 || len(f.Widths) == 0 || f.Widths[0] != 1 || slices.Min(f.Widths) < 1 || slices.Max(f.Widths) > 64 {
			b.bad = true
			break
		}
		if base != nil && len(out.base) > 0 {
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
		t.spans = old.spans
		if old.form.Heap == t.form.Heap {
			t.pieces = old.pieces
		}
	}
}

func (b *blockReader) tableOf(m *image, i int) (*tableImage, error) {
	if b.bad || i < 0 || i >= len(m.tables) {
		return nil, b.damage("a block of no table")
	}
	return m.tables[i], nil
}

func (b *blockReader) spans(m *image) error {
	t, err := b.tableOf(m, b.number())
	if err != nil {
		return err
	}
	for len(b.raw) > 0 {
		span, rows := b.number(), b.number()
		if b.bad || span < 0 || rows < 0 || rows > spanRows || span > t.form.Rows>>spanShift {
			return b.damage("rows that the table %s does not have", t.form.Name)
		}
		s := spanImage{rows, make([][]byte, len(t.form.Widths))}
		for i, w := range t.form.Widths {
			s.columns[i] = b.narrow(rows, w)
		}
		if b.bad || s.columns[0] == nil {
			return b.damage("rows of %s of the wrong size", t.form.Name)
		}
		t.spans[span] = s
	}
	return nil
}

func (b *blockReader) chunk(m *image) error {
	at := b.numbers()
	if len(at) != 3 {
		b.bad, at = true, make([]int, 3)
	}
	t, err := b.tableOf(m, at[0])
	if err != nil {
		return err
	}
	k, from := at[1], at[2]
	if k < 0 || k >= len(t.form.Chunks) || from < 0 || from+len(b.raw) > t.form.Chunks[k] {
		return b.damage("texts that the table %s does not have", t.form.Name)
	}
	for len(t.pieces) <= k {
		t.pieces = append(t.pieces, nil)
	}
	if from == 0 {
		t.pieces[k] = nil // the chunk was written anew
	}
	t.pieces[k] = append(t.pieces[k], pieceImage{from, bytes.Clone(b.raw)})
	return nil
}

// complete checks that everything is there, and puts the texts together.
func (m *image) complete() error {
	damage := func(format string, args ...any) error { return &Damage{m.end, fmt.Sprintf(format, args...)} }
	if !slices.Equal(m.numbers[:len(m.numbers)-1], m.base) {
		return damage("a snapshot of changes without the ones before it: they are %v and should be %v",
			m.numbers[:len(m.numbers)-1], m.base)
	}
	for _, t := range m.tables {
		for s := 0; s*spanRows < t.form.Rows; s++ {
			if want := min(t.form.Rows-s*spanRows, spanRows); t.spans[s].rows < want {
				return damage("rows %d to %d of %s are missing", s*spanRows, s*spanRows+want, t.form.Name)
			}
		}
		t.chunks = make([][]byte, len(t.form.Chunks))
		for k, n := range t.form.Chunks {
			for i := 0; k < len(t.pieces) && i < len(t.pieces[k]); i++ {
				// A piece that does not continue those before is followed by the whole chunk.
				if p := t.pieces[k][i]; p.from == len(t.chunks[k]) {
					t.chunks[k] = append(t.chunks[k], p.bytes...)
				}
			}
			if len(t.chunks[k]) != n {
				return damage("texts of %s are missing", t.form.Name)
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
