package filesystem

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"streamsql/exec/types"
)

// csvDecoder reads records as Flink's CSV format does: an empty line is a record of one empty field, a
// field is quoted when it begins with the quote character, quotes inside are doubled, and fields may span
// lines.
type csvDecoder struct {
	o         *csvOptions
	fields    []field
	kids      [][]field // of ARRAY and ROW columns
	delimiter byte
	quote     int // -1: none
	escape    int
	element   []byte

	// headed says that the header of the file is still to come.
	headed bool

	cells [][]byte
	skips
	// plain holds the text of cells that had doubled quotes or escapes.
	plain []byte
}

func newCSV(o *csvOptions, fields []field) *csvDecoder {
	d := &csvDecoder{o: o, fields: fields, delimiter: o.Delimiter[0], quote: '"', escape: -1, element: []byte(o.Element)}
	if o.Quote != nil {
		d.quote = int((*o.Quote)[0])
	}
	if o.NoQuote {
		d.quote = -1
	}
	if o.Escape != nil {
		d.escape = int((*o.Escape)[0])
	}
	d.kids = make([][]field, len(fields))
	for i, f := range fields {
		for k, part := range f.typ.Fields {
			kid := field{name: f.name, typ: part.Type}
			if f.out != nil {
				kid.out = f.out.Child(k)
			}
			d.kids[i] = append(d.kids[i], kid)
		}
	}
	return d
}

var (
	errIncomplete = errors.New("incomplete record")
	errOpenQuote  = errors.New("the quote that opens it is never closed")
)

// begin implements beginner: the header is what a file begins with.
func (d *csvDecoder) begin(head bool) { d.headed = d.o.Header && head }

func (d *csvDecoder) decode(data []byte, last bool, _, limit int) (out decoded, err error) {
	for out.rows < limit && out.used < len(data) {
		if d.o.Comments && data[out.used] == '#' {
			n := bytes.IndexByte(data[out.used:], '\n') + 1
			if n == 0 && !last {
				return d.incomplete(out), nil
			}
			if n == 0 {
				n = len(data) - out.used
			}
			out.used, out.lines = out.used+n, out.lines+1
			continue
		}
		n, lines, err := d.split(data[out.used:], last)
		if err != nil && errors.Is(err, errIncomplete) {
			return d.incomplete(out), nil
		}
		made := false
		switch {
		case err == nil && d.headed:
			d.headed = false
		case err == nil:
			made, err = d.record()
		}
		if err != nil && (!d.o.IgnoreErrors || errors.Is(err, errOpenQuote)) {
			return out, err
		}
		if err != nil {
			d.skips.rows++
		}
		out.used, out.lines = out.used+n, out.lines+lines
		if made {
			out.rows++
		}
	}
	return out, nil
}

// incomplete is what was decoded before a record that is not whole. Up to the header it is nothing, so that no position lies
// before that but behind the beginning.
func (d *csvDecoder) incomplete(out decoded) decoded {
	if d.headed {
		return decoded{}
	}
	return out
}

// split finds the cells of the record at the head of data: its length, line end included, and its lines.
func (d *csvDecoder) split(data []byte, last bool) (n, lines int, err error) {
	d.cells, d.plain = d.cells[:0], d.plain[:0]
	pos := 0
	for {
		var cell []byte
		var end int
		if pos < len(data) && int(data[pos]) == d.quote {
			var more int
			cell, end, more, err = d.quoted(data, pos+1, last)
			lines += more
		} else {
			cell, end, err = d.unquoted(data, pos, last)
		}
		if err != nil {
			if errors.Is(err, errIncomplete) || errors.Is(err, errOpenQuote) {
				return 0, 0, err
			}
			// The rest of the line is given up.
			i := bytes.IndexByte(data[end:], '\n')
			if i < 0 && !last {
				return 0, 0, errIncomplete
			}
			if i < 0 {
				return len(data), lines + 1, err
			}
			return end + i + 1, lines + 1, err
		}
		d.cells = append(d.cells, cell)
		switch {
		case end == len(data):
			return end, lines + 1, nil
		case data[end] == d.delimiter:
			pos = end + 1
		case data[end] == '\r' && end+1 < len(data) && data[end+1] == '\n':
			return end + 2, lines + 1, nil
		case data[end] == '\r' && end+1 == len(data) && !last:
			return 0, 0, errIncomplete
		default:
			return end + 1, lines + 1, nil
		}
	}
}

