package filesystem

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// How a format finds the places where a portion can be divided. None are found in what cannot be read: its reader says why.

// inParts tells that places in a file are those in the text that it holds.
func inParts(path string) bool { return unpackers[strings.ToLower(filepath.Ext(path))] == nil }

// aims are the places that divide from … to into equal parts.
func aims(from, to int64, parts int) []int64 {
	var out []int64
	for i := 1; i < parts; i++ {
		out = append(out, from+(to-from)*int64(i)/int64(parts))
	}
	return out
}

// cutter looks for places behind lines, each at or behind an aim.
type cutter struct {
	in    io.ReaderAt
	end   int64
	aims  []int64
	found []int64
}

// cutText opens a portion of text, whose places find looks for.
func cutText(p *portion, parts int, find func(c *cutter, from int64) error) []int64 {
	in, err := os.Open(p.path)
	if err != nil {
		return nil
	}
	defer func() { _ = in.Close() }()
	c := &cutter{in: in, end: p.bytes}
	if p.to > 0 {
		c.end = p.to
	}
	c.aims = aims(p.offset, c.end, parts)
	if err := find(c, p.offset); err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return c.found
}

// cutLines divides text of which each line stands for itself.
func cutLines(p *portion, _ *options, parts int) []int64 {
	return cutText(p, parts, func(c *cutter, _ int64) error {
		buf := make([]byte, 64<<10)
		for len(c.aims) > 0 {
			at := c.aims[0]
			n, err := c.in.ReadAt(buf, at)
			c.lines(buf[:n], at)
			switch {
			case err != nil:
				return err
			case len(c.aims) > 0 && c.aims[0] == at: // a long line
				c.aims[0] = at + int64(n)
			}
		}
		return nil
	})
}

// lines finds the places in text that has no quotes; it stands at an offset.
func (c *cutter) lines(b []byte, offset int64) {
	for len(c.aims) > 0 && c.aims[0] < offset+int64(len(b)) {
		from := max(c.aims[0]-offset, 0)
		i := bytes.IndexByte(b[from:], '\n')
		if i < 0 {
			return
		}
		place := offset + from + int64(i) + 1
		if place < c.end {
			c.found = append(c.found, place)
		}
		for len(c.aims) > 0 && c.aims[0] < place {
			c.aims = c.aims[1:]
		}
	}
}

// cutCSV divides csv. A line end within quotes ends no record, so that text that may have quotes is looked through from its
// beginning. Where a character escapes others, or quotes stand in comments, nothing is divided.
func cutCSV(p *portion, o *options, parts int) []int64 {
	d := newCSV(&o.CSV, nil)
	switch {
	case d.escape >= 0 || d.quote == int(d.delimiter):
		return nil
	case d.quote < 0:
		return cutLines(p, o, parts)
	case o.CSV.Comments:
		return nil
	}
	return cutText(p, parts, func(c *cutter, from int64) error {
		q := quotes{cutter: c, quote: byte(d.quote), delimiter: d.delimiter, last: '\n', offset: from}
		buf := make([]byte, 4*chunkSize)
		if from == 0 {
			bom := make([]byte, len(byteOrderMark))
			if _, err := c.in.ReadAt(bom, 0); err == nil && string(bom) == byteOrderMark {
				q.offset = int64(len(bom))
			}
		}
		for len(c.aims) > 0 {
			n, err := c.in.ReadAt(buf, q.offset)
			if q.through(buf[:n]); err != nil || q.where == malformed {
				return err
			}
		}
		return nil
	})
}

// quotes goes through csv and finds places outside of quotes.
type quotes struct {
	*cutter
	quote, delimiter byte
	offset           int64
	last             byte // the one before
	where            whereabouts
}

// whereabouts is what the next byte is of.
type whereabouts uint8

const (
	outside   whereabouts = iota
	inside                // of quotes
	atQuote               // behind a quote in quotes, which ends them or is the first of two
	behind                // of quotes that have ended, where blanks may be
	malformed             // what a reader refuses, or gives up to the end of the line
)

// through takes the next bytes.
func (q *quotes) through(b []byte) {
	for at := 0; at < len(b) && q.where != malformed; {
		switch q.where {
		case outside:
			n := bytes.IndexByte(b[at:], q.quote)
			if n < 0 {
				n = len(b) - at
			}
			q.lines(b[at:at+n], q.offset+int64(at))
			if n > 0 {
				q.last = b[at+n-1]
			}
			if at += n; at < len(b) {
				if q.last == q.delimiter || q.last == '\n' || q.last == '\r' {
					q.where = inside
				}
				q.last = q.quote
				at++
			}
		case inside:
			n := bytes.IndexByte(b[at:], q.quote)
			if n < 0 {
				at = len(b)
				continue
			}
			at, q.where = at+n+1, atQuote
		case atQuote:
			q.where = behind
			if b[at] == q.quote {
				at, q.where = at+1, inside
			}
		case behind:
			switch c := b[at]; {
			case c == q.delimiter || c == '\n' || c == '\r':
				q.where = outside
			case c == ' ':
				at++
			default:
				q.where = malformed
			}
		}
	}
	q.offset += int64(len(b))
}

// cutParquet divides a file between row groups.
func cutParquet(p *portion, _ *options, parts int) (places []int64) {
	// A library that meets what no writer writes may panic; the reader of the file says so.
	defer func() {
		if recover() != nil {
			places = nil
		}
	}()
	in, err := os.Open(p.path)
	if err != nil {
		return nil
	}
	defer func() { _ = in.Close() }()
	f, err := openChecked(in, p.bytes, false)
	if err != nil {
		return nil
	}
	groups := f.Metadata().RowGroups
	var left, size, row int64
	for i := range groups {
		if row += groups[i].NumRows; row > int64(p.skip) {
			left += groups[i].TotalByteSize
		}
	}
	wanted := aims(0, left, parts)
	row = 0
	for i := range groups {
		if row >= int64(p.skip) && row > 0 && len(wanted) > 0 && size >= wanted[0] {
			places = append(places, row)
			for len(wanted) > 0 && wanted[0] <= size {
				wanted = wanted[1:]
			}
		}
		if row += groups[i].NumRows; row > int64(p.skip) {
			size += groups[i].TotalByteSize
		}
	}
	return places
}
