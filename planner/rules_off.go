package planner

import (
	"slices"
	"strings"

	"streamsql/exec/option"
	"streamsql/planner/rules"
)

// unknownRules warns of rules to leave out that are none: nothing is left out for them.
func (s *Session) unknownRules() []string {
	var names, out []string
	for _, d := range rules.Docs() {
		names = append(names, d[0])
	}
	for name := range s.Settings().RulesOff() {
		if slices.Contains(names, name) {
			continue
		}
		text := "'streamsql.rules.off' names '" + name + "', and there is no such rule; "
		if near := option.Nearest(name, names); near != "" {
			text += "did you mean '" + near + "'?"
		} else {
			text += "rules: " + strings.Join(names, ", ")
		}
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}
