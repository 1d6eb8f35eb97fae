package planner

import (
	"slices"
	"strings"

	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// explain shows what a statement would do: the plan as bound, the plan after the rules, and the stages.
func (s *Session) explain(x *syntax.Explain, text string) (*Result, error) {
	if x.Analyze {
		return nil, syntax.NotSupported(x.At(), "EXPLAIN ANALYZE", "EXPLAIN shows the plan without running it")
	}
	sinks, _, err := s.sinks(x.Statement, text, true)
	if err != nil {
		return nil, err
	}
	if sinks == nil {
		return nil, syntax.NotSupported(x.Statement.At(), "EXPLAIN of this statement", "EXPLAIN takes a query, an INSERT or a statement set")
	}
	optimized := s.optimize(sinks)
	p, err := s.physical(isQuery(optimized))
	if err != nil {
		return nil, err
	}
	g, err := p.Plan(optimized)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	section(&b, "Logical plan", plans(sinks))
	if p.Share {
		section(&b, "Optimized plan", logical.ExplainShared(optimized))
	} else {
		section(&b, "Optimized plan", plans(optimized))
	}
	stages := g.String()
	if slices.ContainsFunc(x.Details, func(d syntax.ExplainDetail) bool { return d.Name == "CHANGELOG_MODE" }) {
		stages = g.WithChanges()
	}
	section(&b, "Stages", stages)
	list := slices.Concat(advice(optimized), volatileAdvice(optimized), s.stateAdvice(optimized, g))
	if err := g.Shortage(); err != nil {
		list = append(list, "the job will not start: "+err.Error())
	}
	if len(list) > 0 {
		section(&b, "Advice", strings.Join(list, "\n"))
	}
	return &Result{Text: b.String(), Explained: g, Advice: list}, nil
}

func plans(list []logical.Plan) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(logical.Explain(p))
	}
	return b.String()
}

func section(b *strings.Builder, title, text string) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("== " + title + " ==\n" + strings.TrimRight(text, "\n") + "\n")
}
