package state

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

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

func (m *image) table(name string) *tableImage {
	for _, t := range m.tables {
		if t.form.Name == name {
			return t
		}
	}
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
