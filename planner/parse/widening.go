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
	trailingComma
	fromFirst
	starExclude
	starReplace
	groupByAll
	insertByName
	copyTo
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
	trailingComma:     {"a comma behind the last item of a list", "leave it out"},
	fromFirst:         {"FROM before SELECT", "write SELECT .. FROM .."},
	starExclude:       {"EXCLUDE behind a star", "list the columns"},
	starReplace:       {"REPLACE behind a star", "list the columns"},
	groupByAll:        {"GROUP BY ALL", "list the expressions that are grouped by"},
	insertByName:      {"INSERT .. BY NAME", "list the columns behind the table's name"},
	copyTo:            {"COPY", "declare a table of files with CREATE TABLE and INSERT INTO it"},
}

func (p *parser) strict() bool { return p.opts.Dialect == Flink }

// widen passes by default and gives up in the Flink dialect. Pieces are what Flink has for the text under at; without any
// that is found behind the parser, or nowhere.
func (p *parser) widen(w widening, at syntax.Span, pieces ...syntax.Piece) {
	if p.strict() {
		p.fail(syntax.Errorf(syntax.CodeWidening, at, "the flink dialect does not have %s", widenings[w].What).
			WithHint("%s", widenings[w].Instead))
	}
	p.extended(w, at, pieces...)
}

// extended tells of a widening.
func (p *parser) extended(w widening, at syntax.Span, pieces ...syntax.Piece) {
	if p.opts.Extensions != nil {
		*p.opts.Extensions = append(*p.opts.Extensions, syntax.Extension{Span: at, What: widenings[w].What, Instead: widenings[w].Instead})
	}
	if len(pieces) > 0 {
		p.rewrite(at, pieces...)
	}
}

// rewrite tells what Flink has for the text under at.
func (p *parser) rewrite(at syntax.Span, pieces ...syntax.Piece) {
	if p.opts.Rewrites != nil {
		*p.opts.Rewrites = append(*p.opts.Rewrites, syntax.Rewrite{Span: at, Pieces: pieces})
	}
}

// nothing is what stands for text that is left out, asText what stands for other text.
var nothing = syntax.Piece{}

func asText(text string) syntax.Piece { return syntax.Piece{Text: text} }
