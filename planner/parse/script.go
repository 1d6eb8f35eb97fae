package parse

import "streamsql/planner/syntax"

// Stmt is one statement of a script. All its positions refer to the whole script.
type Stmt struct {
	syntax.Span        // from its first token to its last, without the semicolon
	Text        string // what the span covers
	Terminated  bool   // a semicolon ended it
	Open        Open   // what is still open at the end of the script
	src         string
	end         int // behind the semicolon
	opts        Options
}

// Open is a construct that a script's last statement leaves open, so that a shell asks for
// another line before it looks at semicolons again.
type Open uint8

// What can be left open.
const (
	Nothing      Open = iota
	Quote             // a string, an identifier or text in double quotes
	Comment           // /* .. */
	StatementSet      // BEGIN .. END of a statement set
)

// Script cuts text into its statements in the default dialect.
func Script(src string) []Stmt { return Options{}.Script(src) }

// Script cuts text into its statements at semicolons outside of strings, comments and
// statement sets. It never fails: Stmt.Parse reports what is wrong with a statement.
// Empty statements are left out. It holds the tokens of one statement at a time.
func (o Options) Script(src string) []Stmt {
	l := newLexer(src, 0, len(src))
	var stmts []Stmt
	set, known := false, false // the statement opens a set, which is known from its first semicolon on
	for more := true; more; {
		seen := len(l.toks)
		more = l.next()
		n := len(l.toks)
		if n == seen || !l.toks[n-1].sign(";") {
			continue
		}
		if n > 1 && !known {
			set, known = opensSet(l.toks, 0), true
		}
		if n > 1 && set && !endsSet(l.toks, n-1) {
			continue
		}
		if n > 1 {
			stmts = append(stmts, o.stmt(src, l.toks, n-1, Nothing))
		}
		l.toks, l.open, known = l.toks[:0], l.open[:0], false
	}
	if len(l.toks) > 0 {
		l.add(token{kind: eof, pos: len(src), end: len(src)})
		end, open := statementEnd(src, l.toks, 0)
		stmts = append(stmts, o.stmt(src, l.toks, end, open))
	}
	return stmts
}

// stmt is the statement of the tokens before the one at end.
func (o Options) stmt(src string, toks []token, end int, open Open) Stmt {
	s := Stmt{Span: toks[0].span().To(toks[end-1].span()), src: src, opts: o, Open: open}
	s.Text = s.Span.Text(src)
	s.Terminated = toks[end].sign(";")
	s.end = s.End
	if s.Terminated {
		s.end = toks[end].end
	}
	return s
}

// endsSet tells that the semicolon at i ends a statement set.
func endsSet(toks []token, i int) bool {
	return i > 1 && toks[i-1].is("END") && (toks[i-2].sign(";") || toks[i-2].is("BEGIN"))
}

// End is the place behind the last token of a text: behind it are blanks and comments. It is 0 where there is none.
func End(src string) int {
	l := newLexer(src, 0, len(src))
	end := 0
	for more := true; more; {
		more = l.next()
		if n := len(l.toks); n > 0 {
			end = l.toks[n-1].end
			l.toks, l.open = append(l.toks[:0], l.toks[n-1]), l.open[:0]
		}
	}
	return end
}

// statementEnd returns the index of the token behind the statement that begins at start: a
// semicolon or the end.
func statementEnd(src string, toks []token, start int) (int, Open) {
	set := opensSet(toks, start)
	i := start
	for ; toks[i].kind != eof; i++ {
		t := &toks[i]
		if t.incomplete() {
			if src[t.pos] == '/' {
				return i + 1, Comment
			}
			return i + 1, Quote
		}
		if !t.sign(";") {
			continue
		}
		if !set || endsSet(toks, i) {
			return i, Nothing
		}
	}
	if set && !(toks[i-1].is("END") && i-start > 1 && toks[i-2].sign(";")) {
		return i, StatementSet
	}
	return i, Nothing
}

// opensSet reports whether a statement's first words are those of a statement set, before
// which EXECUTE, EXPLAIN or COMPILE PLAN may stand.
func opensSet(toks []token, i int) bool {
	for ; toks[i].kind != eof && !toks[i].sign(";"); i++ {
		switch t := &toks[i]; {
		case t.is("STATEMENT"):
			return toks[i+1].is("SET") && toks[i+2].is("BEGIN")
		case t.is("INSERT", "SELECT", "CREATE", "WITH", "VALUES", "BEGIN"):
			return false
		}
	}
	return false
}

// After is the place behind its semicolon, or where it ends without one.
func (s Stmt) After() int { return s.end }

// Parse parses the statement.
func (s Stmt) Parse() (syntax.Statement, error) {
	return s.opts.statement(s.src, syntax.Span{Pos: s.Pos, End: s.end})
}
