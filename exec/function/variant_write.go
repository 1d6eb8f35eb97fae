package function

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"streamsql/exec/text"
)

// Variants makes values of VARIANT of JSON texts: canonical JSON, in which equal values are equal texts. There are no
// blanks, members of objects stand in the order of their names, and a number is a whole one of at most 38 digits, a
// DECIMAL without zeros at its end, or else a DOUBLE as Java prints it. The memory of one value serves the next.
type Variants struct {
	doc    jsonDocument
	order  []int32 // members of the objects being written
	sorted func(a, b int32) int
	fault  error
}

// NewVariants makes one.
func NewVariants() *Variants {
	v := &Variants{doc: jsonDocument{repeats: true}}
	v.sorted = func(a, b int32) int { return compareUTF16(v.doc.nodes[a].key, v.doc.nodes[b].key) }
	return v
}

const (
	errNoJSON   = failure("the text is no valid JSON")
	errRepeated = failure("a key stands twice in an object")
	errTooLarge = failure("a number is beyond DOUBLE")
)

// Append writes the value that a JSON text stands for. Of a key that stands twice in an object the last one counts when
// repeated says so, and else the text has no value.
func (v *Variants) Append(dst, json []byte, repeated bool) ([]byte, error) {
	if !v.doc.parse(json) {
		return dst, errNoJSON
	}
	v.order, v.fault = v.order[:0], nil
	return v.node(dst, 0, repeated), v.fault
}

func (v *Variants) node(dst []byte, n int32, repeated bool) []byte {
	switch node := &v.doc.nodes[n]; node.kind {
	case jsonNumber:
		return v.number(dst, node.text)
	case jsonObject:
		return v.object(dst, node.first, repeated)
	case jsonArray:
		dst = append(dst, '[')
		for c := node.first; c != 0; c = v.doc.nodes[c].next {
			if c != node.first {
				dst = append(dst, ',')
			}
			dst = v.node(dst, c, repeated)
		}
		return append(dst, ']')
	}
	return v.doc.appendNode(dst, n)
}

// object writes the members of an object from the first one on.
func (v *Variants) object(dst []byte, first int32, repeated bool) []byte {
	from := len(v.order)
	for c := first; c != 0; c = v.doc.nodes[c].next {
		v.order = append(v.order, c)
	}
	to := len(v.order)
	slices.SortStableFunc(v.order[from:], v.sorted)
	dst = append(dst, '{')
	some := false
	for i := from; i < to; i++ {
		c := v.order[i]
		if i+1 < to && bytes.Equal(v.doc.nodes[c].key, v.doc.nodes[v.order[i+1]].key) {
			if !repeated {
				v.fault = errRepeated
			}
			continue
		}
		if some {
			dst = append(dst, ',')
		}
		some = true
		dst = append(appendQuoted(dst, v.doc.nodes[c].key), ':')
		dst = v.node(dst, c, repeated)
	}
	v.order = v.order[:from]
	return append(dst, '}')
}

// maxVariantDigits is how many digits a number may have, and how many of them behind the point, to be exact.
const maxVariantDigits = 38

func (v *Variants) number(dst, t []byte) []byte {
	point := bytes.IndexByte(t, '.')
	whole, fraction := bytes.TrimPrefix(t, []byte("-")), []byte(nil)
	if point >= 0 {
		whole, fraction = bytes.TrimPrefix(t[:point], []byte("-")), t[point+1:]
	}
	if bytes.ContainsAny(t, "eE") || len(fraction) > maxVariantDigits || exactDigits(whole, fraction) > maxVariantDigits {
		f, _ := strconv.ParseFloat(string(t), 64)
		if math.IsInf(f, 0) {
			v.fault = errTooLarge
		}
		return text.AppendDouble(dst, f)
	}
	fraction = bytes.TrimRight(fraction, "0")
	if t[0] == '-' && exactDigits(whole, fraction) > 0 {
		dst = append(dst, '-')
	}
	dst = append(dst, whole...)
	if len(fraction) > 0 {
		dst = append(append(dst, '.'), fraction...)
	}
	return dst
}

// exactDigits counts the digits of a number from the first that is not zero.
func exactDigits(whole, fraction []byte) int {
	if whole = bytes.TrimLeft(whole, "0"); len(whole) > 0 {
		return len(whole) + len(fraction)
	}
	return len(bytes.TrimLeft(fraction, "0"))
}

// compareUTF16 compares texts by the code units of UTF-16, as Java does: those of a character beyond U+FFFF are below
// U+E000.
func compareUTF16(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if high := x >= 0xF0; high != (y >= 0xF0) && min(x, y) >= 0xEE {
			x, y = y, x
		}
		return int(x) - int(y)
	}
	return len(a) - len(b)
}
