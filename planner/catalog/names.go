package catalog

import (
	"strings"

	"streamsql/exec/option"
)

// Admit says which names a setting that is a list of them may hold: others are refused.
func (s *Settings) Admit(key string, names []string) {
	if s.admitted == nil {
		s.admitted = map[string][]string{}
	}
	s.admitted[key] = names
}

// namesOf are those of a list with commas between them.
func namesOf(list string) map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out[name] = true
		}
	}
	return out
}

func noSuchName(key, name string, names []string) *option.Error {
	e := &option.Error{Key: key, Msg: "'" + key + "' has no name '" + name + "'", Hint: "expected of " + strings.Join(names, ", ")}
	if near := option.Nearest(name, names); near != "" {
		e.Hint = "did you mean '" + near + "'?"
	}
	return e
}
