package parse

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	tidb "github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"

	"streamsql/planner/syntax"
)

// parsers hands out TiDB parsers, which are costly to make and good for one goroutine. They
// don't record positions: recording would write to trees of earlier statements.
var parsers = sync.Pool{New: func() any {
	installDriver()
	p := tidb.New()
	p.SetSQLMode(mysql.ModeNoBackslashEscapes | mysql.ModeIgnoreSpace)
	p.SetParserConfig(tidb.ParserConfig{SkipPositionRecording: true})
	return p
}}

// maxPooledText bounds the text behind which a parser is used again: the memory it grew for a
// longer one would stay in the pool.
const maxPooledText = 1 << 20

// render joins the pieces and returns where each begins.
func (s *shaper) render() (string, []int) {
	var b strings.Builder
	b.Grow(8 * len(s.pieces))
	starts := make([]int, len(s.pieces))
	var number [20]byte
	for i := range s.pieces {
		starts[i] = b.Len()
		for _, before := range slices.Backward(s.before[i]) {
			b.WriteString(before)
			b.WriteByte(' ')
		}
		if text := s.pieces[i].text; text != "" {
			b.WriteString(text)
		} else {
			b.WriteByte('`')
			b.Write(strconv.AppendInt(number[:0], int64(s.pieces[i].entry), 10))
			b.WriteByte('`')
		}
		b.WriteByte(' ')
	}
	return b.String(), starts
}

// lower has TiDB parse the normalised text, and gives the tree to read before the parser
// can be used again.
func (s *shaper) lower(read func(*lowering, ast.StmtNode)) {
	normal, starts := s.render()
	p := parsers.Get().(*tidb.Parser)
	if len(normal) <= maxPooledText {
		defer parsers.Put(p)
	}
	stmts, _, err := p.ParseSQL(normal)
	if err != nil {
		s.foreignError(err, normal, starts)
	}
	if len(stmts) != 1 {
		panic("parse: normalised text is not one statement: " + normal)
	}
	read(&lowering{s}, stmts[0])
}

// near finds the rest of the text that a TiDB error quotes; beyond 2,048 bytes it states
// the length instead.
var near = regexp.MustCompile(`(?s)^line \d+ column \d+ near "(.*)"(?:\(total length (\d+)\))?[^"]*$`)

// foreignError reports an error of TiDB's at the place in the source where it stems from.
func (s *shaper) foreignError(err error, normal string, starts []int) {
	at := len(normal)
	if m := near.FindStringSubmatch(err.Error()); m != nil {
		rest := len(m[1])
		if m[2] != "" {
			rest, _ = strconv.Atoi(m[2])
		}
		at = max(len(normal)-rest, 0)
	}
	i := max(sort.SearchInts(starts, at+1)-1, 0)
	if len(s.pieces) == 0 {
		s.fail(syntax.Errorf(syntax.CodeSyntax, s.endSpan(), "nothing to parse"))
	}
	s.i = min(s.pieces[i].source, len(s.toks)-1)
	t := s.tok()
	if t.kind == eof {
		s.fail(syntax.Errorf(syntax.CodeIncomplete, s.endSpan(), "unexpected end of the statement"))
	}
	e := syntax.Errorf(syntax.CodeSyntax, t.span(), "%s cannot stand here", s.spell(t)).
		WithHint("operators of equal rank may need parentheses around one of them")
	s.fail(e)
}
