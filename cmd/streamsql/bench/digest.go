// Package bench measures and verifies Nexmark runs: digests of results, comparison with the goldens,
// reports as table and JSON.
//
// It does not know how queries are planned or run, nor flags.
//
// Invariants:
//
//	D1 a digest speaks of the folded result: what the changelog adds up to.
//	D2 rows are encoded as the goldens are: cells by text.AppendGolden, TAB between, LF behind.
package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"streamsql/exec/connector"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Digest is what a result is compared by. Msum needs no order: the sum of the first 8 bytes of each
// line's SHA-256. SHA256 is over the lines in byte order.
type Digest struct {
	Rows   int64
	SHA256 string
	Msum   uint64
}

// String is `rows=R sha256=H msum64=M`.
func (d Digest) String() string {
	return fmt.Sprintf("rows=%d sha256=%s msum64=%016x", d.Rows, d.SHA256, d.Msum)
}

// Folder collects the rows of all subtasks of a sink.
type Folder struct {
	// Light leaves out the SHA-256 of the sorted rows, and with it the memory for them: the sum and the
	// number of rows need no order, and a row taken away is taken off them.
	Light bool

	mu     sync.Mutex
	rows   int64 // counted by a light folder
	msum   uint64
	counts map[string]int64
	// lines holds the rows while all are inserts; the first other change moves them to counts.
	lines [][]byte
}

// Writer makes the writer of one subtask.
func (f *Folder) Writer() connector.Writer { return &folding{f: f} }

// Digest folds what was collected. A retraction of a row that is not there is an error.
func (f *Folder) Digest() (Digest, error) {
	if f.Light {
		return Digest{Rows: f.rows, Msum: f.msum}, nil
	}
	lines := f.lines
	for l, n := range f.counts {
		if n < 0 {
			return Digest{}, fmt.Errorf("bench: the changelog takes away a row that it never gave: %q", l)
		}
		for range n {
			lines = append(lines, []byte(l))
		}
	}
	slices.SortFunc(lines, bytes.Compare)
	whole := sha256.New()
	d := Digest{Rows: int64(len(lines))}
	var end = []byte{'\n'}
	for _, l := range lines {
		whole.Write(l)
		whole.Write(end)
		d.Msum += lineSum(append(l[:len(l):len(l)], '\n'))
	}
	d.SHA256 = hex.EncodeToString(whole.Sum(nil))
	return d, nil
}

// lineSum is what a line with its line end adds to the order-free sum.
func lineSum(line []byte) uint64 {
	h := sha256.Sum256(line)
	return binary.BigEndian.Uint64(h[:8])
}

type folding struct {
	f    *Folder
	line []byte
}

func (w *folding) Write(b *vector.Batch) error {
	w.f.mu.Lock()
	defer w.f.mu.Unlock()
	for i := range b.Len {
		w.line = w.line[:0]
		for k, c := range b.Cols {
			if k > 0 {
				w.line = append(w.line, '\t')
			}
			w.line = text.AppendGolden(w.line, c, i)
		}
		if err := w.f.add(w.line, b.Kind(i)); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) add(line []byte, kind vector.RowKind) error {
	switch {
	case f.Light && kind.Adds():
		f.rows++
		f.msum += lineSum(append(line, '\n'))
		return nil
	case f.Light:
		f.rows--
		f.msum -= lineSum(append(line, '\n'))
		return nil
	case kind == vector.Insert && f.counts == nil:
		f.lines = append(f.lines, bytes.Clone(line))
		return nil
	}
	if f.counts == nil {
		f.counts = map[string]int64{}
		for _, l := range f.lines {
			f.counts[string(l)]++
		}
		f.lines = nil
	}
	n := f.counts[string(line)] + 1
	if !kind.Adds() {
		n -= 2
	}
	if n == 0 {
		delete(f.counts, string(line))
		return nil
	}
	f.counts[string(line)] = n
	return nil
}

func (w *folding) Advance(types.EventTime) error { return nil }

func (w *folding) Prepare(int64) ([][]byte, func() error, error) {
	return nil, func() error { return nil }, nil
}

func (w *folding) Abort() error { return nil }

func (w *folding) Close() error { return nil }
