package parse

import (
	"slices"

	"streamsql/planner/syntax"
)

// Widening is something that the default dialect accepts and Flink refuses, and what Flink
// wants instead.
type Widening struct {
	What, Instead string
	// Columns says that it takes more than the text to see: the binder tells of it, and refuses it with its own errors.
	Columns bool
}

// Widenings lists all syntax that the default dialect accepts beyond Flink.
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
	groupByNumber
	groupByAlias
	countTogether
	overChanges
	overFrame
	overSeveral
	overDistinct
	sharedRank
	limitInLateral
)

// GroupByNumber and those that follow are what the binder sees.
func GroupByNumber() Widening  { return widenings[groupByNumber] }
func GroupByAlias() Widening   { return widenings[groupByAlias] }
func CountTogether() Widening  { return widenings[countTogether] }
func OverChanges() Widening    { return widenings[overChanges] }
func OverFrame() Widening      { return widenings[overFrame] }
func OverSeveral() Widening    { return widenings[overSeveral] }
func OverDistinct() Widening   { return widenings[overDistinct] }
func SharedRank() Widening     { return widenings[sharedRank] }
func LimitInLateral() Widening { return widenings[limitInLateral] }

// widenings is the list of all syntax that is accepted beyond Flink: what it is, and what the Flink dialect wants instead.
// Whatever is added here is refused by Dialect Flink. Functions beyond Flink say so in their declarations.
var widenings = [...]Widening{
	bangEqual:         {What: "!= for inequality", Instead: "write <> instead of !="},
	reservedName:      {What: "a reserved word as a name", Instead: "put the name into back-ticks"},
	explainAnalyze:    {What: "EXPLAIN ANALYZE", Instead: "run the statement, or use EXPLAIN"},
	describeQuery:     {What: "DESCRIBE of a query", Instead: "create a view and describe that"},
	describeTableWord: {What: "DESCRIBE TABLE", Instead: "leave out the word TABLE"},
	insertIntoTable:   {What: "INSERT INTO TABLE", Instead: "leave out the word TABLE"},
	fetchOneRow:       {What: "FETCH FIRST ROW without a number", Instead: "write FETCH FIRST 1 ROW ONLY"},
	fileInFrom:        {What: "a path of files as a table", Instead: "declare the table with CREATE TABLE"},
	readFunction:      {What: "the functions READ_CSV, READ_JSON and READ_PARQUET", Instead: "declare the table with CREATE TABLE"},
	trailingComma:     {What: "a comma behind the last item of a list", Instead: "leave it out"},
	fromFirst:         {What: "FROM before SELECT", Instead: "write SELECT .. FROM .."},
	starExclude:       {What: "EXCLUDE behind a star", Instead: "list the columns"},
	starReplace:       {What: "REPLACE behind a star", Instead: "list the columns"},
	groupByAll:        {What: "GROUP BY ALL", Instead: "list the expressions that are grouped by"},
	insertByName:      {What: "INSERT .. BY NAME", Instead: "list the columns behind the table's name"},
	copyTo:            {What: "COPY", Instead: "declare a table of files with CREATE TABLE and INSERT INTO it"},
	groupByNumber:     {What: "GROUP BY the number of a column of the result", Instead: "write its expression", Columns: true},
	groupByAlias:      {What: "GROUP BY an alias of the select list", Instead: "write its expression", Columns: true},
	countTogether:     {What: "COUNT(DISTINCT …) of more than one column", Instead: "count the texts of all, joined", Columns: true},
	overChanges: {What: "OVER in the order of a time attribute over rows that change",
		Instead: "take rows that stay, or an order that is no time attribute", Columns: true},
	overFrame: {What: "frames that begin within the partition, in an order that is no time attribute",
		Instead: "write UNBOUNDED PRECEDING", Columns: true},
	overSeveral:  {What: "second window for the calls with OVER of a SELECT in a stream", Instead: "use one window", Columns: true},
	overDistinct: {What: "DISTINCT in calls with OVER in batch mode", Instead: "run it as a stream", Columns: true},
	sharedRank: {What: "RANK and DENSE_RANK in a stream, but in the order of a time attribute without a bound",
		Instead: "use ROW_NUMBER, or batch mode", Columns: true},
	limitInLateral: {What: "LIMIT in a query of LATERAL, over any rows", Instead: "keep the first rows by ROW_NUMBER() OVER (…)", Columns: true},
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
