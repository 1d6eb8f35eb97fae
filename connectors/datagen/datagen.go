// Package datagen is the source of made-up rows: random values, or sequences.
//
// It does not know what the rows are for.
//
// Invariants:
//
//	D1 subtasks make disjoint parts of a sequence, and together no more rows than asked for.
//	D2 a reader restored at its position goes on with the row count and the sequences; random values are
//	   not repeated.
package datagen

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/option"
)

type options struct {
	Rate   int64             `opt:"rows-per-second" default:"10000" min:"1" free:"true" doc:"rows made in a second, by all subtasks together"`
	Rows   *int64            `opt:"number-of-rows" min:"0" doc:"rows made in all; without it there is no end"`
	Fields map[string]string `opt:"fields." doc:"fields.COLUMN.kind and what that kind takes"`
}

// Definition declares the connector.
var Definition = connector.Definition{
	Name:    "datagen",
	Doc:     "Makes rows of random values or sequences.",
	Options: func() any { return new(options) },
	Source:  open,
}

type source struct {
	o      *options
	table  *connector.Table
	fields []fieldOptions
	// sequence is the length of the shortest sequence, or -1.
	sequence int64
}

func open(t *connector.Table) (connector.Source, error) {
	s := &source{o: t.Options.(*options), table: t, sequence: -1}
	given := map[string]map[string]string{}
	for key, value := range s.o.Fields {
		i := strings.LastIndexByte(key, '.')
		name := key[:max(i, 0)]
		if !slices.ContainsFunc(t.Columns, func(c connector.Column) bool { return c.Name == name }) {
			return nil, &option.Error{Key: "fields." + key, Hint: columnsLike(name, t.Columns),
				Msg: fmt.Sprintf("unknown option 'fields.%s': there is no column '%s'", key, name)}
		}
		if given[name] == nil {
			given[name] = map[string]string{}
		}
		given[name][key[i+1:]] = value
	}
	for _, c := range t.Columns {
		var f fieldOptions
		if err := option.Decode(&f, given[c.Name]); err != nil {
			return nil, fmt.Errorf("column '%s': %w", c.Name, err)
		}
		if err := f.check(c); err != nil {
			return nil, err
		}
		if f.Kind == "sequence" {
			n := *f.End - *f.Start + 1
			if s.sequence < 0 || n < s.sequence {
				s.sequence = n
			}
		}
		s.fields = append(s.fields, f)
	}
	return s, nil
}

// columnsLike lists the columns that there are, the one that was probably meant first.
func columnsLike(name string, list []connector.Column) (hint string) {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.Name
	}
	if near := option.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean '%s'?  ", near)
	}
	return hint + "columns: " + strings.Join(names, ", ")
}

// Push implements connector.Source: nothing is taken.
func (s *source) Push(connector.Request) connector.Accepted { return connector.Accepted{} }

// Bounded implements connector.Source.
func (s *source) Bounded() bool { return s.o.Rows != nil || s.sequence >= 0 }

// Splits implements connector.Source: split k of n makes rows k, k+n, k+2n …
func (s *source) Splits(n int) ([]connector.Split, error) {
	out := make([]connector.Split, n)
	for i := range out {
		out[i].ID = fmt.Sprintf("%d/%d", i, n)
	}
	return out, nil
}

// Resume implements connector.Resumer: the rows that splits have left are dealt out once more where there are more
// subtasks.
func (s *source) Resume(n int, saved []connector.Split) ([]connector.Split, error) {
	times := int64((n + len(saved) - 1) / len(saved))
	var out []connector.Split
	for k := range times {
		for _, split := range saved {
			p, err := parsePart(split)
			if err != nil {
				return nil, err
			}
			// Of the rows that were made, those with number k modulo times.
			made := (p.made - k + times - 1) / times
			out = append(out, connector.Split{ID: fmt.Sprintf("%d/%d", p.first+k*p.step, p.step*times),
				Position: binary.AppendUvarint(nil, uint64(made))})
		}
	}
	return out, nil
}

// parsePart reads the name and the position of a split.
func parsePart(split connector.Split) (part, error) {
	var p part
	if _, err := fmt.Sscanf(split.ID, "%d/%d", &p.first, &p.step); err != nil || p.step < 1 {
		return p, fmt.Errorf("datagen: no such split %q", split.ID)
	}
	if len(split.Position) > 0 {
		made, n := binary.Uvarint(split.Position)
		if n <= 0 {
			return p, fmt.Errorf("datagen: no such position %x", split.Position)
		}
		p.made = int64(made)
	}
	return p, nil
}

// Open implements connector.Source.
func (s *source) Open(c *connector.Context, splits []connector.Split) (connector.Reader, error) {
	r := newReader(s, c)
	for _, split := range splits {
		p, err := parsePart(split)
		if err != nil {
			return nil, err
		}
		p.end = s.rows(p)
		r.parts = append(r.parts, p)
	}
	return r, nil
}

// rows is how many rows a part makes, or -1.
func (s *source) rows(p part) int64 {
	total := s.sequence
	if s.o.Rows != nil && (total < 0 || *s.o.Rows < total) {
		total = *s.o.Rows
	}
	if total < 0 {
		return -1
	}
	return max(0, (total-p.first+p.step-1)/p.step)
}
