package shell

import (
	"errors"
	"strings"
	"sync"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/connectors/filesystem"
	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// parquetName is the end of the names of files that are written as parquet whatever the format is.
const parquetName = ".parquet"

// parquet writes a result as a file of parquet.
type parquet struct {
	mu    sync.Mutex
	file  *filesystem.Export
	limit int64
	n     int64
}

// newParquet begins a file where rows go. There is one result in a file, of rows that stay.
func (s *Shell) newParquet(q script.Query) (*parquet, error) {
	switch {
	case q.Options.Updating:
		return nil, errors.New("the format 'parquet' holds rows that stay, and those of this query may change: " +
			"SET 'execution.runtime-mode' = 'batch' gives them once, at the end of the input")
	case s.out.terminal():
		return nil, errors.New("the format 'parquet' is for files: -o FILE or \\o FILE names one")
	case s.out.filled:
		return nil, errors.New("a file of parquet holds one result, and this one has one: \\o FILE names another")
	}
	columns := make([]connector.Column, len(q.Columns))
	for i, c := range q.Columns {
		columns[i] = connector.Column{Name: c.Name, Type: c.Type}
	}
	f, err := filesystem.NewExport(s.r.Out, columns)
	if err != nil {
		return nil, err
	}
	s.out.filled = true
	return &parquet{file: f, limit: q.Options.Limit}, nil
}

// Writer makes the writer of one subtask.
func (p *parquet) Writer() connector.Writer { return writer{mu: &p.mu, to: p} }

// take writes a batch.
func (p *parquet) take(b *vector.Batch) error {
	n := b.Len
	if p.limit > 0 {
		n = int(min(int64(n), p.limit-p.n))
	}
	p.n += int64(n)
	if err := p.file.Write(b.Cols, n); err != nil {
		return err
	}
	if p.limit > 0 && p.n >= p.limit {
		return render.ErrLimit
	}
	return nil
}

func (p *parquet) rows() int { return int(p.n) }

// End writes the end of the file.
func (p *parquet) End() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.file.Close()
}

// isParquet tells that a result is to be a file of parquet: by the format, or by where it goes.
func (s *Shell) isParquet() bool {
	return s.r.Result.Format == render.Parquet || strings.HasSuffix(s.out.name, parquetName)
}
