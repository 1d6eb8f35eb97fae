package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// together makes one value of the arguments of COUNT(DISTINCT a, b), so that it is the same for the same values alone,
// and NULL where one of them is: their texts in a row, with the length of each but the last in front of it.
func (w *work) together(e *syntax.Call, args []expr.Expr, s *scope) (expr.Expr, error) {
	if err := w.strict(parse.CountTogether(), e); err != nil {
		return nil, err
	}
	colon, err := w.expr(&syntax.Literal{Span: e.Span, Kind: syntax.StringLiteral, Text: ":"}, s)
	if err != nil {
		return nil, err
	}
	var parts []expr.Expr
	for i, a := range args {
		switch a.Type().Kind {
		case types.Boolean, types.TinyInt, types.SmallInt, types.Int, types.BigInt, types.Float, types.Double, types.Decimal,
			types.Char, types.Varchar, types.Date, types.Time, types.Timestamp:
		default: // whose text could be that of two values
			return nil, syntax.NotSupported(e.Args[i].At(), "COUNT(DISTINCT …) of several columns with "+typeText(a), "")
		}
		text, err := w.castTo(a, types.String(), false, e)
		if err != nil {
			return nil, err
		}
		if i < len(args)-1 {
			length, err := w.call(e, "CHAR_LENGTH", text)
			if err != nil {
				return nil, err
			}
			if length, err = w.castTo(length, types.String(), false, e); err != nil {
				return nil, err
			}
			parts = append(parts, length, colon)
		}
		parts = append(parts, text)
	}
	w.rewriteTogether(e)
	return w.call(e, "CONCAT", parts...)
}

// rewriteTogether writes out what together makes.
func (w *work) rewriteTogether(e *syntax.Call) {
	if w.record == nil || w.apart {
		return
	}
	regions := argRegions(w.text, e)
	if regions == nil {
		return
	}
	pieces := []syntax.Piece{asText("CONCAT(")}
	for i, r := range regions {
		text := []syntax.Piece{asText("CAST("), {Span: r}, asText(" AS STRING)")}
		if i < len(regions)-1 {
			pieces = append(append(append(pieces, asText("CAST(CHAR_LENGTH(")), text...), asText(") AS STRING), ':', "))
			text = append(text, asText(", "))
		}
		pieces = append(pieces, text...)
	}
	at := syntax.Span{Pos: regions[0].Pos, End: regions[len(regions)-1].End}
	w.widened(parse.CountTogether(), at, append(pieces, asText(")"))...)
}

// argRegions is where the arguments of a call stand, with the parentheses around each; nil for a call that is not
// written in the text.
func argRegions(text string, e *syntax.Call) []syntax.Span {
	out := make([]syntax.Span, len(e.Args))
	for i, a := range e.Args {
		at, before := a.At(), e.Pos
		if i > 0 {
			before = e.Args[i-1].At().End
		}
		if before > at.Pos || at.End > len(text) {
			return nil
		}
		gap := text[before:at.Pos]
		inner := gap
		if i > 0 {
			inner = gap[strings.LastIndexByte(gap, ',')+1:]
		} else if k := strings.Index(strings.ToUpper(gap), "DISTINCT"); k >= 0 {
			inner = gap[k+len("DISTINCT"):]
		}
		end := at.End
		for opens := strings.Count(inner, "("); opens > 0 && end < len(text); end++ {
			if text[end] == ')' {
				opens--
			}
		}
		start := at.Pos
		if k := strings.IndexByte(inner, '('); k >= 0 {
			start = at.Pos - len(inner) + k
		}
		out[i] = syntax.Span{Pos: start, End: end}
	}
	return out
}
