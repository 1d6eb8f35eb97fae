package filesystem

import (
	"fmt"

	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// scanReader reads files that are no streams of bytes, one after the other. A goroutine of its own fills batches, so
// that Next never waits for a disk; two of them go round.
type scanReader struct {
	source *source
	max    int
	*progress
	feed feed

	out   chan scanned
	free  chan *scanBatch
	wake  chan struct{}
	done  chan struct{} // closed to end the goroutine
	gone  chan struct{} // closed by the goroutine at its end
	lent  *scanBatch
	query scanQuery
}

// scanBatch is memory for a batch.
type scanBatch struct {
	consts []*vector.Column // by column; nil when it is read
	path   string           // the file that consts are of
	cols   []vector.Column
	batch  vector.Batch
	outs   []scanOut // of the columns that are read
	next   int64     // the row of the file behind the batch
}

// scanned is a batch of a file, its end or what is wrong with it.
type scanned struct {
	begin *file // the file that begins; nothing else is set then
	batch *scanBatch
	err   error
}

func newScanReader(s *source, c *connector.Context, splits []connector.Split) (*scanReader, error) {
	r := &scanReader{source: s, max: c.MaxRows, out: make(chan scanned, 2), free: make(chan *scanBatch, 2),
		wake: make(chan struct{}, 1), done: make(chan struct{}), gone: make(chan struct{})}
	var err error
	if r.progress, r.feed, err = newProgress(s, splits); err != nil {
		return nil, err
	}
	r.query.o, r.query.bounds = s.o, s.bounds
	for i, c := range s.table.Columns {
		if c.Metadata == "" && !isKey(s.table, i) && s.need[i] {
			r.query.fields = append(r.query.fields, field{name: c.Name, typ: c.Type})
			r.query.columns = append(r.query.columns, i)
		}
	}
	for range cap(r.free) {
		r.free <- r.newBatch()
	}
	go r.run()
	return r, nil
}

func (r *scanReader) newBatch() *scanBatch {
	t := r.source.table
	n := len(t.Columns)
	b := &scanBatch{consts: make([]*vector.Column, n), cols: make([]vector.Column, n)}
	for i, c := range t.Columns {
		b.batch.Cols = append(b.batch.Cols, &b.cols[i])
		if c.Metadata != "" || isKey(t, i) || !r.source.need[i] {
			b.consts[i] = vector.ConstNull(c.Type, 1)
			continue
		}
		b.outs = append(b.outs, scanOut{builder: vector.NewBuilder(c.Type), col: &b.cols[i]})
	}
	return b
}

func (r *scanReader) run() {
	defer close(r.gone)
	for {
		f, ok, err := r.feed.next(r.done)
		if err != nil {
			r.send(scanned{err: troubled(r.source.o, err)})
		}
		if err != nil || !ok || !r.scan(f) {
			return
		}
	}
}

// scan reads a file; false ends the goroutine.
func (r *scanReader) scan(f file) (more bool) {
	path, where := f.path, f.path
	fail := func(err error) bool {
		r.send(scanned{err: troubledAt(r.source.o, where, fmt.Errorf("filesystem: read %s: %w", where, bare(path, err)))})
		return false
	}
	// A library that meets what no writer writes may panic, and here nobody else would recover it.
	defer func() {
		if p := recover(); p != nil {
			more = fail(fmt.Errorf("the file is damaged: %v", p))
		}
	}()
	s, err := formatOf(r.source.o).scan(path, &r.query)
	if err != nil {
		return fail(err)
	}
	defer func() { _ = s.close() }()
	if err := f.stands(s.info()); err != nil {
		return fail(err)
	}
	if err := s.seek(int64(f.skip), f.to); err != nil {
		return fail(err)
	}
	if !r.send(scanned{begin: &f}) {
		return false
	}
	for {
		var b *scanBatch
		select {
		case b = <-r.free:
		case <-r.done:
			return false
		}
		for _, out := range b.outs {
			out.builder.Reset()
		}
		where = fmt.Sprintf("%s, from row %d on", path, s.row()+1)
		n, err := s.read(b.outs, r.max)
		if err == nil && b.path != path {
			b.path, err = path, r.source.constants(path, b.consts)
		}
		switch {
		case err != nil:
			return fail(err)
		case n == 0:
			r.free <- b
			return r.send(scanned{})
		}
		b.finish(n)
		b.next = s.row()
		if !r.send(scanned{batch: b}) {
			return false
		}
	}
}

// send is false when the reader was closed.
func (r *scanReader) send(x scanned) bool {
	select {
	case r.out <- x:
	case <-r.done:
		return false
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
	return true
}

// finish makes a batch of n rows.
func (b *scanBatch) finish(n int) {
	for i := range b.cols {
		if b.consts[i] != nil {
			b.cols[i].Alias(b.consts[i])
			b.cols[i].Len = n
		}
	}
	b.batch.Len = n
}

// Next implements connector.Reader.
func (r *scanReader) Next() (connector.Read, error) {
	if r.lent != nil {
		r.free <- r.lent
		r.lent = nil
	}
	for {
		if r.over() {
			return connector.Read{Status: connector.End}, nil
		}
		select {
		case x := <-r.out:
			switch {
			case x.err != nil:
				return connector.Read{}, x.err
			case x.begin != nil:
				r.begin(*x.begin)
				r.file().size = x.begin.size
				continue
			case x.batch == nil:
				if split, done := r.finish(); done {
					return connector.Read{Status: connector.Done, Split: split}, nil
				}
				continue
			}
			r.lent = x.batch
			r.file().skip = int(x.batch.next)
			return connector.Read{Batch: &x.batch.batch, Split: r.split()}, nil
		default:
			return connector.Read{Status: connector.Wait, Wake: r.wake}, nil
		}
	}
}

// Position implements connector.Reader.
func (r *scanReader) Position(i int) ([]byte, error) { return r.position(i), nil }

// Close implements connector.Reader.
func (r *scanReader) Close() error {
	close(r.done)
	<-r.gone
	return nil
}
