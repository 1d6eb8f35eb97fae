// Package print is the sink that writes each change as a line: `+I[1, a]`.
//
// It does not know where the lines go: the job hands it its output streams.
//
// Invariants:
//
//	P1 the lines of a batch leave in one write, before the batch is given back.
package print

import (
	"fmt"
	"io"

	"streamsql/exec/connector"
	"streamsql/exec/text"
	"streamsql/exec/vector"
)

type options struct {
	Identifier string `opt:"print-identifier" default:"" doc:"a word before each line"`
	Stderr     bool   `opt:"standard-error" default:"false" doc:"write to standard error"`
}

// Definition declares the connector.
var Definition = connector.Definition{
	Name:    "print",
	Doc:     "Writes each change as a line, as Flink's print does.",
	Options: func() any { return new(options) },
	Sink: func(t *connector.Table) (connector.Sink, error) {
		return sink{t.Options.(*options)}, nil
	},
}

type sink struct{ o *options }

func (sink) Changelog() bool { return true }

func (s sink) Open(c *connector.Context) (connector.Writer, error) {
	w := &writer{out: c.Stdout, prefix: prefix(s.o.Identifier, c)}
	if s.o.Stderr {
		w.out = c.Stderr
	}
	return w, nil
}

// prefix is `word:2> ` in subtask 1 of several, without the parts that say nothing.
func prefix(word string, c *connector.Context) string {
	switch {
	case c.Parallelism > 1 && word != "":
		return fmt.Sprintf("%s:%d> ", word, c.Subtask+1)
	case c.Parallelism > 1:
		return fmt.Sprintf("%d> ", c.Subtask+1)
	case word != "":
		return word + "> "
	}
	return ""
}

func (sink) Committer() (connector.Committer, error) { return nil, nil }

type writer struct {
	connector.Uncommitted
	out    io.Writer
	prefix string
	buf    []byte
}

func (w *writer) Write(b *vector.Batch) error {
	buf := w.buf[:0]
	for i := range b.Len {
		buf = append(buf, w.prefix...)
		buf = text.AppendRow(buf, b, i)
		buf = append(buf, '\n')
	}
	w.buf = buf
	_, err := w.out.Write(buf)
	if err != nil {
		return fmt.Errorf("print: write: %w", err)
	}
	return nil
}
