package parse

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

// file reads the path of files.
func (p *parser) file() *syntax.FileTable {
	f := &syntax.FileTable{}
	f.Path, f.Span = p.stringValue("a path in quotes")
	return f
}

// fileTable shapes 'path' in FROM as a plain name.
func (s *shaper) fileTable(mark, start int) {
	f := s.file()
	s.widen(fileInFrom, f.Span)
	s.place(&factor{func(*lowering, ast.ResultSetNode) syntax.TableRef { return f }})
	if s.match(mark, start) {
		return
	}
	f.Alias = s.alias()
	f.Span = s.since(start)
}
