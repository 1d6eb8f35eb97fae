package parse

import (
	"strconv"

	"streamsql/planner/syntax"
)

// shaper writes the normalised text of one query or expression and keeps what its
// placeholders stand for. It reads through the parser's cursor.
type shaper struct {
	*parser
	pieces  []piece
	before  map[int][]string // what was put before a piece later, the last first
	entries []entry
	height  int // of the highest expression written in the construct that is open
}

// piece is a word, sign or placeholder of the normalised text with the index of the source
// token it stems from.
type piece struct {
	text   string // empty for a placeholder
	entry  int    // the placeholder's number
	source int
}

// entry is what a placeholder stands for: a syntax.Expr, a *bracket, or what the clause that
// wrote it put there.
type entry any

func newShaper(p *parser) *shaper { return &shaper{parser: p} }

// emit writes a word or sign.
func (s *shaper) emit(text string) {
	s.pieces = append(s.pieces, piece{text: text, source: s.i})
}

// mark returns the place where the next piece will stand, for insertAt.
func (s *shaper) mark() int { return len(s.pieces) }

// insertAt puts text before the piece that was written at a mark.
func (s *shaper) insertAt(mark int, text string) {
	if s.before == nil {
		s.before = map[int][]string{}
	}
	s.before[mark] = append(s.before[mark], text)
}

// register keeps an entry and returns its number.
func (s *shaper) register(e entry) int {
	s.entries = append(s.entries, e)
	return len(s.entries) - 1
}

// placeholder returns the text that stands for an entry.
func placeholder(number int) string { return "`" + strconv.Itoa(number) + "`" }

// place keeps an entry and writes its placeholder.
func (s *shaper) place(e entry) {
	s.pieces = append(s.pieces, piece{entry: s.register(e), source: s.i})
}

// leaf writes an expression that needs no lowering.
func (s *shaper) leaf(e syntax.Expr) { s.place(e) }

// bracket is a placeholder with arguments, `17`(a, b). Each argument has a slot that takes
// its lowered form; build then makes the node.
type bracket struct {
	slots  []slot
	build  func() syntax.Expr
	filled bool
}

// slot says where an argument goes: one of the fields is set.
type slot struct {
	one   *syntax.Expr
	many  *[]syntax.Expr
	take  func(syntax.Expr)
	query *syntax.Query
}

// open writes the start of a bracket.
func (s *shaper) open() *bracket {
	b := &bracket{}
	s.place(b)
	s.emit("(")
	return b
}

// openAt puts the start of a bracket before what was written since a mark, which becomes
// its first argument.
func (s *shaper) openAt(mark int, first slot) *bracket {
	b := &bracket{slots: []slot{first}}
	s.insertAt(mark, placeholder(s.register(b))+"(")
	return b
}

// close writes the end of a bracket. build runs when all slots are filled.
func (s *shaper) close(b *bracket, build func() syntax.Expr) {
	b.build = build
	s.emit(")")
}

// argument starts one more argument that goes to a slot; the caller writes it.
func (s *shaper) argument(b *bracket, to slot) {
	if len(b.slots) > 0 {
		s.emit(",")
	}
	b.slots = append(b.slots, to)
}

// arg shapes one expression as an argument.
func (s *shaper) arg(b *bracket, to *syntax.Expr) {
	s.argument(b, slot{one: to})
	s.expr()
}

// args shapes a list of expressions, separated by commas, as arguments.
func (s *shaper) args(b *bracket, to *[]syntax.Expr) {
	for {
		s.argument(b, slot{many: to})
		s.expr()
		if !s.acceptSign(",") {
			return
		}
	}
}

// queryArg shapes a query as an argument.
func (s *shaper) queryArg(b *bracket, to *syntax.Query) {
	s.argument(b, slot{query: to})
	s.emit("(")
	s.query()
	s.emit(")")
}
