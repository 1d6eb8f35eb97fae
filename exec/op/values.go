package op

import (
	"encoding/binary"
	"fmt"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Values is a table that stands in the plan: VALUES, and the single row without columns under a SELECT
// without FROM. It is a source of one split.
type Values struct {
	Types []types.Type
	// Rows hold one expression per column, over no input.
	Rows [][]expr.Expr
}

// Push implements connector.Source: nothing is taken.
func (s *Values) Push(connector.Request) connector.Accepted { return connector.Accepted{} }

// Bounded implements connector.Source.
func (s *Values) Bounded() bool { return true }

// Splits implements connector.Source.
func (s *Values) Splits(int) ([]connector.Split, error) {
	return []connector.Split{{ID: "values"}}, nil
}

// Open implements connector.Source.
func (s *Values) Open(c *connector.Context, splits []connector.Split) (connector.Reader, error) {
	r := &valuesReader{spec: s, c: c}
	if len(splits) == 0 {
		r.next = len(s.Rows)
		return r, nil
	}
	if p := splits[0].Position; len(p) > 0 {
		at, n := binary.Uvarint(p)
		if n <= 0 || at > uint64(len(s.Rows)) {
			return nil, fmt.Errorf("values: no such position %x", p)
		}
		r.next = int(at)
	}
	return r, nil
}

type valuesReader struct {
	spec *Values
	c    *connector.Context
	next int
}

func (r *valuesReader) Next() (connector.Read, error) {
	rows := r.spec.Rows[r.next:]
	if len(rows) == 0 {
		return connector.Read{Status: connector.End}, nil
	}
	rows = rows[:min(len(rows), r.c.MaxRows)]
	b, err := r.batch(rows)
	if err != nil {
		return connector.Read{}, err
	}
	r.next += len(rows)
	return connector.Read{Status: connector.Rows, Batch: b}, nil
}

func (r *valuesReader) batch(rows [][]expr.Expr) (*vector.Batch, error) {
	cells := make([][]*vector.Column, len(r.spec.Types))
	for _, row := range rows {
		e, err := expr.New(row, r.c.Env)
		if err != nil {
			return nil, err
		}
		cols, err := e.Eval(nil, 1)
		if err != nil {
			return nil, err
		}
		for i, c := range cols {
			flat := &vector.Column{}
			vector.Flatten(flat, c)
			cells[i] = append(cells[i], flat)
		}
	}
	b := &vector.Batch{Len: len(rows)}
	for i, t := range r.spec.Types {
		c := &vector.Column{}
		vector.Concat(c, t, cells[i])
		b.Cols = append(b.Cols, c)
	}
	return b, nil
}

func (r *valuesReader) Position(int) ([]byte, error) {
	return binary.AppendUvarint(nil, uint64(r.next)), nil
}

func (r *valuesReader) Close() error { return nil }