// unquoted reads a cell up to the delimiter or line end.
func (d *csvDecoder) unquoted(data []byte, pos int, last bool) (cell []byte, end int, err error) {
	if d.escape < 0 {
		if end = plainEnd(data, pos, d.delimiter); end == len(data) && !last {
			return nil, 0, errIncomplete
		}
		return data[pos:end], end, nil
	}
	mark := len(d.plain)
	for i := pos; i < len(data); i++ {
		switch c := data[i]; {
		case c == d.delimiter || c == '\n' || c == '\r':
			if len(d.plain) > mark {
				d.plain = append(d.plain, data[pos:i]...)
				return d.plain[mark:len(d.plain):len(d.plain)], i, nil
			}
			return data[pos:i], i, nil
		case int(c) == d.escape && i+1 < len(data):
			d.plain = append(d.plain, data[pos:i]...)
			d.plain = append(d.plain, unescaped(data[i+1]))
			i++
			pos = i + 1
		}
	}
	if !last {
		return nil, 0, errIncomplete
	}
	if len(d.plain) > mark {
		d.plain = append(d.plain, data[pos:]...)
		return d.plain[mark:len(d.plain):len(d.plain)], len(data), nil
	}
	return data[pos:], len(data), nil
}

// plainEnd finds the next delimiter or line end from pos on, eight bytes at a time, or the end of data.
func plainEnd(data []byte, pos int, delimiter byte) int {
	const ones = 0x0101010101010101
	wanted := ones * uint64(delimiter)
	for ; pos+8 <= len(data); pos += 8 {
		x := binary.LittleEndian.Uint64(data[pos:])
		if m := zeroByte(x^wanted) | zeroByte(x^ones*'\n') | zeroByte(x^ones*'\r'); m != 0 {
			return pos + bits.TrailingZeros64(m)>>3
		}
	}
	for pos < len(data) && data[pos] != delimiter && data[pos] != '\n' && data[pos] != '\r' {
		pos++
	}
	return pos
}

// zeroByte has the highest bit of the lowest byte that is zero, and none below; 0 when no byte is.
func zeroByte(x uint64) uint64 { return (x - 0x0101010101010101) &^ x & 0x8080808080808080 }

// quoted reads a cell behind its opening quote; end is where the delimiter or line end behind it stands.
func (d *csvDecoder) quoted(data []byte, pos int, last bool) (cell []byte, end, lines int, err error) {
	mark := len(d.plain)
	for i := pos; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\n':
			lines++
		case int(c) == d.escape && i+1 < len(data):
			d.plain = append(append(d.plain, data[pos:i]...), unescaped(data[i+1]))
			i++
			pos = i + 1
		case int(c) == d.quote && i+1 < len(data) && int(data[i+1]) == d.quote:
			d.plain = append(d.plain, data[pos:i+1]...)
			i++
			pos = i + 1
		case int(c) == d.quote && i+1 == len(data) && !last:
			return nil, 0, 0, errIncomplete
		case int(c) == d.quote:
			cell = data[pos:i]
			if len(d.plain) > mark {
				d.plain = append(d.plain, cell...)
				cell = d.plain[mark:len(d.plain):len(d.plain)]
			}
			end, err = d.behindQuote(data, i+1, last)
			return cell, end, lines, err
		}
	}
	if last {
		return nil, 0, 0, fmt.Errorf("field %d: %w", len(d.cells)+1, errOpenQuote)
	}
	return nil, 0, 0, errIncomplete
}

