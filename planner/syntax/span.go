package syntax

import "unicode/utf8"

// Span is a piece of source text: the byte offsets of its first byte and of the byte
// behind its last one. The zero Span means "nowhere".
type Span struct {
	Pos, End int
}

// At returns the span itself; every node gets the method by embedding Span.
func (s Span) At() Span { return s }

// To returns the span from the start of s to the end of o.
func (s Span) To(o Span) Span { return Span{Pos: s.Pos, End: max(s.End, o.End)} }

// Text returns the piece of src that the span covers.
func (s Span) Text(src string) string {
	pos := min(max(s.Pos, 0), len(src))
	return src[pos:max(pos, min(s.End, len(src)))]
}

// Node is anything in the tree that has a place in the source text.
type Node interface {
	At() Span
}

// LineColumn returns the 1-based line and column of a byte offset in src. Columns
// count characters, not bytes.
func LineColumn(src string, offset int) (line, column int) {
	offset = min(max(offset, 0), len(src))
	start, line := lineStart(src, offset)
	return line, utf8.RuneCountInString(src[start:offset]) + 1
}

// lineStart returns the offset at which the line of offset begins, and its number.
func lineStart(src string, offset int) (start, line int) {
	line = 1
	for i := 0; i < offset; i++ {
		if src[i] == '\n' {
			line++
			start = i + 1
		}
	}
	return start, line
}

// Widen grows the span to cover another. The parser uses it for parentheses; nobody may
// once the tree is built.
func (s *Span) Widen(o Span) {
	s.Pos, s.End = min(s.Pos, o.Pos), max(s.End, o.End)
}
