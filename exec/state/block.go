package state

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"sort"

	"github.com/klauspost/compress/s2"
)

// A snapshot is a magic number and a version, then blocks. A block is a kind, the length of its compressed
// content and of its content, the CRC32C of these and of the compressed content, and that content.
const (
	snapshotMagic   = "streamsql state\n"
	snapshotVersion = 1
	blockHeader     = 1 + 4 + 4 + 4
	// maxBlock bounds what a damaged length can ask for.
	maxBlock = 64 << 20
)

// The kinds of blocks: what there is, a page of a table, a piece of its heap, the end.
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
	kind    byte
	raw     []byte
	packed  []byte
}

func newBlockWriter(w io.Writer) *blockWriter { return &blockWriter{w: w} }

func (b *blockWriter) begin(kind byte) { b.kind, b.raw = kind, b.raw[:0] }

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
	if n := s2.MaxEncodedLen(len(b.raw)) + blockHeader; cap(b.packed) < n {
		b.packed = make([]byte, n)
	}
	out := b.packed[:cap(b.packed)]
	n := len(s2.Encode(out[blockHeader:], b.raw))
	out[0] = b.kind
	binary.LittleEndian.PutUint32(out[1:], uint32(n))
	binary.LittleEndian.PutUint32(out[5:], uint32(len(b.raw)))
	binary.LittleEndian.PutUint32(out[9:], blockSum(out[:9], out[blockHeader:blockHeader+n]))
	_, err := b.w.Write(out[:blockHeader+n])
	return err
}

func blockSum(head, content []byte) uint32 {
	return crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, content)
}

func (b *blockWriter) meta(p *Snapshot) {
	b.number(flag(p.full))
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

func flag(v bool) int {
	if v {
		return 1
	}
	return 0
}

func (b *blockWriter) table(i int, t *tableSnapshot) error {
	for _, p := range t.pages {
		b.begin(blockPage)
		b.numbers([]int{i, p.page, p.rows})
		for _, c := range p.columns {
			b.number(flag(c != nil))
		}
		for _, c := range p.columns {
			b.raw = append(b.raw, c...)
		}
		if err := b.end(); err != nil {
			return err
		}
	}
	for _, c := range t.chunks {
		b.begin(blockChunk)
		b.numbers([]int{i, c.chunk, c.from})
		b.raw = append(b.raw, c.bytes...)
		if err := b.end(); err != nil {
			return err
		}
	}
	return nil
}

// blockReader reads blocks one by one.
type blockReader struct {
	r      io.Reader
	offset int64
	kind   byte
	raw    []byte // what is left of the block
	whole  []byte
	packed []byte
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
	if cap(b.packed) < n {
		b.packed = make([]byte, n)
	}
	b.packed = b.packed[:n]
	if k, err := io.ReadFull(b.r, b.packed); err != nil {
		return nil, b.damage("the snapshot ends after %d of %d bytes: %v", k, n, err)
	}
	return b.packed, nil
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
	packed, raw, sum := binary.LittleEndian.Uint32(head[1:]), binary.LittleEndian.Uint32(head[5:]), binary.LittleEndian.Uint32(head[9:])
	if packed > maxBlock || raw > maxBlock {
		return b.damage("a block of %d bytes", max(packed, raw))
	}
	var nine [9]byte
	copy(nine[:], head)
	content, err := b.read(int(packed))
	if err != nil {
		return err
	}
	if blockSum(nine[:], content) != sum {
		return b.damage("the checksum of a block is wrong")
	}
	b.whole, err = s2.Decode(make([]byte, raw), content)
	if err != nil || len(b.whole) != int(raw) {
		return b.damage("a block cannot be unpacked")
	}
	b.raw = b.whole
	b.offset += int64(blockHeader + len(content))
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
