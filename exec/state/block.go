package state

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sort"
	"sync"
)

// A snapshot is a magic number and a version, then blocks. A block is a kind, the length of its content, the
// CRC32C of these and of the content, and that content. Whether compressing pays is for who stores snapshots
// to know: columns are narrow already.
const (
	snapshotMagic   = "streamsql state\n"
	snapshotVersion = 2
	blockHeader     = 1 + 4 + 4
	// maxBlock bounds what a damaged length can ask for; blockFull is when a block of pages is long enough, and
	// the length of the pieces of texts.
	maxBlock  = 64 << 20
	blockFull = 256 << 10
)

// The kinds of blocks: what there is, spans of a table, a piece of its heap, the end.
const (
	blockMeta  = 'M'
	blockPage  = 'P'
	blockChunk = 'C'
	blockEnd   = 'E'
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blockWriter builds one block at a time.
type blockWriter struct {
	w       io.Writer
	started bool
	raw     []byte // with room for the header
}

// blockWriters are those of earlier snapshots, with their buffers.
var blockWriters = sync.Pool{New: func() any { return &blockWriter{} }}

func newBlockWriter(w io.Writer) *blockWriter {
	b := blockWriters.Get().(*blockWriter)
	*b = blockWriter{w: w, raw: b.raw}
	return b
}

// release ends the use of a writer.
func (b *blockWriter) release() { blockWriters.Put(b) }

func (b *blockWriter) begin(kind byte) {
	b.raw = append(append(b.raw[:0], kind), make([]byte, blockHeader-1)...)
}

func (b *blockWriter) number(v int) { b.raw = binary.AppendVarint(b.raw, int64(v)) }

func (b *blockWriter) text(s string) {
	b.number(len(s))
	b.raw = append(b.raw, s...)
}

func (b *blockWriter) end() error {
	if !b.started {
		head := binary.LittleEndian.AppendUint32([]byte(snapshotMagic), snapshotVersion)
		if _, err := b.w.Write(head); err != nil {
			return err
		}
		b.started = true
	}
	binary.LittleEndian.PutUint32(b.raw[1:], uint32(len(b.raw)-blockHeader))
	binary.LittleEndian.PutUint32(b.raw[5:], blockSum(b.raw[:5], b.raw[blockHeader:]))
	_, err := b.w.Write(b.raw)
	return err
}

func blockSum(head, content []byte) uint32 {
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, content)
}

func (b *blockWriter) meta(p *Snapshot) {
	b.number(int(p.number))
	b.number(len(p.base))
	for _, number := range p.base {
		b.number(int(number))
	}
	names := make([]string, 0, len(p.clock))
	for name := range p.clock {
		names = append(names, name)
	}
	sort.Strings(names)
	b.number(len(names))
	for _, name := range names {
		b.text(name)
		b.number(int(p.clock[name]))
	}
	b.number(len(p.tables))
	for i := range p.tables {
		f := &p.tables[i].form
		b.text(f.Name)
		b.text(f.Parent)
		b.text(f.Keys)
		b.number(int(f.ID))
		b.number(f.Rows)
		b.number(int(f.Heap))
		b.numbers(f.Widths)
		b.numbers(f.Chunks)
	}
}

func (b *blockWriter) numbers(list []int) {
	b.number(len(list))
	for _, v := range list {
		b.number(v)
	}
}

// table writes the pages of a table, many to a block, and the pieces of its heap.
func (b *blockWriter) table(i int, t *tableSnapshot) error {
	columns, open := t.columns, false
	for _, p := range t.pages {
		if !open {
			b.begin(blockPage)
			b.number(i)
			open = true
		}
		for s := range pageSpans {
			if p.spans>>s&1 != 0 {
				b.span(t, int(p.page)*pageSpans+s, columns[:len(t.form.Widths)])
			}
		}
		columns = columns[len(t.form.Widths):]
		if len(b.raw) >= blockFull {
			if err := b.end(); err != nil {
				return err
			}
			open = false
		}
		t.written.Store(p.page + 1)
	}
	if open {
		if err := b.end(); err != nil {
			return err
		}
	}
	t.written.Store(math.MaxInt32)
	for _, c := range t.chunks {
		for from, left := c.from, c.bytes; len(left) > 0; {
			n := min(len(left), blockFull)
			b.begin(blockChunk)
			b.numbers([]int{i, c.chunk, from})
			b.raw = append(b.raw, left[:n]...)
			if err := b.end(); err != nil {
				return err
			}
			from, left = from+n, left[n:]
		}
	}
	return nil
}

