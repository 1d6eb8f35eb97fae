package planner

import (
	"slices"

	"streamsql/exec/option"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// optionsBeyond are the options in a text that Flink's connectors have not. They say how rows are read and written and
// not what a statement means: its dialect has them too, and a text that was translated keeps them.
func (s *Session) optionsBeyond(text string) []syntax.Extension {
	var out []syntax.Extension
	var names []string
	for _, c := range s.Catalog().Connectors() {
		for _, f := range option.Describe(s.Catalog().Connector(c).Options()) {
			if f.Beyond {
				names = append(names, f.Name)
			}
		}
	}
	toks := parse.Tokens(text)
	for i, t := range toks {
		if t.Kind == parse.TextToken && i+1 < len(toks) && toks[i+1].Upper == "=" && slices.Contains(names, t.Value) {
			out = append(out, syntax.Extension{Span: t.Span, What: "option '" + t.Value + "'", Instead: "Flink's connector has no such option"})
		}
	}
	return out
}
