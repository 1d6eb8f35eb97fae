package filesystem

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// nestedColumn reads a ROW, ARRAY, MAP or MULTISET: it puts the values of its leaves together by their levels.
type nestedColumn struct {
	field
	at     int // among the fields
	root   *nestedNode
	leaves []*leafReader
}

// nestedNode is a part of a nested column.
type nestedNode struct {
	typ types.Type
	// level is the definition level from which on the node is not NULL.
	level int
	// repeats is the repetition level of a list's further elements, and elements the definition level from which on there is one.
	repeats, elements int
	kids              []*nestedNode // nil entries are not in the file
	leaves            []*leafReader // below it; the first tells what there is
	put               puts          // of a leaf
}

// leafReader gives the values of a leaf one by one.
type leafReader struct {
	leaf   int
	name   string
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buf    []parquet.Value
	have   []parquet.Value // of buf, not read yet
}

func newNested(c *parquet.Column, f field, o *options) (*nestedColumn, error) {
	n := &nestedColumn{field: f}
	var err error
	if n.root, err = n.node(c, f.typ, o); err != nil {
		return nil, err
	}
	n.leaves = n.root.leaves
	return n, nil
}

// node reads c as a type.
func (n *nestedColumn) node(c *parquet.Column, t types.Type, o *options) (*nestedNode, error) {
	level := c.MaxDefinitionLevel()
	if c.Repeated() { // the column stands for its elements: there is always one
		if t.Kind == types.Array {
			out := &nestedNode{typ: t, level: level - 1, repeats: c.MaxRepetitionLevel(), elements: level}
			return n.with(out, []*parquet.Column{c}, []types.Type{t.Elem()}, o, true)
		}
		return nil, refuseParquet(c, t)
	}
	return n.plain(c, t, level, o)
}

// plain reads c, whatever its repetition, as one value.
func (n *nestedColumn) plain(c *parquet.Column, t types.Type, level int, o *options) (*nestedNode, error) {
	out := &nestedNode{typ: t, level: level}
	if !t.Kind.IsComposite() {
		if !c.Leaf() {
			return nil, refuseParquet(c, t)
		}
		var err error
		if out.put, err = leafReads(c, t, o); err != nil {
			return nil, err
		}
		leaf := &leafReader{leaf: c.Index(), name: n.name}
		n.leaves, out.leaves = append(n.leaves, leaf), []*leafReader{leaf}
		return out, nil
	}
	if c.Leaf() {
		return nil, refuseParquet(c, t)
	}
	s := shapeOf(c)
	switch {
	case t.Kind == types.Row && s.kind == types.Row || t.Kind == types.Row && !c.Optional() && !c.Required():
		kids, list := make([]*parquet.Column, len(t.Fields)), make([]types.Type, len(t.Fields))
		for i, f := range t.Fields {
			kids[i], list[i] = c.Column(f.Name), f.Type
		}
		return n.with(out, kids, list, o, false)
	case t.Kind == types.Array && s.kind == types.Array:
		out.repeats, out.elements = s.repeated.MaxRepetitionLevel(), s.repeated.MaxDefinitionLevel()
		return n.with(out, s.kids, []types.Type{t.Elem()}, o, s.kids[0] == s.repeated)
	case (t.Kind == types.Map || t.Kind == types.Multiset) && s.kind == types.Map:
		out.repeats, out.elements = s.repeated.MaxRepetitionLevel(), s.repeated.MaxDefinitionLevel()
		list := []types.Type{t.Fields[0].Type, types.Of(types.Int)}
		if t.Kind == types.Map {
			list[1] = t.Elem()
		}
		return n.with(out, s.kids, list, o, false)
	}
	return nil, refuseParquet(c, t)
}

// with adds the parts of a node. A repeated part that is the element itself is never NULL.
func (n *nestedColumn) with(out *nestedNode, kids []*parquet.Column, list []types.Type, o *options, element bool) (*nestedNode, error) {
	for i, kid := range kids {
		if kid == nil {
			out.kids = append(out.kids, nil)
			continue
		}
		var k *nestedNode
		var err error
		if element {
			k, err = n.plain(kid, list[i], kid.MaxDefinitionLevel(), o)
		} else {
			k, err = n.node(kid, list[i], o)
		}
		if err != nil {
			return nil, err
		}
		out.kids, out.leaves = append(out.kids, k), append(out.leaves, k.leaves...)
	}
	if len(out.leaves) == 0 {
		return nil, fmt.Errorf("the file has none of the fields of %s", out.typ.WithNull(true))
	}
	return out, nil
}

