package bind

import (
	"maps"
	"slices"
	"time"

	"streamsql/exec/option"
	"streamsql/planner/syntax"
)

// hintArgs are the hints that may stand behind SELECT, with what their arguments are. They say how a
// query is run, not what it gives.
var hintArgs = map[string]hintKind{
	"BROADCAST": tableHint, "SHUFFLE_HASH": tableHint, "SHUFFLE_MERGE": tableHint, "NEST_LOOP": tableHint,
	"MULTI_JOIN": tableHint, "STATE_TTL": ttlHint, "LOOKUP": lookupHint,
}

type hintKind uint8

const (
	tableHint  hintKind = iota // tables of the FROM clause by name
	ttlHint                    // 'table' = 'duration'
	lookupHint                 // 'table' = 'name', then options
)

// stateTTL is what the hints STATE_TTL say, as far as hints will accept them.
func stateTTL(list []syntax.Hint) map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, h := range list {
		if hintArgs[h.Name] != ttlHint {
			continue
		}
		for _, a := range h.Args {
			if d, err := option.ParseDuration(a.Value); err == nil && d > 0 {
				out[a.Key] = d
			} else if err == nil {
				out[a.Key] = -1
			}
		}
	}
	return out
}

// Idle tells which hints of the statements bound since it was asked last change nothing here, and forgets them.
func (b *Binder) Idle() []string {
	out := b.idle
	b.idle = nil
	return out
}

// hints checks the hints of a SELECT against the tables of its FROM clause.
func (w *work) hints(list []syntax.Hint, s *scope) error {
	for _, h := range list {
		kind, ok := hintArgs[h.Name]
		if !ok {
			return failf(h, CodeOption, "there is no hint %s", h.Name).
				WithHint("%s", suggest(h.Name, "hints", slices.Sorted(maps.Keys(hintArgs))))
		}
		if kind == tableHint && !slices.Contains(w.idle, h.Name) {
			w.idle = append(w.idle, h.Name)
		}
		for _, a := range h.Args {
			name := a.Key
			switch {
			case kind == tableHint:
				name = a.Value
			case kind == lookupHint && a.Key != "table":
				continue
			case kind == lookupHint:
				name = a.Value
			default:
				if _, err := option.ParseDuration(a.Value); err != nil {
					return failf(a, CodeOption, "'%s' is no duration", a.Value).WithHint("such as '1 d' or '30 min'")
				}
			}
			if names := s.tables(); !slices.Contains(names, name) {
				return failf(a, CodeTable, "table '%s' of the hint %s is not in FROM", name, h.Name).
					WithHint("%s", suggest(name, "tables", names))
			}
		}
	}
	return nil
}
