package syntax

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Code is the number of a kind of user error, SQnnnn, as `streamsql help` knows it.
// SQ01nn are errors of the text (planner/parse), SQ02nn of names and types
// (planner/bind), SQ03nn of running jobs, SQ09nn things that are not supported.
type Code string

// The codes of the parser, and the one for everything that is not built.
const (
	CodeSyntax       Code = "SQ0101" // a word or sign stands where none can
	CodeIncomplete   Code = "SQ0102" // the text ends too early
	CodeLexical      Code = "SQ0103" // a character or literal that SQL does not have
	CodeReserved     Code = "SQ0104" // a reserved word as a name, without back-ticks
	CodeLiteral      Code = "SQ0105" // a literal whose text is no value
	CodeWidening     Code = "SQ0106" // accepted by default, refused in the flink dialect
	CodeLimit        Code = "SQ0107" // larger or deeper than the parser takes
	CodeSubstitute   Code = "SQ0108" // ${NAME} without a value
	CodeDefinition   Code = "SQ0109" // a statement whose clauses contradict each other
	CodeOutside      Code = "SQ0304" // what a job reads or writes is not as it should be, which is seldom a place of the SQL text
	CodeNotSupported Code = "SQ0901" // valid SQL that this engine does not do
)

// Error is a user error at a place of the SQL text.
type Error struct {
	Code Code
	Span
	// Place is where it is when that is not in the SQL text: in a file of rows, `bids.csv, line 3`.
	Place string
	Msg   string // what is wrong, in SQL terms, lower case, no full stop
	Hint  string // what to write instead; may be empty
}

// Errorf makes an error about the piece of text under at.
func Errorf(code Code, at Span, format string, args ...any) *Error {
	return &Error{Code: code, Span: at, Msg: fmt.Sprintf(format, args...)}
}

// NotSupported says that what stands at a place is valid but not built:
// "not supported: " and what.
func NotSupported(at Span, what, hint string) *Error {
	if hint == "" {
		hint = "it is valid SQL that nothing runs yet; docs/differences.md says what does"
	}
	return &Error{Code: CodeNotSupported, Span: at, Msg: "not supported: " + what, Hint: hint}
}

// WithHint sets the hint and returns the error.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// Placed tells whether the error has a place in the SQL text.
func (e *Error) Placed() bool { return e.Code != CodeOutside || e.End > 0 }

// Error returns code and message in one line, without the place.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Msg }

// Incomplete reports whether err says that the text ended too early, so that a shell
// should ask for another line instead of showing an error.
func Incomplete(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == CodeIncomplete
}

// Render draws the error with the line of src it concerns and a caret under the place:
//
//	error[SQ0203]: column 'pirce' not found in bid
//	  --> q1.sql:3:12
//	   3 | SELECT auction, pirce FROM bid
//	     |                 ^^^^^
//	 hint: did you mean 'price'?
//	 help: streamsql help SQ0203
//
// file may be empty. src must be the text that the error's span belongs to.
func (e *Error) Render(src, file string) string { return Drawing{}.Error(e, src, file) }

// Drawing says how errors are drawn.
type Drawing struct {
	// Columns is how many places of a line of src are shown at most; 0 is 120.
	Columns int
	// Width is how many places a character takes; nil is one.
	Width func(r rune) int
	// Paint colours a part; nil leaves all as it is.
	Paint func(p Part, text string) string
}

// Part is a part of a drawn error.
type Part uint8

// The parts that have colours.
const (
	PartError Part = iota // the word error
	PartCode              // with its brackets
	PartPlace             // the carets
	PartNote              // the words hint and help
)

func (d Drawing) paint(p Part, text string) string {
	if d.Paint == nil {
		return text
	}
	return d.Paint(p, text)
}

// Error is an error as Render draws it.
func (d Drawing) Error(e *Error, src, file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s: %s\n", d.paint(PartError, "error"), d.paint(PartCode, "["+string(e.Code)+"]"), clean(e.Msg))
	if e.Place != "" {
		fmt.Fprintf(&b, "  --> %s\n", clean(e.Place))
	} else if e.Placed() && (e.Span != (Span{}) || src != "") {
		d.place(&b, e, src, file)
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, " %s %s\n", d.paint(PartNote, "hint:"), clean(e.Hint))
	}
	fmt.Fprintf(&b, " %s streamsql help %s\n", d.paint(PartNote, "help:"), e.Code)
	return b.String()
}

// Message is an error that has no place.
func (d Drawing) Message(err error) string {
	return d.paint(PartError, "error") + ": " + clean(err.Error()) + "\n"
}

// maxRenderedLine bounds the characters of source shown, so that an error in a line of
// megabytes stays readable.
const maxRenderedLine = 120

func (d Drawing) place(b *strings.Builder, e *Error, src, file string) {
	pos := min(max(e.Pos, 0), len(src))
	start, line := lineStart(src, pos)
	_, column := LineColumn(src, pos)
	if file != "" {
		fmt.Fprintf(b, "  --> %s:%d:%d\n", file, line, column)
	} else {
		fmt.Fprintf(b, "  --> %d:%d\n", line, column)
	}
	stop := len(src)
	if i := strings.IndexByte(src[pos:], '\n'); i >= 0 {
		stop = pos + i
	}
	before, after := src[start:pos], strings.TrimRight(src[pos:stop], "\r")
	marked := after[:min(max(e.End-pos, 0), len(after))]
	before, after, marked = clean(before), clean(after), clean(marked)
	before, after = d.shorten(before, after)
	marked = marked[:min(len(marked), len(after))]
	number := fmt.Sprintf("%4d", line)
	fmt.Fprintf(b, "%s | %s%s\n", number, before, after)
	carets := d.paint(PartPlace, strings.Repeat("^", max(d.widthOf(marked), 1)))
	fmt.Fprintf(b, "%s | %s%s\n", strings.Repeat(" ", len(number)), d.blanks(before), carets)
}

func (d Drawing) width(r rune) int {
	if d.Width == nil || r == '\t' {
		return 1
	}
	return d.Width(r)
}

func (d Drawing) widthOf(text string) (n int) {
	for _, r := range text {
		n += d.width(r)
	}
	return n
}

// clean is a text as it may stand on a terminal, whatever was in the SQL: a sign stands for what a terminal would take
// for a command.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0 {
			return utf8.RuneError
		}
		return r
	}, s)
}

// shorten cuts the text before and behind the place to what fits a line.
func (d Drawing) shorten(before, after string) (string, string) {
	columns := d.Columns
	if columns <= 0 {
		columns = maxRenderedLine
	}
	half, from := columns/2, len(before)
	for n := 0; from > 0; {
		r, size := utf8.DecodeLastRuneInString(before[:from])
		if n += d.width(r); n > half {
			before = "…" + before[from:]
			break
		}
		from -= size
	}
	room := columns - d.widthOf(before)
	for i, r := range after {
		if room -= d.width(r); room < 0 {
			return before, after[:i]
		}
	}
	return before, after
}

// blanks replaces all but tabs, so that a caret below lines up with the text above.
func (d Drawing) blanks(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' {
			b.WriteByte('\t')
			continue
		}
		b.WriteString(strings.Repeat(" ", d.width(r)))
	}
	return b.String()
}
