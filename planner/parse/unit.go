package parse

import "streamsql/planner/syntax"

// intervalUnits are the units of INTERVAL '..', by their spellings.
var intervalUnits = map[string]syntax.Unit{
	"YEAR": syntax.Year, "YEARS": syntax.Year, "QUARTER": syntax.Quarter, "QUARTERS": syntax.Quarter,
	"MONTH": syntax.Month, "MONTHS": syntax.Month, "WEEK": syntax.Week, "WEEKS": syntax.Week,
	"DAY": syntax.Day, "DAYS": syntax.Day, "HOUR": syntax.Hour, "HOURS": syntax.Hour,
	"MINUTE": syntax.Minute, "MINUTES": syntax.Minute, "SECOND": syntax.Second, "SECONDS": syntax.Second,
}

// fieldUnits are the units that functions take besides.
var fieldUnits = map[string]syntax.Unit{
	"MILLISECOND": syntax.Millisecond, "MICROSECOND": syntax.Microsecond, "NANOSECOND": syntax.Nanosecond,
	"EPOCH": syntax.Epoch, "DOW": syntax.DayOfWeek, "ISODOW": syntax.ISODay, "DOY": syntax.DayOfYear,
	"ISOYEAR": syntax.ISOYear, "DECADE": syntax.Decade, "CENTURY": syntax.Century, "MILLENNIUM": syntax.Millennium,
	"SQL_TSI_YEAR": syntax.Year, "SQL_TSI_QUARTER": syntax.Quarter, "SQL_TSI_MONTH": syntax.Month,
	"SQL_TSI_WEEK": syntax.Week, "SQL_TSI_DAY": syntax.Day, "SQL_TSI_HOUR": syntax.Hour,
	"SQL_TSI_MINUTE": syntax.Minute, "SQL_TSI_SECOND": syntax.Second, "SQL_TSI_MICROSECOND": syntax.Microsecond,
	"FRAC_SECOND": syntax.Microsecond,
}

// unitArg reads a unit that stands as the argument of a function.
func (p *parser) unitArg() *syntax.UnitArg {
	t := p.tok()
	unit, ok := intervalUnits[t.up]
	if !ok {
		unit, ok = fieldUnits[t.up]
	}
	if t.kind != word || !ok {
		p.unexpected("a unit of time such as HOUR")
	}
	p.i++
	return &syntax.UnitArg{Span: t.span(), Unit: unit}
}

// interval reads INTERVAL [sign] 'text' units, with the cursor behind INTERVAL.
func (p *parser) interval(start int) *syntax.Interval {
	iv := &syntax.Interval{}
	if p.sign("-") || p.sign("+") {
		iv.Negative = p.next().sign("-")
	}
	iv.Text, iv.TextSpan = p.stringValue("the length of the interval in quotes")
	iv.Units = p.intervalUnits()
	iv.Span = p.since(start)
	return iv
}

// finerUnits are the units that may stand behind TO.
var finerUnits = map[syntax.Unit]string{
	syntax.Year: "MONTH", syntax.Day: "HOUR MINUTE SECOND", syntax.Hour: "MINUTE SECOND", syntax.Minute: "SECOND",
}

// intervalUnits reads DAY, DAY(3), MINUTE TO SECOND(3) and their like.
func (p *parser) intervalUnits() syntax.IntervalUnits {
	start := p.i
	q := syntax.IntervalUnits{From: p.intervalUnit(), Precision: syntax.Unset, Fraction: syntax.Unset}
	if p.acceptSign("(") {
		q.Precision = p.integer("the number of digits")
		if q.From == syntax.Second && p.acceptSign(",") {
			q.Fraction = p.integer("the number of digits of a fraction")
		}
		p.expectSign(")")
	}
	if p.is("TO") && p.peek(1).kind == word && intervalUnits[p.peek(1).up] != "" {
		p.i++
		at := p.tok()
		q.To = p.intervalUnit()
		if !wordSet(finerUnits[q.From])[string(q.To)] {
			p.fail(syntax.Errorf(syntax.CodeSyntax, at.span(), "an interval cannot go from %s to %s", q.From, q.To))
		}
		if q.To == syntax.Second && p.acceptSign("(") {
			q.Fraction = p.integer("the number of digits of a fraction")
			p.expectSign(")")
		}
	}
	q.Span = p.since(start)
	return q
}

func (p *parser) intervalUnit() syntax.Unit {
	t := p.tok()
	unit, ok := intervalUnits[t.up]
	if t.kind != word || !ok {
		if t.is("MILLISECOND", "MILLISECONDS") {
			p.fail(syntax.Errorf(syntax.CodeSyntax, t.span(), "an interval has no unit %s", t.up).
				WithHint("write fractions of a second: INTERVAL '0.001' SECOND"))
		}
		p.unexpected("a unit of the interval such as SECOND")
	}
	p.i++
	return unit
}
