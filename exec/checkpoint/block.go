package checkpoint

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/s2"
)

// A data file is a header and blocks one after the other. A block's frame is a mark, the codec, the stored
// and the real length, the checksum, and the stored bytes. The checksum covers the frame's place in the
// file too, so that bytes that came to the wrong place are noticed.
const (
	dataMagic   = "\x89SSQLDT\n"
	dataVersion = 1
	dataHeader  = 8 + 4
	blockMagic  = 0x314b4c42 // BLK1
	blockHeader = 4 + 4 + 4 + 4 + 4
	// blockMost is the longest block.
	blockMost = 1 << 30
)

// The codecs of a block.
const (
	stored = iota
	compressed
)

// frameHeader fills the header of a block's frame.
func frameHeader(h *[blockHeader]byte, codec uint32, payload []byte, length int, offset int64) (sum uint32) {
	binary.LittleEndian.PutUint32(h[0:], blockMagic)
	binary.LittleEndian.PutUint32(h[4:], codec)
	binary.LittleEndian.PutUint32(h[8:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(h[12:], uint32(length))
	sum = frameSum(h, payload, offset)
	binary.LittleEndian.PutUint32(h[16:], sum)
	return sum
}

func frameSum(h *[blockHeader]byte, payload []byte, offset int64) uint32 {
	var at [8]byte
	binary.LittleEndian.PutUint64(at[:], uint64(offset))
	sum := crc32.Update(crc32.Checksum(at[:], castagnoli), castagnoli, h[:16])
	return crc32.Update(sum, castagnoli, payload)
}

// frame checks the frame of a block and gives its payload, still compressed or not. The bytes are lent
// until the buffer is used again.
func frame(r Reader, file string, k *Block, buf *[]byte) (payload []byte, codec uint32, err error) {
	damaged := func(at int64, format string, args ...any) ([]byte, uint32, error) {
		return nil, 0, &Damage{File: file, Offset: k.Offset + at, Check: fmt.Sprintf(format, args...)}
	}
	size, err := r.Size()
	if err != nil {
		return nil, 0, err
	}
	if k.Offset < dataHeader || k.Offset > size-int64(blockHeader+k.Stored) {
		return damaged(0, "a block of %d bytes should be here, the file ends at %d", blockHeader+k.Stored, size)
	}
	n := blockHeader + k.Stored
	if cap(*buf) < n {
		*buf = make([]byte, n)
	}
	b := (*buf)[:n]
	if got, err := r.ReadAt(b, k.Offset); got < n {
		if err == io.EOF {
			return damaged(int64(got), "the file ends within a block")
		}
		return nil, 0, fmt.Errorf("%s: read %d bytes at offset %d: %w", file, n, k.Offset, err)
	}
	h := (*[blockHeader]byte)(b)
	payload = b[blockHeader:]
	if binary.LittleEndian.Uint32(h[0:]) != blockMagic {
		return damaged(0, "no block begins here")
	}
	sum := frameSum(h, payload, k.Offset)
	if want := binary.LittleEndian.Uint32(h[16:]); want != sum {
		return damaged(16, "the checksum of the block of table %q is %08x, its bytes give %08x", k.Table, want, sum)
	}
	if sum != k.Sum {
		return damaged(16, "the metadata knows the block of table %q by the checksum %08x, this one has %08x", k.Table, k.Sum, sum)
	}
	codec = binary.LittleEndian.Uint32(h[4:])
	length := int(binary.LittleEndian.Uint32(h[12:]))
	if codec > compressed || int(binary.LittleEndian.Uint32(h[8:])) != k.Stored || length != k.Length ||
		codec == stored && length != k.Stored {
		return damaged(4, "codec %d and lengths %d, %d do not fit the metadata", codec, len(payload), length)
	}
	return payload, codec, nil
}

// expand gives the bytes of a block, appended to dst.
func expand(file string, k *Block, payload []byte, codec uint32, dst []byte) ([]byte, error) {
	if codec == stored {
		return append(dst, payload...), nil
	}
	damaged := func(check string) ([]byte, error) {
		return dst, &Damage{File: file, Offset: k.Offset + blockHeader, Check: check}
	}
	if n, err := s2.DecodedLen(payload); err != nil || n != k.Length {
		return damaged("the length within the compressed bytes is not that of the block")
	}
	at := len(dst)
	dst = append(dst, make([]byte, k.Length)...)
	if _, err := s2.Decode(dst[at:], payload); err != nil {
		return damaged("the bytes of the block cannot be decompressed")
	}
	return dst, nil
}

// checkData checks the header of a data file.
func checkData(r Reader, file string) error {
	var h [dataHeader]byte
	if n, err := r.ReadAt(h[:], 0); n < len(h) {
		if err == io.EOF {
			return &Damage{File: file, Offset: int64(n), Check: "the file ends within its header"}
		}
		return fmt.Errorf("%s: read its header: %w", file, err)
	}
	if string(h[:8]) != dataMagic {
		return &Damage{File: file, Check: "the magic number is not that of a data file"}
	}
	if v := binary.LittleEndian.Uint32(h[8:]); v != dataVersion {
		return otherVersion(file, v, dataVersion)
	}
	return nil
}