// behindQuote lets spaces, and nothing else, stand between a closing quote and the end of the field.
func (d *csvDecoder) behindQuote(data []byte, i int, last bool) (int, error) {
	for i < len(data) && data[i] == ' ' && d.delimiter != ' ' {
		i++
	}
	switch {
	case i == len(data) && !last:
		return 0, errIncomplete
	case i == len(data) || data[i] == d.delimiter || data[i] == '\n' || data[i] == '\r':
		return i, nil
	}
	return i, fmt.Errorf("field %d: %q behind the closing quote", len(d.cells)+1, data[i])
}

func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case '0':
		return 0
	}
	return c
}

// record makes a row of the cells, if they are one.
func (d *csvDecoder) record() (bool, error) {
	n := len(d.fields)
	if len(d.cells) == n+1 && len(d.cells[n]) == 0 {
		d.cells = d.cells[:n] // a trailing delimiter
	}
	switch {
	case len(d.cells) > n:
		return false, fmt.Errorf("too many fields: %d expected, but there are %d", n, len(d.cells))
	case len(d.cells) < n && !d.o.IgnoreErrors:
		return false, fmt.Errorf("row length mismatch: %d fields expected but was %d", n, len(d.cells))
	}
	for i := range d.fields {
		f := &d.fields[i]
		if f.out == nil {
			continue
		}
		if i >= len(d.cells) {
			d.skips.values++
			f.out.AppendNull()
			continue
		}
		if err := d.field(f, d.kids[i], d.cells[i]); err != nil {
			return false, err
		}
	}
	return true, nil
}

// emptyHint says what reads an empty field, which is how NULL is written, where nothing else stands for it.
func emptyHint(err error, cell []byte) error {
	if len(cell) > 0 {
		return err
	}
	return &refusal{err.Error() + "; 'csv.null-literal' = '' reads empty fields as NULL"}
}

func (d *csvDecoder) field(f *field, kids []field, cell []byte) error {
	if d.o.Null != nil && string(cell) == *d.o.Null {
		f.out.AppendNull()
		return nil
	}
	row := f.out.Len()
	ok := false
	if len(kids) == 0 {
		ok = f.appendText(cell, sqlForms)
	} else {
		var err error
		if ok, err = d.parts(f, kids, cell); err != nil && !d.o.IgnoreErrors {
			return err
		}
	}
	if ok {
		return nil
	}
	if !d.o.IgnoreErrors {
		return emptyHint(f.refuse(cell), cell)
	}
	d.skips.values++
	f.out.Truncate(row)
	f.out.AppendNull()
	return nil
}

// parts reads the elements of an ARRAY or the fields of a ROW.
func (d *csvDecoder) parts(f *field, kids []field, cell []byte) (bool, error) {
	for i := 0; ; i++ {
		part, rest, more := bytes.Cut(cell, d.element)
		if len(d.element) == 0 {
			part, more = cell, false
		}
		if f.typ.Kind == types.Array && i == 0 && !more && len(part) == 0 {
			break // no elements
		}
		k := i
		if f.typ.Kind == types.Array {
			k = 0
		}
		if k >= len(kids) {
			return false, nil
		}
		if err := d.field(&kids[k], nestedKids(&kids[k]), part); err != nil {
			return false, err
		}
		if cell = rest; !more {
			break
		}
	}
	if f.typ.Kind == types.Array {
		f.out.AppendList()
		return true, nil
	}
	for _, kid := range kids {
		if kid.out.Len() != f.out.Len()+1 {
			return false, nil
		}
	}
	f.out.AppendRow()
	return true, nil
}

func nestedKids(f *field) []field {
	var out []field
	for k, part := range f.typ.Fields {
		out = append(out, field{name: f.name, typ: part.Type, out: f.out.Child(k)})
	}
	return out
}