// span writes a span from the columns of its page.
func (b *blockWriter) span(t *tableSnapshot, span int, columns [][]byte) {
	rows := min(t.form.Rows-span*spanRows, spanRows)
	first := span % pageSpans * spanRows
	b.number(span)
	b.number(rows)
	for i, c := range columns {
		if c == nil {
			b.raw = append(b.raw, formAbsent)
			continue
		}
		w := t.form.Widths[i]
		b.raw = appendNarrow(b.raw, c[first*w:(first+rows)*w], w)
	}
}

// blockReader reads blocks one by one.
type blockReader struct {
	r      io.Reader
	offset int64
	kind   byte
	raw    []byte // what is left of the block
	whole  []byte
	bad    bool // the content ended early
}

// Damage says what is wrong with a snapshot, and where.
type Damage struct {
	Offset int64
	Check  string
}

func (d *Damage) Error() string { return fmt.Sprintf("at offset %d: %s", d.Offset, d.Check) }

func (b *blockReader) damage(format string, args ...any) error {
	return &Damage{b.offset, fmt.Sprintf(format, args...)}
}

func (b *blockReader) read(n int) ([]byte, error) {
	if cap(b.whole) < n {
		b.whole = make([]byte, n)
	}
	b.whole = b.whole[:n]
	if k, err := io.ReadFull(b.r, b.whole); err != nil {
		return nil, b.damage("the snapshot ends after %d of %d bytes: %v", k, n, err)
	}
	return b.whole, nil
}

func (b *blockReader) start() error {
	head, err := b.read(len(snapshotMagic) + 4)
	switch {
	case err != nil:
		return err
	case string(head[:len(snapshotMagic)]) != snapshotMagic:
		return b.damage("no snapshot of state: the magic number is wrong")
	}
	if v := binary.LittleEndian.Uint32(head[len(snapshotMagic):]); v != snapshotVersion {
		return b.damage("a snapshot of version %d; this program reads version %d", v, snapshotVersion)
	}
	b.offset += int64(len(head))
	return nil
}

func (b *blockReader) next() error {
	head, err := b.read(blockHeader)
	if err != nil {
		return err
	}
	b.kind = head[0]
	length, sum := binary.LittleEndian.Uint32(head[1:]), binary.LittleEndian.Uint32(head[5:])
	if length > maxBlock {
		return b.damage("a block of %d bytes", length)
	}
	var first [5]byte
	copy(first[:], head)
	b.raw, err = b.read(int(length))
	if err != nil {
		return err
	}
	if blockSum(first[:], b.raw) != sum {
		return b.damage("the checksum of a block is wrong")
	}
	b.offset += int64(blockHeader + len(b.raw))
	return nil
}

func (b *blockReader) number() int {
	v, n := binary.Varint(b.raw)
	if n <= 0 {
		b.bad = true
		return 0
	}
	b.raw = b.raw[n:]
	return int(v)
}

// count is a number of things of which each takes a byte at least.
func (b *blockReader) count() int {
	n := b.number()
	if n < 0 || n > len(b.raw) {
		b.bad = true
		return 0
	}
	return n
}

func (b *blockReader) bytes(n int) []byte {
	if n < 0 || n > len(b.raw) {
		b.bad = true
		return nil
	}
	out := b.raw[:n:n]
	b.raw = b.raw[n:]
	return out
}

func (b *blockReader) text() string { return string(b.bytes(b.count())) }

func (b *blockReader) numbers() []int {
	out := make([]int, b.count())
	for i := range out {
		out[i] = b.number()
	}
	return out
}
