package op

import (
	"fmt"

	"streamsql/exec/connector"
	"streamsql/exec/text"
	"streamsql/exec/vector"
)

// badRow is the failure of a job at the first row of b in which c is NULL: what is wrong, the row as the print connector
// has it, cut short, and what to do about it.
func badRow(b *vector.Batch, c *vector.Column, hint, format string, args ...any) *connector.Error {
	const longest = 200
	i := 0
	for i < b.Len-1 && !c.Null(i) {
		i++
	}
	row := []rune(string(text.AppendRow(nil, b, i)))
	if len(row) > longest {
		row = append(row[:longest], '…')
	}
	return &connector.Error{Hint: hint, Err: fmt.Errorf("%s, in the row %s", fmt.Sprintf(format, args...), string(row))}
}

// read is b without the columns that its source leaves out since nothing reads them: they are NULL throughout.
func read(b *vector.Batch) *vector.Batch {
	out := &vector.Batch{Len: b.Len, Kinds: b.Kinds}
	for _, c := range b.Cols {
		if !c.IsConstNull() {
			out.Cols = append(out.Cols, c)
		}
	}
	return out
}