func (n *nestedColumn) enter(chunks []parquet.ColumnChunk) error {
	for _, l := range n.leaves {
		if err := l.end(); err != nil {
			return err
		}
		l.pages = chunks[l.leaf].Pages()
	}
	return nil
}

func (n *nestedColumn) seek(row int64) error {
	for _, l := range n.leaves {
		l.release()
		l.have = nil
		if err := l.pages.SeekToRow(row); err != nil {
			return err
		}
	}
	return nil
}

func (n *nestedColumn) end() error {
	var all []error
	for _, l := range n.leaves {
		all = append(all, l.end())
	}
	return errors.Join(all...)
}

// read appends n rows.
func (n *nestedColumn) read(out *vector.Builder, rows int) error {
	for range rows {
		if err := n.root.read(out); err != nil {
			return inColumn(n.name, err)
		}
	}
	return nil
}

// read appends the next value.
func (x *nestedNode) read(out *vector.Builder) error {
	if x.put != nil {
		v, err := x.leaves[0].next()
		if err != nil {
			return err
		}
		if v.DefinitionLevel() < x.level {
			out.AppendNull()
		} else if !x.put(out, v) {
			return (&field{name: x.leaves[0].name, typ: x.typ}).refuse([]byte(v.String()))
		}
		return nil
	}
	v, err := x.leaves[0].peek()
	if err != nil {
		return err
	}
	if v.DefinitionLevel() < x.level {
		out.AppendNull()
		return x.pass()
	}
	if x.typ.Kind == types.Row {
		if err := x.parts(out); err != nil {
			return err
		}
		out.AppendRow()
		return nil
	}
	if v.DefinitionLevel() < x.elements {
		out.AppendList()
		return x.pass()
	}
	for {
		if err := x.parts(out); err != nil {
			return err
		}
		v, err := x.leaves[0].peek()
		if err != nil && !errors.Is(err, errShortColumn) {
			return err
		}
		if err != nil || v.RepetitionLevel() < x.repeats {
			break
		}
	}
	out.AppendList()
	return nil
}

// inColumn names the column of an error.
func inColumn(name string, err error) error {
	var refused *refusal
	if errors.As(err, &refused) {
		return err
	}
	return fmt.Errorf("column '%s': %w", name, err)
}

// parts appends a value to each child.
func (x *nestedNode) parts(out *vector.Builder) error {
	for i, k := range x.kids {
		if k == nil {
			out.Child(i).AppendNull()
			continue
		}
		if err := k.read(out.Child(i)); err != nil {
			return err
		}
	}
	return nil
}

// pass goes on behind what is NULL or empty: a place in each leaf.
func (x *nestedNode) pass() error {
	for _, l := range x.leaves {
		if _, err := l.next(); err != nil {
			return err
		}
	}
	return nil
}

// peek is the next value; errShortColumn behind the last one.
func (l *leafReader) peek() (parquet.Value, error) {
	for len(l.have) == 0 {
		if l.values == nil {
			page, err := l.pages.ReadPage()
			if errors.Is(err, io.EOF) {
				return parquet.Value{}, errShortColumn
			}
			if err != nil {
				return parquet.Value{}, err
			}
			l.page, l.values = page, page.Values()
		}
		if l.buf == nil {
			l.buf = make([]parquet.Value, 256)
		}
		got, err := l.values.ReadValues(l.buf)
		l.have = l.buf[:got]
		switch {
		case got > 0:
		case errors.Is(err, io.EOF):
			l.release()
		case err != nil:
			return parquet.Value{}, err
		}
	}
	return l.have[0], nil
}

func (l *leafReader) next() (parquet.Value, error) {
	v, err := l.peek()
	if err == nil {
		l.have = l.have[1:]
	}
	return v, err
}

func (l *leafReader) release() {
	if l.page != nil {
		parquet.Release(l.page)
		l.page, l.values = nil, nil
	}
}

func (l *leafReader) end() error {
	l.release()
	l.have = nil
	if l.pages == nil {
		return nil
	}
	p := l.pages
	l.pages = nil
	return p.Close()
}
