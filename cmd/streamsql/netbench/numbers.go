package netbench

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// numbers is a source that counts up from 0, to a number of records or without end (-1).
type numbers struct{ records int64 }

func (s numbers) Push(connector.Request) connector.Accepted { return connector.Accepted{} }

func (s numbers) Bounded() bool { return s.records >= 0 }

func (s numbers) Splits(int) ([]connector.Split, error) {
	return []connector.Split{{ID: "numbers"}}, nil
}

func (s numbers) Open(c *connector.Context, splits []connector.Split) (connector.Reader, error) {
	r := &numbersReader{left: s.records, column: &vector.Column{}}
	for _, x := range splits {
		if len(x.Position) == 0 {
			continue
		}
		if len(x.Position) != 8 {
			return nil, fmt.Errorf("a position of %d bytes, not 8", len(x.Position))
		}
		r.next = int64(binary.LittleEndian.Uint64(x.Position))
		r.left = max(r.left-r.next, min(r.left, 0))
	}
	r.values = make([]int64, c.MaxRows)
	r.batch.Cols = []*vector.Column{r.column}
	return r, nil
}

type numbersReader struct {
	next, left int64
	values     []int64
	column     *vector.Column
	batch      vector.Batch
}

func (r *numbersReader) Next() (connector.Read, error) {
	if r.left == 0 {
		return connector.Read{Status: connector.End}, nil
	}
	v := r.values
	if r.left > 0 {
		v = v[:min(int64(len(v)), r.left)]
		r.left -= int64(len(v))
	}
	for i := range v {
		v[i] = r.next + int64(i)
	}
	r.next += int64(len(v))
	vector.SetSlice(r.column, row[0], v)
	r.batch.Len = len(v)
	return connector.Read{Batch: &r.batch}, nil
}

func (r *numbersReader) Position(int) ([]byte, error) {
	return binary.LittleEndian.AppendUint64(nil, uint64(r.next)), nil
}

func (r *numbersReader) Close() error { return nil }

// discarding is a sink that counts its rows.
type discarding struct {
	connector.Uncommitted
	rows *atomic.Int64
}

func (discarding) Changelog() bool { return true }

func (s discarding) Open(*connector.Context) (connector.Writer, error) { return s, nil }

func (discarding) Committer() (connector.Committer, error) { return nil, nil }

func (s discarding) Write(b *vector.Batch) error {
	s.rows.Add(int64(b.Len))
	return nil
}
