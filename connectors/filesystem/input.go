package filesystem

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"streamsql/exec/connector"
)

// unpackers are the compressions by the extension of a file. Frames that follow each other are one text.
var unpackers = map[string]func(io.Reader) (io.Reader, error){
	".gz":     func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	".zst":    func(r io.Reader) (io.Reader, error) { return unpackZstd(r) },
	".bz2":    func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil },
	".snappy": func(r io.Reader) (io.Reader, error) { return s2.NewReader(r), nil },
	".sz":     func(r io.Reader) (io.Reader, error) { return s2.NewReader(r), nil },
	".s2":     func(r io.Reader) (io.Reader, error) { return s2.NewReader(r), nil },
}

// packedOtherwise are extensions of files that hold no text and cannot be unpacked.
var packedOtherwise = []string{".xz", ".lz4", ".br", ".zip", ".7z"}

// maxWindow is the most memory that a zstd frame may ask for.
const maxWindow = 128 << 20

func unpackZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// input is an opened file, as the text that it holds.
type input struct {
	io.Reader
	file *os.File
	// info is what the file was when it was opened.
	info fs.FileInfo
	// unpacked says that offsets are those of the text, not of the file.
	unpacked bool
}

// openInput opens a file of text, unpacked. The path `-` is the standard input.
func openInput(path string) (*input, error) {
	if path == standardPath {
		r, err := standardInput.take()
		return &input{Reader: r, file: os.Stdin}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := &input{Reader: f, file: f}
	if in.info, err = f.Stat(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if unpack := unpackers[strings.ToLower(filepath.Ext(path))]; unpack != nil {
		in.unpacked = true
		if in.Reader, err = unpack(bufio.NewReaderSize(f, chunkSize)); err != nil {
			return nil, errors.Join(packedError(path, err), f.Close())
		}
	}
	return in, nil
}

// packedError is what is wrong with a file that is not packed as its name says, or was cut off.
func packedError(path string, err error) error {
	ext := filepath.Ext(path)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &connector.Error{Place: path,
		Err:  fmt.Errorf("what the name %s says to be packed as %s cannot be unpacked: %w", filepath.Base(path), ext, err),
		Hint: fmt.Sprintf("rename the file if it is not packed; one that was cut off ends in the middle of what it packs (%s)", ext)}
}

// skip goes to an offset of the text.
func (in *input) skip(offset int64) error {
	if offset == 0 {
		return nil
	}
	if !in.unpacked {
		if in.info != nil && in.info.Mode().IsRegular() && in.info.Size() < offset {
			return fmt.Errorf("the file has %d bytes, and %d were read before: %w", in.info.Size(), offset, errNeverChange)
		}
		_, err := in.file.Seek(offset, io.SeekStart)
		return err
	}
	n, err := io.CopyN(io.Discard, in.Reader, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return packedError(in.file.Name(), err)
	}
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the file holds %d bytes of text, and %d were read before: %w", n, offset, errNeverChange)
	}
	return err
}

// linesBefore counts the lines before an offset of a file; it is asked once, for an error.
func linesBefore(path string, offset int64) int {
	if offset == 0 {
		return 0
	}
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }()
	in, buf, lines := io.LimitReader(f, offset), make([]byte, chunkSize), 0
	for {
		n, err := in.Read(buf)
		lines += bytes.Count(buf[:n], []byte("\n"))
		if err != nil {
			return lines
		}
	}
}

// changed tells that the file is not what it was when it was opened.
func (in *input) changed() error {
	if in.info == nil || !in.info.Mode().IsRegular() {
		return nil
	}
	now, err := in.file.Stat()
	switch {
	case err != nil:
		return err
	case now.Size() != in.info.Size():
		return fmt.Errorf("the file had %d bytes when it was opened and has %d now: %w",
			in.info.Size(), now.Size(), errNeverChange)
	case !now.ModTime().Equal(in.info.ModTime()):
		return fmt.Errorf("the file was written to while it was read: %w", errNeverChange)
	}
	return nil
}

func (in *input) close() error {
	if c, ok := in.Reader.(io.Closer); ok && in.Reader != io.Reader(in.file) {
		_ = c.Close()
	}
	if in.info == nil {
		return nil // the standard input stays open
	}
	return in.file.Close()
}

// standardPath is the path of the standard input.
const standardPath = "-"

// standardInput is the input of the process, which is read once; what a look into it found is not lost.
var standardInput = &standard{}

type standard struct {
	mu    sync.Mutex
	in    *bufio.Reader
	taken string // what it was taken for
}

// ClaimStandardInput says that the standard input is something else than rows, in words: `holds the script`.
func ClaimStandardInput(what string) {
	standardInput.mu.Lock()
	defer standardInput.mu.Unlock()
	standardInput.taken = what
}

func (s *standard) open() error {
	if s.taken != "" {
		return fmt.Errorf("the standard input %s", s.taken)
	}
	if s.in == nil {
		s.in = bufio.NewReaderSize(os.Stdin, standardSample)
	}
	return nil
}

// standardSample is how much of the standard input is looked into.
const standardSample = 64 << 10

// look gives the head of the input, and whether that is all of it.
func (s *standard) look() (head []byte, all bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return nil, false, err
	}
	head, err = s.in.Peek(standardSample)
	if errors.Is(err, io.EOF) {
		return head, true, nil
	}
	return head, false, err
}

// take gives the input, once.
func (s *standard) take() (io.Reader, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return nil, err
	}
	s.taken = "was read already, which can be done once"
	return s.in, nil
}
