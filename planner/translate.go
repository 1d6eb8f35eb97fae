package planner

import (
	"slices"
	"strings"

	"streamsql/planner/bind"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// Translation is a statement in Flink's own dialect.
type Translation struct {
	// Before are statements that have to run first, and Text is what the statement becomes, all without semicolons.
	Before []string
	Text   string
	// Extensions are what the statement has beyond that dialect.
	Extensions []syntax.Extension
	// Options are names of options in Before and Text that Flink's connectors have not.
	Options []string
}

// Translate gives a statement in Flink's dialect. Statements about the catalog and the session are carried out, so that
// those behind them have their tables; of all others nothing runs.
func (s *Session) Translate(text string) (*Translation, error) {
	t := &Translation{}
	var list []syntax.Rewrite
	o := s.Dialect()
	o.Extensions, o.Rewrites = &t.Extensions, &list
	st, err := o.Statement(text)
	if err != nil {
		return nil, err
	}
	s.binder.Record(&list)
	defer s.binder.Record(nil)
	err = s.bound(st, text)
	s.apply()
	if err != nil {
		return nil, placed(err, st)
	}
	t.Extensions = append(t.Extensions, syntax.Extensions(list)...)
	for _, e := range t.Extensions {
		if !replaced(e, list) {
			return nil, syntax.Errorf(bind.CodeDialect, e.Span, "Flink has nothing for %s", e.What).WithHint("%s", e.Instead)
		}
	}
	t.Text, t.Before = syntax.Rewritten(text, list)
	if _, err := (parse.Options{Dialect: parse.Flink}).Statement(t.Text); err != nil {
		return nil, placed(syntax.Errorf(bind.CodeDialect, st.At(), "this has no translation: %v", err).
			WithHint("it would be %s", strings.Join(strings.Fields(t.Text), " ")), st)
	}
	s.binder.Keep()
	for _, text := range append(slices.Clone(t.Before), t.Text) {
		for _, e := range s.optionsBeyond(text) {
			t.Options = append(t.Options, e.What)
		}
	}
	return t, nil
}

// replaced tells that something stands for an extension. What has nothing stays so inside of what is replaced.
func replaced(e syntax.Extension, list []syntax.Rewrite) (by bool) {
	for _, r := range list {
		if r.Span == e.Span && len(r.Pieces) == 0 {
			return false
		}
		by = by || r.Pos <= e.Pos && e.End <= r.End
	}
	return by
}

// bound binds a statement, and carries it out where it runs no job.
func (s *Session) bound(st syntax.Statement, text string) error {
	if x, ok := st.(*syntax.Explain); ok {
		_, _, err := s.sinks(x.Statement, text, true)
		return err
	}
	switch st.(type) {
	case *syntax.BeginStatementSet, *syntax.EndStatementSet, *syntax.Shell:
		return nil
	}
	if aboutJobs(st) != nil {
		return nil
	}
	sinks, _, err := s.sinks(st, text, false)
	if err != nil || sinks != nil {
		return err
	}
	_, err = s.binder.Statement(st, text)
	return err
}
