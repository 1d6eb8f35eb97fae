package function

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonKind tells JSON values apart.
type jsonKind uint8

const (
	jsonNull jsonKind = iota
	jsonTrue
	jsonFalse
	jsonNumber
	jsonText
	jsonArray
	jsonObject
)

func (k jsonKind) scalar() bool { return k < jsonArray }

// jsonNode is one value: number 0 is the document. Children of a container are chained by next.
type jsonNode struct {
	kind        jsonKind
	key, text   []byte // text is a number's digits or an unescaped string
	first, next int32  // 0 for none
}

// jsonDocument is a parsed text; its memory serves the next one.
type jsonDocument struct {
	in    []byte
	at    int
	nodes []jsonNode
	buf   []byte
	// repeats keeps every member of an object, where else the last one of a key stands in place of the others.
	repeats bool
}

// maxJSONDepth bounds the nesting, as Jackson does.
const maxJSONDepth = 1000

// parse reads the first JSON value of s; what follows behind white space is not looked at.
func (d *jsonDocument) parse(s []byte) bool {
	d.in, d.at, d.nodes, d.buf = s, 0, d.nodes[:0], d.buf[:0]
	d.nodes = append(d.nodes, jsonNode{})
	d.space()
	return d.value(0, 0) && (d.at == len(s) || d.nodes[0].kind >= jsonText || isJSONSpace(s[d.at]))
}

func isJSONSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (d *jsonDocument) space() {
	for d.at < len(d.in) && isJSONSpace(d.in[d.at]) {
		d.at++
	}
}

func (d *jsonDocument) word(w string) bool {
	if !bytes.HasPrefix(d.in[d.at:], []byte(w)) {
		return false
	}
	d.at += len(w)
	return true
}

// value reads a value into node n.
func (d *jsonDocument) value(n int32, depth int) bool {
	if d.at == len(d.in) || depth > maxJSONDepth {
		return false
	}
	node := &d.nodes[n]
	node.first = 0
	switch c := d.in[d.at]; c {
	case '{', '[':
		return d.container(n, c, depth)
	case '"':
		node.kind = jsonText
		text, ok := d.text()
		node.text = text
		return ok
	case 't':
		node.kind = jsonTrue
		return d.word("true")
	case 'f':
		node.kind = jsonFalse
		return d.word("false")
	case 'n':
		node.kind = jsonNull
		return d.word("null")
	}
	node.kind = jsonNumber
	text, ok := d.number()
	node.text = text
	return ok
}

func (d *jsonDocument) container(n int32, open byte, depth int) bool {
	end := byte(']')
	d.nodes[n].kind = jsonArray
	if open == '{' {
		d.nodes[n].kind, end = jsonObject, '}'
	}
	d.at++
	d.space()
	if d.at < len(d.in) && d.in[d.at] == end {
		d.at++
		return true
	}
	last := int32(0)
	for {
		var key []byte
		if open == '{' {
			var ok bool
			if key, ok = d.key(); !ok {
				return false
			}
		}
		child := int32(0)
		if open == '{' && !d.repeats {
			child = d.child(n, key)
		}
		if child == 0 {
			child = int32(len(d.nodes))
			d.nodes = append(d.nodes, jsonNode{key: key})
			if last == 0 {
				d.nodes[n].first = child
			} else {
				d.nodes[last].next = child
			}
			last = child
		}
		if !d.value(child, depth+1) {
			return false
		}
		d.space()
		if d.at == len(d.in) {
			return false
		}
		c := d.in[d.at]
		d.at++
		if c == end {
			return true
		}
		if c != ',' {
			return false
		}
		d.space()
	}
}

func (d *jsonDocument) key() ([]byte, bool) {
	if d.at == len(d.in) || d.in[d.at] != '"' {
		return nil, false
	}
	key, ok := d.text()
	d.space()
	if !ok || d.at == len(d.in) || d.in[d.at] != ':' {
		return nil, false
	}
	d.at++
	d.space()
	return key, true
}

// child finds the member of an object, or 0.
func (d *jsonDocument) child(n int32, key []byte) int32 {
	for c := d.nodes[n].first; c != 0; c = d.nodes[c].next {
		if bytes.Equal(d.nodes[c].key, key) {
			return c
		}
	}
	return 0
}

func (d *jsonDocument) number() ([]byte, bool) {
	from := d.at
	if d.in[d.at] == '-' {
		d.at++
	}
	n := d.digits()
	if n == 0 || n > 1 && d.in[d.at-n] == '0' {
		return nil, false
	}
	if d.at < len(d.in) && d.in[d.at] == '.' {
		d.at++
		if d.digits() == 0 {
			return nil, false
		}
	}
	if d.at < len(d.in) && d.in[d.at]|32 == 'e' {
		d.at++
		if d.at < len(d.in) && (d.in[d.at] == '+' || d.in[d.at] == '-') {
			d.at++
		}
		if d.digits() == 0 {
			return nil, false
		}
	}
	return d.in[from:d.at], true
}

func (d *jsonDocument) digits() int {
	n, _ := digitRun(d.in[d.at:])
	d.at += n
	return n
}

// text reads a string in quotes; one with escapes is put together in buf.
func (d *jsonDocument) text() ([]byte, bool) {
	d.at++
	from := d.at
	for d.at < len(d.in) {
		switch c := d.in[d.at]; {
		case c == '"':
			d.at++
			return d.in[from : d.at-1], true
		case c == '\\':
			return d.escaped(from)
		case c < ' ':
			return nil, false
		}
		d.at++
	}
	return nil, false
}

func (d *jsonDocument) escaped(from int) ([]byte, bool) {
	mark := len(d.buf)
	d.buf = append(d.buf, d.in[from:d.at]...)
	for d.at < len(d.in) {
		c := d.in[d.at]
		switch {
		case c == '"':
			d.at++
			return d.buf[mark:], true
		case c < ' ':
			return nil, false
		case c != '\\':
			d.buf = append(d.buf, c)
			d.at++
			continue
		}
		out, n := appendUnescaped(d.buf, d.in[d.at:])
		if n == 0 {
			return nil, false
		}
		d.buf = out
		d.at += n
	}
	return nil, false
}

// appendUnescaped appends what the escape at the start of s stands for and returns its length, 0 for a bad one.
func appendUnescaped(dst, s []byte) ([]byte, int) {
	if len(s) < 2 {
		return dst, 0
	}
	switch c := s[1]; c {
	case '"', '\\', '/':
		return append(dst, c), 2
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'n':
		return append(dst, '\n'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'u':
		p, ok := hexUnit(s)
		if !ok {
			return dst, 0
		}
		if utf16.IsSurrogate(p) {
			if low, ok := hexUnit(s[6:]); ok {
				if whole := utf16.DecodeRune(p, low); whole != utf8.RuneError {
					return utf8.AppendRune(dst, whole), 12
				}
			}
			p = '?'
		}
		return utf8.AppendRune(dst, p), 6
	}
	return dst, 0
}

// hexUnit reads the four digits of \uXXXX at the start of s.
func hexUnit(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	p := rune(0)
	for _, c := range s[2:6] {
		d := hexDigit(c)
		if d < 0 {
			return 0, false
		}
		p = p<<4 | rune(d)
	}
	return p, true
}
