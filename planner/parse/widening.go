package parse

import (
	"slices"

	"streamsql/planner/syntax"
)

// Widening is something that the default dialect accepts and Flink refuses, and what Flink
// wants instead.
type Widening struct{ What, Instead string }

// Widenings lists everything that the default dialect accepts beyond Flink.
func Widenings() []Widening { return slices.Clone(widenings[:]) }

// widening is an index of the list.
type widening uint8

const (
	bangEqual widening = iota
	reservedName
	explainAnalyze
	describeQuery
	describeTableWord
	insertIntoTable
	fetchOneRow
	fileInFrom
	readFunction
)

// widenings is the list of everything that is accepted beyond Flink: what it is, and what
// the Flink dialect wants instead. Whatever is added here is refused by Dialect Flink.
var widenings = [...]Widening{
	bangEqual:         {"!= for inequality", "write <> instead of !="},
	reservedName:      {"a reserved word as a name", "put the name into back-ticks"},
	explainAnalyze:    {"EXPLAIN ANALYZE", "run the statement, or use EXPLAIN"},
	describeQuery:     {"DESCRIBE of a query", "create a view and describe that"},
	describeTableWord: {"DESCRIBE TABLE", "leave out the word TABLE"},
	insertIntoTable:   {"INSERT INTO TABLE", "leave out the word TABLE"},
	fetchOneRow:       {"FETCH FIRST ROW without a number", "write FETCH FIRST 1 ROW ONLY"},
	fileInFrom:        {"a path of files as a table", "declare the table with CREATE TABLE"},
	readFunction:      {"the functions READ_CSV, READ_JSON and READ_PARQUET", "declare the table with CREATE TABLE"},
}

func (p *parser) strict() bool { return p.opts.Dialect == Flink }

// widen passes by default and gives up in the Flink dialect.
func (p *parser) widen(w widening, at syntax.Span) {
	if !p.strict() {
		return
	}
	p.fail(syntax.Errorf(syntax.CodeWidening, at, "the flink dialect does not have %s", widenings[w].What).
		WithHint("%s", widenings[w].Instead))
}
