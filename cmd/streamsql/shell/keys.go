package shell

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// pastedTab stands for a TAB in pasted text, which the editor would take for a wish to complete a word. It is a character
// that nobody types, and is one again when the line is read.
const pastedTab = '\ue009'

// lineEnd stands for the end of a line in quotes, in what is gone back to: the editor has one line. It is one again when the
// line is read, and seen as lineEndSeen.
const (
	lineEnd     = '\ue00a'
	lineEndSeen = '⏎'
)

// The marks around pasted text.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// keyNames are sequences that the editor does not know, and those that it does for the same.
var keyNames = map[string]string{
	"\x1b[1~": "\x1b[H", "\x1b[7~": "\x1b[H", "\x1b[4~": "\x1b[F", "\x1b[8~": "\x1b[F",
	"\x1b[1;5D": "\x1bb", "\x1b[1;3D": "\x1bb", "\x1b[5D": "\x1bb",
	"\x1b[1;5C": "\x1bf", "\x1b[1;3C": "\x1bf", "\x1b[5C": "\x1bf",
	"\x1b[3;5~": "\x1bd", "\x1b[3;3~": "\x1bd",
}

// keys gives the editor what is typed and pasted, a character at a time, so that nothing is read ahead of the end of a
// line.
type keys struct {
	from  io.Reader
	raw   []byte // read, not yet looked at
	ready []byte // looked at
	paste bool
	// pastes says that there may be pasted text among both.
	pastes bool
	ended  bool // what was pasted last is the first half of the end of a line
}

// Read gives the next character, or the next sequence for a key.
func (k *keys) Read(b []byte) (int, error) {
	for len(k.ready) == 0 {
		if k.look() {
			continue
		}
		k.pastes = k.paste
		var buf [4096]byte
		n, err := k.from.Read(buf[:])
		k.raw = append(k.raw, buf[:n]...)
		if n == 0 && err != nil {
			return 0, err
		}
	}
	n := copy(b[:1], k.ready)
	k.ready = k.ready[n:]
	return n, nil
}

// Close does nothing: what is read belongs to others.
func (k *keys) Close() error { return nil }

// forget drops what was pasted and has not been read. What was typed ahead stays.
func (k *keys) forget() {
	if k.pastes {
		k.raw, k.ready, k.paste, k.pastes = nil, nil, false, false
	}
}

// look takes one character or sequence from what was read; false when it needs more.
func (k *keys) look() bool {
	if len(k.raw) == 0 {
		return false
	}
	if k.raw[0] == '\x1b' {
		return k.sequence()
	}
	n := 1
	if k.raw[0] >= utf8.RuneSelf {
		if !utf8.FullRune(k.raw) {
			return false
		}
		_, n = utf8.DecodeRune(k.raw)
	}
	c := k.raw[:n]
	k.raw = k.raw[n:]
	if k.paste {
		k.pasted(c)
		return true
	}
	if c[0] != 0 { // which the editor takes for the end of its input
		k.ready = append(k.ready, c...)
	}
	return true
}

func (k *keys) pasted(c []byte) {
	switch {
	case c[0] == '\t':
		k.ready = utf8.AppendRune(k.ready, pastedTab)
	case c[0] == '\n' && k.ended: // one end of a line of two characters
	case c[0] == '\n', c[0] == '\r':
		k.ready = append(k.ready, '\r')
	case c[0] < ' ' || c[0] == 0x7f:
	default:
		k.ready = append(k.ready, c...)
	}
	k.ended = c[0] == '\r'
}

// sequence takes an escape sequence.
func (k *keys) sequence() bool {
	if k.paste {
		if bytes.HasPrefix(k.raw, []byte(pasteEnds)) {
			k.raw, k.paste = k.raw[len(pasteEnds):], false
			return true
		}
		if bytes.HasPrefix([]byte(pasteEnds), k.raw) {
			return false
		}
		k.raw = k.raw[1:]
		return true
	}
	if len(k.raw) == 1 {
		return false
	}
	end := 2
	if k.raw[1] == '[' {
		for ; end < len(k.raw) && (k.raw[end] < 0x40 || k.raw[end] > 0x7e); end++ {
		}
		if end == len(k.raw) {
			return false
		}
		end++
	}
	s := string(k.raw[:end])
	k.raw = k.raw[end:]
	if s == pasteBegins {
		k.paste, k.pastes = true, true
		return true
	}
	if known, ok := keyNames[s]; ok {
		s = known
	}
	k.ready = append(k.ready, s...)
	return true
}
