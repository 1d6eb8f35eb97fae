package checkpoint

import (
	"encoding/binary"
	"fmt"
	"math"
)

// decoder reads the body of a metadata file. Its first error sticks, and what is read after it is zero.
type decoder struct {
	file string
	b    []byte
	at   int
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = &Damage{File: d.file, Offset: int64(d.at), Check: fmt.Sprintf(format, args...)}
	}
	d.at = len(d.b)
}

func (d *decoder) uvarint(what string) uint64 {
	v, n := binary.Uvarint(d.b[d.at:])
	if n <= 0 {
		d.fail("%s is not a number", what)
		return 0
	}
	d.at += n
	return v
}

func (d *decoder) varint(what string) int64 {
	v, n := binary.Varint(d.b[d.at:])
	if n <= 0 {
		d.fail("%s is not a number", what)
		return 0
	}
	d.at += n
	return v
}

// number is not negative and at most most.
func (d *decoder) number(what string, most uint64) int {
	from := d.at
	v := d.uvarint(what)
	if v > most {
		d.at = from
		d.fail("%s is %d, at most %d is possible", what, v, most)
		return 0
	}
	return int(v)
}

// count is the length of a list whose elements take at least so many bytes, so that a wrong count cannot
// make one allocate much more than the file is long.
func (d *decoder) count(what string, least int) int {
	return d.number("the number of "+what, uint64((len(d.b)-d.at)/least))
}

func (d *decoder) text(what string) string {
	n := d.number("the length of the "+what, uint64(len(d.b)-d.at))
	if n > len(d.b)-d.at {
		d.fail("the %s is longer than the file", what)
		return ""
	}
	s := string(d.b[d.at : d.at+n])
	d.at += n
	return s
}

func (d *decoder) bool(what string) bool { return d.number(what, 1) == 1 }

func (d *decoder) fixed(what string) uint32 {
	if len(d.b)-d.at < 4 {
		d.fail("%s is cut off", what)
		return 0
	}
	d.at += 4
	return binary.LittleEndian.Uint32(d.b[d.at-4:])
}

func (d *decoder) place() Place {
	return Place{d.number("stage", math.MaxInt32), d.number("node", math.MaxInt32), d.number("subtask", math.MaxInt32)}
}
