package filesystem

import (
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/connector"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// leafPath leads to a leaf: a column, and from there a child at each step.
type leafPath struct {
	column int
	name   string
	steps  []leafStep
}

// leafStep goes into a ROW's field, or into the elements of a list.
type leafStep struct {
	child int
	list  bool
	// required says that what follows is never NULL: the key of a MAP.
	required bool
}

// leafPaths are the leaves of a table, in the order in which they stand in a file.
func leafPaths(columns []connector.Column) (out []leafPath) {
	for i, c := range columns {
		out = appendLeaves(out, leafPath{column: i, name: c.Name}, c.Type)
	}
	return out
}

func appendLeaves(out []leafPath, p leafPath, t types.Type) []leafPath {
	into := func(t types.Type, step leafStep) {
		q := p
		q.steps = append(p.steps[:len(p.steps):len(p.steps)], step)
		out = appendLeaves(out, q, t)
	}
	switch t.Kind {
	case types.Row:
		for i, f := range t.Fields {
			into(f.Type, leafStep{child: i})
		}
	case types.Array:
		into(t.Elem(), leafStep{list: true})
	case types.Map:
		into(t.Key(), leafStep{list: true, required: true})
		into(t.Elem(), leafStep{child: 1, list: true})
	case types.Multiset:
		into(t.Elem(), leafStep{list: true, required: true})
		into(types.Of(types.Int), leafStep{child: 1, list: true})
	default:
		out = append(out, p)
	}
	return out
}

var errNullParquetKey = errors.New("a key is NULL, which Parquet files cannot hold")

// shred makes the values of a leaf of rows, with their levels.
func (w *parquetWriter) shred(p *leafPath, c *vector.Column, at, from, to int) error {
	w.values, w.bytes = w.values[:0], w.bytes[:0]
	s := shredder{w, at}
	for i := from; i < to; i++ {
		if err := s.emit(c, i, p.steps, levels{}); err != nil {
			return fmt.Errorf("column '%s': %w", p.name, err)
		}
	}
	return nil
}

type shredder struct {
	*parquetWriter
	at int // of the leaf among all
}

// levels are those of a value: where it repeats, how deep it is there, and how many lists are around it.
type levels struct {
	repetition, definition, lists int
	required                      bool
}

func (s *shredder) emit(c *vector.Column, i int, steps []leafStep, l levels) error {
	if c.Null(i) {
		if l.required {
			return errNullParquetKey
		}
		s.values = append(s.values, parquet.NullValue().Level(l.repetition, l.definition, s.at))
		return nil
	}
	if !l.required {
		l.definition++
	}
	if len(steps) == 0 {
		s.values = append(s.values, s.sized(c, i).Level(l.repetition, l.definition, s.at))
		return nil
	}
	c, i = c.At(i)
	step := steps[0]
	l.required = step.required
	if !step.list {
		return s.emit(c.Children[step.child], i, steps[1:], l)
	}
	from, to := int(c.Offsets[i]), int(c.Offsets[i+1])
	if from == to {
		s.values = append(s.values, parquet.NullValue().Level(l.repetition, l.definition, s.at))
		return nil
	}
	l.definition++
	l.lists++
	for e := from; e < to; e++ {
		if err := s.emit(c.Children[step.child], e, steps[1:], l); err != nil {
			return err
		}
		l.repetition = l.lists
	}
	return nil
}
