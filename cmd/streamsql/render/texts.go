package render

import (
	"io"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Texts shows rows of texts in the given format: the results of SHOW and DESCRIBE. nulls
// marks the cells that are NULL, and may be nil.
func Texts(w io.Writer, o Options, cols []Column, rows [][]string, nulls [][]bool) error {
	for i := range cols {
		cols[i].Type = types.String()
	}
	f, err := New(w, o)
	if err != nil {
		return err
	}
	if err := f.Begin(cols); err != nil {
		return err
	}
	b := &vector.Batch{Len: len(rows)}
	for i := range cols {
		c := &vector.Column{}
		c.Reset(cols[i].Type, len(rows))
		t := vector.NewText(c)
		for k, r := range rows {
			t.PutString(k, r[i])
		}
		t.Finish()
		for k := range nulls {
			if nulls[k][i] {
				c.SetNull(k)
			}
		}
		b.Cols = append(b.Cols, c)
	}
	for i := range rows {
		if err := f.Row(b, i); err != nil {
			return err
		}
	}
	return f.End()
}
