package filesystem

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/delta"
	pf "github.com/parquet-go/parquet-go/format"
)

// A few bytes in the body of a page may claim runs of billions of values, for which a library makes room before it counts. So what
// the bodies claim is added up before they are read: no page has more values in it than its head says. Bodies without runs are not
// looked at, and what ends too early is left to the library, which says so.

// levelsOf are the highest repetition and definition level of a leaf.
type levelsOf struct{ repetition, definition int }

// appendLevels lists those of all leaves of a file, in their order.
func appendLevels(out []levelsOf, c *parquet.Column) []levelsOf {
	if c.Leaf() {
		return append(out, levelsOf{c.MaxRepetitionLevel(), c.MaxDefinitionLevel()})
	}
	for _, child := range c.Columns() {
		out = appendLevels(out, child)
	}
	return out
}

// pageRuns is a page whose runs are looked at.
type pageRuns struct {
	levels levelsOf
	// values are those that its head says it has.
	values   int64
	encoding pf.Encoding
	most     int64
}

// pad is by how many values a page may have more than it says: writers fill their last runs up.
const pad = 512

// pageMemory is where the bodies of pages are looked at, one after the other.
type pageMemory struct{ body, unpacked []byte }

// checkRuns looks at the body of a data page, of which the head is known, if there may be runs in it. The body is n bytes at a place.
func checkRuns(c *claims, in io.ReaderAt, at int64, m *pf.ColumnMetaData, levels levelsOf, most int64, memory *pageMemory) error {
	p := pageRuns{levels: levels, most: most}
	first, second := c.parts[5][1] > 0, c.parts[8][1] > 0
	switch {
	case second:
		p.values, p.encoding = c.parts[8][1], pf.Encoding(c.parts[8][4])
	case first:
		p.values, p.encoding = c.parts[5][1], pf.Encoding(c.parts[5][2])
	default:
		return nil
	}
	apart := int64(0) // levels of version 2
	if second {
		apart = c.parts[8][5] + c.parts[8][6]
	}
	nested := levels.repetition > 0 || levels.definition > 0
	if !p.hasRuns() && !nested {
		return nil
	}
	n := c.numbers[3]
	if second && !p.hasRuns() {
		n = min(n, apart) // values are not looked at
	}
	packed := m.Codec != pf.Uncompressed && !(second && c.parts[8][7] == thriftFalse)
	begin := p.beginTells() && (second || !nested)
	switch {
	case begin && !packed:
		n = min(n, apart+deltaHead)
	case begin && m.Codec == pf.Snappy:
		n = min(n, apart+snappyHead)
	}
	memory.body = slices.Grow(memory.body[:0], int(n))
	body := memory.body[:n]
	if _, err := in.ReadAt(body, at); err != nil {
		return err
	}
	if second {
		if apart > int64(len(body)) || c.parts[8][6] < 0 || c.parts[8][5] < 0 {
			return errClaims
		}
		for _, part := range [2]struct {
			bytes []byte
			most  int
		}{{body[:c.parts[8][6]], levels.repetition}, {body[c.parts[8][6]:apart], levels.definition}} {
			if err := p.hybrid(part.bytes, widthOf(part.most)); err != nil {
				return err
			}
		}
		if body = body[apart:]; len(body) == 0 {
			return nil
		}
	}
	switch {
	case begin && packed && m.Codec == pf.Snappy:
		memory.unpacked = unsnapBegin(memory.unpacked[:0], body, deltaHead)
		body = memory.unpacked
	case packed:
		var err error
		if memory.unpacked, err = parquet.LookupCompressionCodec(m.Codec).Decode(memory.unpacked[:0], body); err != nil {
			return fmt.Errorf("what is packed: %w", err)
		}
		body = memory.unpacked
	}
	if !second {
		for _, most := range [2]int{levels.repetition, levels.definition} {
			if most == 0 {
				continue
			}
			part, rest := prefixed(body)
			if err := p.hybrid(part, widthOf(most)); err != nil {
				return err
			}
			body = rest
		}
	}
	return p.body(body)
}

// plainDictionary is what writers of version 1 call codes of a dictionary in data pages; new files have RLE_DICTIONARY.
const plainDictionary pf.Encoding = 2

// hasRuns tells that values of the encoding are in runs.
func (p *pageRuns) hasRuns() bool {
	switch p.encoding {
	case plainDictionary, pf.RLEDictionary, pf.RLE, pf.DeltaBinaryPacked, pf.DeltaLengthByteArray, pf.DeltaByteArray:
		return true
	}
	return false
}

// beginTells says that the first bytes of the values tell how many there are.
func (p *pageRuns) beginTells() bool {
	return p.encoding == pf.DeltaBinaryPacked || p.encoding == pf.DeltaLengthByteArray
}

// widthOf is how many bits a level takes.
func widthOf(most int) (n int) {
	for ; most > 0; most >>= 1 {
		n++
	}
	return n
}

// prefixed divides bytes that begin with their length from those behind them.
func prefixed(b []byte) (part, rest []byte) {
	if len(b) < 4 {
		return nil, nil
	}
	n := int64(binary.LittleEndian.Uint32(b))
	if b = b[4:]; n > int64(len(b)) {
		return nil, nil
	}
	return b[:n], b[n:]
}

// body looks at the values.
func (p *pageRuns) body(b []byte) error {
	switch p.encoding {
	case plainDictionary, pf.RLEDictionary:
		if len(b) == 0 {
			return nil
		}
		return p.hybrid(b[1:], int(b[0]))
	case pf.RLE:
		part, _ := prefixed(b)
		return p.hybrid(part, 1)
	case pf.DeltaBinaryPacked, pf.DeltaLengthByteArray:
		_, err := p.deltas(b)
		return err
	case pf.DeltaByteArray:
		return p.prefixes(b)
	}
	return nil
}

// hybrid adds up runs and packed groups of values so many bits wide.
func (p *pageRuns) hybrid(b []byte, width int) error {
	total := int64(0)
	for len(b) > 0 && width <= 64 {
		head, n := binary.Uvarint(b)
		if n <= 0 {
			return nil
		}
		b = b[n:]
		count, size := int64(head>>1), int64(width+7)/8
		if count > p.values+pad {
			return p.tooMany(count)
		}
		if head&1 == 1 {
			size, count = count*int64(width), 8*count
		}
		if total += count; total > p.values+pad {
			return p.tooMany(total)
		}
		b = b[min(size, int64(len(b))):]
	}
	return nil
}

// deltas looks at how many differences there are said to be.
func (p *pageRuns) deltas(b []byte) (count int64, err error) {
	for range 3 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return 0, nil
		}
		b, count = b[n:], int64(v&(1<<63-1))
	}
	if count > p.values+pad {
		return 0, p.tooMany(count)
	}
	return count, nil
}

// prefixes adds up what texts share with those before them, which a page says in a few bits each.
func (p *pageRuns) prefixes(b []byte) error {
	if count, err := p.deltas(b); count == 0 || err != nil {
		return err
	}
	lengths, err := new(delta.BinaryPackedEncoding).DecodeInt32(nil, b)
	if err != nil {
		return nil //nolint:nilerr // the library says it where the values are read
	}
	total := int64(0)
	for _, n := range lengths {
		if total += int64(n); n < 0 || total > p.most {
			return fmt.Errorf("its texts share %d bytes, more than 'parquet.page-limit' lets it", total)
		}
	}
	return nil
}

func (p *pageRuns) tooMany(n int64) error {
	return fmt.Errorf("it has a run of %d values, and says that it has %d", n, p.values)
}
