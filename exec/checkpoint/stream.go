package checkpoint

import (
	"io"
	"slices"
)

// Stream writes bytes of any length as blocks of a bounded one. It is an io.Writer.
type Stream struct {
	data   *Data
	block  Block
	buf    []byte
	blocks []Block
}

// streamBlock is the length of a stream's blocks.
const streamBlock = 1 << 20

// Stream begins a stream. What k says of place, table and key groups goes with every block of it. Streams
// of one place and table in one file must not be mixed.
func (d *Data) Stream(k Block) *Stream { return &Stream{data: d, block: k, buf: buffers.take()} }

// Write implements io.Writer.
func (s *Stream) Write(p []byte) (n int, err error) {
	n = len(p)
	for len(p) > 0 {
		room := min(streamBlock-len(s.buf), len(p))
		s.buf, p = append(s.buf, p[:room]...), p[room:]
		if len(s.buf) < streamBlock {
			break
		}
		if err := s.cut(); err != nil {
			return 0, err
		}
	}
	return n, nil
}

func (s *Stream) cut() error {
	k, err := s.data.Append(s.block, s.buf)
	s.buf = s.buf[:0]
	s.blocks = append(s.blocks, k)
	return err
}

// Blocks ends the stream and lists its blocks for the metadata. An empty stream has one, empty.
func (s *Stream) Blocks() ([]Block, error) {
	if len(s.buf) > 0 || len(s.blocks) == 0 {
		if err := s.cut(); err != nil {
			return nil, err
		}
	}
	buffers.give(s.buf)
	s.buf = nil
	return s.blocks, s.data.err
}

// Chains gives the streams that a node's subtask needs at a parallelism, of one table: for each earlier
// subtask the streams that its metadata named, in order. A checkpoint that builds on earlier ones names
// theirs before its own. EndRestore ends the use of the readers.
func (d *Directory) Chains(stage, node int, table string, subtask, parallelism int) [][]io.Reader {
	blocks := d.restored.BlocksOf(stage, node, subtask, parallelism)
	blocks = slices.DeleteFunc(blocks, func(k Block) bool { return k.Table != table })
	var chains [][]io.Reader
	for i := 0; i < len(blocks); {
		var chain []io.Reader
		from := blocks[i].Subtask
		for i < len(blocks) && blocks[i].Subtask == from {
			r := &streamReader{directory: d}
			for file := blocks[i].File; i < len(blocks) && blocks[i].File == file && blocks[i].Subtask == from; i++ {
				r.blocks = append(r.blocks, blocks[i])
			}
			chain = append(chain, r)
		}
		chains = append(chains, chain)
	}
	return chains
}

// streamReader reads the blocks of a stream one after the other.
type streamReader struct {
	directory *Directory
	blocks    []Block
	buf       []byte
	at        int
}

func (r *streamReader) Read(p []byte) (int, error) {
	for r.at == len(r.buf) {
		if len(r.blocks) == 0 {
			return 0, io.EOF
		}
		var err error
		if r.buf, err = r.directory.Read(r.blocks[0], r.buf[:0]); err != nil {
			r.buf, r.at = nil, 0
			return 0, err
		}
		r.blocks, r.at = r.blocks[1:], 0
	}
	n := copy(p, r.buf[r.at:])
	r.at += n
	return n, nil
}
