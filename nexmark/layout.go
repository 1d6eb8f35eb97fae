package nexmark

import (
	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// rowOf is a column of a batch in the making.
type rowOf struct {
	table *tableColumn
	need  []bool
	// values has the rows of the kind alone; out leads to them from every row of the batch; null stands for the
	// column where there are none.
	values, out, null *vector.Column
	dict              vector.Dictionary
	nulls             []*vector.Column // stand for fields that are not read
}

// layout turns events into batches.
type layout struct {
	shared  *shared
	columns []rowOf
	only    Kind // the only kind that is delivered, or -1
	batch   vector.Batch
}

func newLayout(cols []tableColumn, w *wish, s *shared) *layout {
	l := &layout{shared: s, only: -1, columns: make([]rowOf, len(cols))}
	for k := range kinds {
		if w.keep == 1<<k {
			l.only = k
		}
	}
	for i := range cols {
		c := &l.columns[i]
		*c = rowOf{table: &cols[i], need: w.need[i], out: &vector.Column{}}
		l.batch.Cols = append(l.batch.Cols, nil)
		switch {
		case cols[i].isType && l.only >= 0:
			c.null = vector.ConstOf(cols[i].typ, int32(l.only), 0)
		default:
			c.null = vector.ConstNull(cols[i].typ.WithNull(true), 0)
		}
		if !cols[i].isType && w.need[i] != nil && w.keep>>cols[i].kind&1 == 1 {
			c.values = &vector.Column{}
			c.dict.Values = c.values
			for _, f := range cols[i].typ.Fields {
				c.nulls = append(c.nulls, vector.ConstNull(f.Type.WithNull(true), 0))
			}
		}
	}
	return l
}

// of returns the batch of some events, which lasts as long as they do.
func (l *layout) of(e *Events) *vector.Batch {
	l.batch.Len = e.Len
	for i := range l.columns {
		l.batch.Cols[i] = l.column(&l.columns[i], e)
	}
	return &l.batch
}

func (l *layout) column(c *rowOf, e *Events) *vector.Column {
	if c.table.isType && l.only < 0 && c.need != nil {
		vector.SetSlice(c.out, c.table.typ, e.Types[:e.Len])
		return c.out
	}
	rows := 0
	if c.values != nil {
		rows = e.next(c.table.kind)
	}
	if rows == 0 {
		c.null.Len = e.Len
		return c.null
	}
	v := c.values
	v.Reset(c.table.typ, rows)
	own := v.OwnChildren(len(c.table.fields))
	for i, f := range c.table.fields {
		if c.need[i] {
			f.set(own[i], e, l.shared)
			own[i].Type = c.table.typ.Fields[i].Type
		} else {
			c.nulls[i].Len = rows
			v.Children[i] = c.nulls[i]
		}
	}
	if l.only >= 0 {
		return v
	}
	c.out.SetDict(c.table.typ, e.Codes[c.table.kind][:e.Len], &c.dict)
	c.out.Valid = e.Valid[c.table.kind][:kernel.Words(e.Len)]
	return c.out
}
