package op

import (
	"fmt"
	"strconv"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
)

// RowPattern is what MATCH_RECOGNIZE looks for: rows of a partition, one directly behind the other, that are taken as
// the variables of a pattern in turn.
//
// Conditions and measures are over columns of their own: what Reads read, then the values of Calls. For a condition
// the row that is tested counts as one of its variable's.
type RowPattern struct {
	// Variables are those of the pattern in order, then those that are only defined, which no row is taken as.
	Variables []PatternVariable
	// Elements are the pattern: how often each of its variables stands there.
	Elements []PatternElement
	Skip     MatchSkip
	// SkipTo is the variable of SkipToFirst and SkipToLast.
	SkipTo int
	// Within bounds the time from the first row of a match to its last one, in milliseconds: it is less. 0 is no bound.
	Within int64
	Reads  []MatchRead
	Calls  []MatchCall
}

// PatternVariable is a variable with the condition of its rows; nil takes any row.
type PatternVariable struct {
	Name string
	Cond expr.Expr
}

// PatternElement is how many rows a variable stands for; Max is negative without a bound.
//
// Of a greedy one the row behind may not be one that the variable takes too. One without is taken in any number that
// fits; so is an optional one, {0,1}.
type PatternElement struct {
	Min, Max int
	Greedy   bool
}

// MatchSkip says which rows the match after a match may begin with.
type MatchSkip uint8

// The rows after the last one of a match, after its first one, and from the first or the last one of a variable on.
const (
	SkipPastLastRow MatchSkip = iota
	SkipToNextRow
	SkipToFirst
	SkipToLast
)

// AllVariables stands for the rows of all variables.
const AllVariables = -1

// MatchRead is a column of one of a variable's rows: of the first one, or the last one, or the Offset-th one from there.
// Where there is none it is NULL.
type MatchRead struct {
	Variable int
	First    bool
	Offset   int64
	Column   int
	T        types.Type
}

// MatchCall is an aggregate over the rows of a variable; its arguments are over the input.
type MatchCall struct {
	Variable int
	AggregateCall
}

// MatchRecognize finds a pattern in the rows of each partition, and gives a row for every match: the partition's keys,
// then the measures.
//
// In the order of an event time rows are taken up when the watermark has reached them; those behind it are dropped and
// counted. In the order of processing time they are taken up as they come.
//
// A match whose rows have been found is given as soon as no earlier row can begin one any more; of those that begin with
// one row the first that is complete. It rules out all matches that begin before the row that Skip says.
type MatchRecognize struct {
	RowPattern
	// Partition, and Order whose first key is the time, are over the input.
	Partition []expr.Expr
	Order     []SortKey
	Time      OverTime
	Measures  []expr.Expr
	// Timed says that the time of the last row of a match is the event time of the output: the watermark waits for
	// matches that are held back.
	Timed bool
	// Types are those of the input's columns, Names those of the output's.
	Types []types.Type
	Names []string
}

// String implements Spec.
func (s *MatchRecognize) String() string {
	text := "Match("
	if len(s.Partition) > 0 {
		text += "partitionBy=[" + exprText(s.Partition) + "], "
	}
	text += "orderBy=[" + SortText(s.Order) + [...]string{"", " ROWTIME", " PROCTIME"}[s.Time] + "], "
	return text + s.Text(s.Measures) + ", select=[" + strings.Join(s.Names, ", ") + "])"
}

// New implements Spec.
func (s *MatchRecognize) New() Operator { return &matchRecognize{spec: s} }

// Text is the pattern with its measures, as EXPLAIN shows it.
func (p *RowPattern) Text(measures []expr.Expr) string {
	text := "measures=[" + exprText(measures) + "], after=[" + p.skipText() + "], pattern=[" + p.elementsText() + "]"
	if p.Within > 0 {
		text += fmt.Sprintf(", within=[%d ms]", p.Within)
	}
	var define []string
	for _, v := range p.Variables {
		if v.Cond != nil {
			define = append(define, v.Name+" AS "+v.Cond.String())
		}
	}
	return text + ", define=[" + strings.Join(define, ", ") + "]"
}

func (p *RowPattern) skipText() string {
	switch p.Skip {
	case SkipToNextRow:
		return "SKIP TO NEXT ROW"
	case SkipToFirst:
		return "SKIP TO FIRST " + p.Variables[p.SkipTo].Name
	case SkipToLast:
		return "SKIP TO LAST " + p.Variables[p.SkipTo].Name
	}
	return "SKIP PAST LAST ROW"
}

func (p *RowPattern) elementsText() string {
	parts := make([]string, len(p.Elements))
	for i, e := range p.Elements {
		parts[i] = p.Variables[i].Name + e.quantifier()
	}
	return strings.Join(parts, " ")
}

func (e PatternElement) quantifier() string {
	text := ""
	switch {
	case e.Min == 1 && e.Max == 1:
		return ""
	case e.Min == 0 && e.Max == 1:
		return "?"
	case e.Min == 0 && e.Max < 0:
		text = "*"
	case e.Min == 1 && e.Max < 0:
		text = "+"
	case e.Max < 0:
		text = "{" + strconv.Itoa(e.Min) + ",}"
	case e.Min == e.Max:
		return "{" + strconv.Itoa(e.Min) + "}"
	default:
		text = "{" + strconv.Itoa(e.Min) + "," + strconv.Itoa(e.Max) + "}"
	}
	if !e.Greedy && e.Min != e.Max {
		text += "?"
	}
	return text
}

// String is the read as EXPLAIN shows it.
func (r *MatchRead) String(p *RowPattern, column string) string {
	if r.Variable != AllVariables {
		column = p.Variables[r.Variable].Name + "." + column
	}
	word := "LAST("
	if r.First {
		word = "FIRST("
	}
	return word + column + ", " + strconv.FormatInt(r.Offset, 10) + ")"
}

// String is the call as EXPLAIN shows it.
func (c *MatchCall) String(p *RowPattern) string {
	if c.Variable == AllVariables {
		return c.AggregateCall.String()
	}
	named := c.AggregateCall
	of := func(e expr.Expr) expr.Expr {
		return expr.Rewrite(e, func(e expr.Expr) expr.Expr {
			if x, ok := e.(*expr.Column); ok {
				return &expr.Column{Index: x.Index, Name: p.Variables[c.Variable].Name + "." + x.Name, T: x.T}
			}
			return e
		})
	}
	named.Args = make([]expr.Expr, len(c.Args))
	for i, e := range c.Args {
		named.Args[i] = of(e)
	}
	if c.Filter != nil {
		named.Filter = of(c.Filter)
	}
	return named.String()
}
