package parse

import "streamsql/planner/syntax"

// foreignStatements are statements that Flink parses and this engine will never run, by
// their first words.
var foreignStatements = []struct {
	words []string
	what  string
	hint  string
	// refused is why Flink does not run it either; batch says that it does in batch mode.
	refused string
	batch   bool
}{
	{[]string{"CALL"}, "CALL", "write the statements that it would run", "the catalogs have no stored procedures", false},
	{[]string{"ANALYZE", "TABLE"}, "ANALYZE TABLE", "there are no statistics to gather", "a stream has no statistics", true},
	{[]string{"ADD", "JAR"}, "ADD JAR", "there is no Java here; the functions are built in", "", false},
	{[]string{"REMOVE", "JAR"}, "REMOVE JAR", "there is no Java here; the functions are built in", "", false},
}

// unsupported parses such a statement; nil if none stands here.
func (p *parser) unsupported() syntax.Statement {
	for _, f := range foreignStatements {
		if p.words(f.words...) && p.peek(len(f.words)).kind != eof {
			s := p.unsupportedTo(p.i, f.what)
			s.Hint, s.Refused, s.InBatch = f.hint, f.refused, f.batch
			return s
		}
	}
	return nil
}

// unsupportedTo reads the rest of a statement without looking at it.
func (p *parser) unsupportedTo(start int, what string) *syntax.Unsupported {
	for !p.ended() {
		p.readable(p.tok())
		p.i++
	}
	return &syntax.Unsupported{Span: p.since(start), What: what}
}
