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

	mu    sync.Mutex
	parts []*folding
}

// Writer makes the writer of one subtask.
func (f *Folder) Writer() connector.Writer {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := &folding{light: f.Light}
	f.parts = append(f.parts, w)
	return w
}

// Digest folds what the writers collected; they have ended. A retraction of a row that is not there is an
// error.
func (f *Folder) Digest() (Digest, error) {
	var d Digest
	if f.Light {
		for _, w := range f.parts {
			rows, sum := w.totals()
			d.Rows, d.Msum = d.Rows+rows, d.Msum+sum
		}
		return d, nil
	}
	var lines []counted
	for _, w := range f.parts {
		w.each(func(line []byte, n int64) { lines = append(lines, counted{line, n}) })
	}
	slices.SortFunc(lines, func(a, b counted) int { return bytes.Compare(a.line, b.line) })
	whole := sha256.New()
	for len(lines) > 0 {
		line, n := lines[0].line, int64(0)
		for ; len(lines) > 0 && bytes.Equal(lines[0].line, line); lines = lines[1:] {
			n += lines[0].n
		}
		if n < 0 {
			return Digest{}, fmt.Errorf("bench: the changelog takes away a row that it never gave: %q", line)
		}
		line = append(line[:len(line):len(line)], '\n')
		d.Rows += n
		d.Msum += uint64(n) * lineSum(line)
		for range n {
			whole.Write(line)
		}
	}
	d.SHA256 = hex.EncodeToString(whole.Sum(nil))
	return d, nil
}

// counted is a line and how often it is there.
type counted struct {
	line []byte
	n    int64
}

// lineSum is what a line with its line end adds to the order-free sum.
func lineSum(line []byte) uint64 {
	h := sha256.Sum256(line)
	return binary.BigEndian.Uint64(h[:8])
}
