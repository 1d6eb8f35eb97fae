package filesystem

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	pf "github.com/parquet-go/parquet-go/format"
)

// parquetTail is the length of the footer, and the letters behind it.
const parquetTail = 8

// checkFooter looks at the footer of a file before it is read.
func checkFooter(in io.ReaderAt, size int64) error {
	var tail [parquetTail]byte
	if size < parquetTail+4 {
		return errors.New("it is shorter than any")
	}
	if _, err := in.ReadAt(tail[:], size-parquetTail); err != nil {
		return err
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if string(tail[4:]) != parquetMagic {
		return nil // the library says what it is
	}
	if err := checkPart(in, size, size-parquetTail-n, n); err != nil {
		return fmt.Errorf("the footer of %d bytes: %w", n, err)
	}
	return nil
}

// checkPart looks at a struct of n bytes.
func checkPart(in io.ReaderAt, size, offset, n int64) error {
	if offset < 0 || n < 0 || n > size-offset {
		return errClaims
	}
	b := make([]byte, n)
	if _, err := in.ReadAt(b, offset); err != nil {
		return err
	}
	var c claims
	_, err := c.check(b)
	return err
}

// checkIndexes looks at where the pages of a file's chunks are said to be.
func checkIndexes(in io.ReaderAt, size int64, m *pf.FileMetaData) error {
	for g := range m.RowGroups {
		for i := range m.RowGroups[g].Columns {
			c := &m.RowGroups[g].Columns[i]
			for _, part := range [2][2]int64{{c.ColumnIndexOffset, int64(c.ColumnIndexLength)},
				{c.OffsetIndexOffset, int64(c.OffsetIndexLength)}} {
				if part == [2]int64{} {
					continue
				}
				if err := checkPart(in, size, part[0], part[1]); err != nil {
					return fmt.Errorf("the index of pages at byte %d: %w", part[0], err)
				}
			}
		}
	}
	return nil
}

// pageHead is the most that the head of a page takes: statistics stand in it.
const pageHead = 64 << 10

// checkPages looks at the heads of all pages of a chunk, which are no longer than the chunk and become no more than a page may be,
// and counts the values that they have. Pages begin where begins says, in ascending order.
func checkPages(in io.ReaderAt, size int64, m *pf.ColumnMetaData, begins []int64, levels levelsOf, most int64,
	memory *pageMemory) (values int64, err error) {
	at := firstPage(m)
	if at < 0 || at > size || m.TotalCompressedSize < 0 || m.TotalCompressedSize > size-at {
		return 0, fmt.Errorf("it stands at byte %d with %d bytes in a file of %d", at, m.TotalCompressedSize, size)
	}
	buf := make([]byte, 1<<10)
	for end := at + m.TotalCompressedSize; at < end; {
		var c claims
		head := buf[:min(int64(len(buf)), size-at)]
		if _, err := in.ReadAt(head, at); err != nil {
			return 0, err
		}
		n, err := c.check(head)
		if err != nil && len(buf) < pageHead && int64(len(buf)) < size-at {
			buf = make([]byte, pageHead)
			continue
		}
		if err == nil {
			err = checkPage(&c, head[n:], size-at-int64(n), m, most)
		}
		if err == nil {
			err = checkRuns(&c, in, at+int64(n), m, levels, most, memory)
		}
		if err != nil {
			return 0, fmt.Errorf("the page at byte %d: %w", at, err)
		}
		for len(begins) > 0 && begins[0] == at {
			begins = begins[1:]
		}
		values += max(c.parts[5][1], c.parts[8][1])
		at += int64(n) + c.numbers[3]
	}
	if len(begins) > 0 && values > 0 {
		return 0, fmt.Errorf("a page is said to begin at byte %d, where none does", begins[0])
	}
	return values, nil
}

// firstPage is where the pages of a chunk begin.
func firstPage(m *pf.ColumnMetaData) int64 {
	if m.DictionaryPageOffset != 0 {
		return m.DictionaryPageOffset
	}
	return m.DataPageOffset
}

// checkPage looks at a page of which the head and some bytes behind it are known, and how many there are in the file.
func checkPage(c *claims, body []byte, left int64, m *pf.ColumnMetaData, most int64) error {
	unpacked, packed := c.numbers[2], c.numbers[3]
	values := max(c.parts[5][1], c.parts[7][1], c.parts[8][1])
	levels := c.parts[8][5] + c.parts[8][6] // of version 2, they stand before what is packed
	switch {
	case packed < 0 || packed > left:
		return fmt.Errorf("it says that it has %d bytes, and %d are left", packed, left)
	case unpacked < 0 || unpacked > most || values > most:
		return fmt.Errorf("it says that it becomes %d bytes of %d values, more than 'parquet.page-limit' lets it", unpacked, values)
	case c.parts[7][1] > unpacked:
		return fmt.Errorf("it says that it is a dictionary of %d values in %d bytes", c.parts[7][1], unpacked)
	case levels < 0 || levels > int64(len(body)):
		return nil
	}
	body = body[levels:min(packed, int64(len(body)))]
	says := uint64(0)
	switch m.Codec {
	case pf.Snappy:
		says, _ = binary.Uvarint(body)
	case pf.Zstd:
		var h zstd.Header
		if h.Decode(body) == nil && h.HasFCS {
			says = h.FrameContentSize
		}
	}
	if says > uint64(most) {
		return fmt.Errorf("what is packed says that it becomes %d bytes, more than 'parquet.page-limit' lets it", says)
	}
	return nil
}
