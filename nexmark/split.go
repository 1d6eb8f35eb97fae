package nexmark

import (
	"fmt"

	"streamsql/exec/connector"
	"streamsql/exec/option"
)

// upstream is the value of the option split that divides ids as the benchmark does.
const upstream = "upstream"

// share is one of n parts of the input. The name of a split says which it is, so that it means the same whatever the
// parallelism: of one stream the blocks whose number is i modulo n, or upstream's generator i of n.
type share struct{ i, n int }

func (s *source) splitName(of share) string {
	return fmt.Sprintf("%s %d of %d", s.options.Split, of.i, of.n)
}

// parseSplit reads the name of a split. One that was made with another option 'split' is none of this source's.
func (s *source) parseSplit(id string) (share, error) {
	var kind string
	var of share
	_, err := fmt.Sscanf(id, "%s %d of %d", &kind, &of.i, &of.n)
	if err != nil || of.i < 0 || of.i >= of.n || kind != s.options.Split {
		return of, fmt.Errorf("nexmark: no such split with option 'split' = '%s': %q", s.options.Split, id)
	}
	return of, nil
}

// Splits implements connector.Source: a split for each subtask.
func (s *source) Splits(n int) ([]connector.Split, error) {
	if s.config.Events > 0 && s.config.Events < int64(n) {
		return nil, &option.Error{
			Key:  "events.num",
			Msg:  fmt.Sprintf("option 'events.num' is %d, less than the parallelism %d", s.config.Events, n),
			Hint: fmt.Sprintf("it must be at least %d, or 0 for no end", n),
		}
	}
	out := make([]connector.Split, n)
	for i := range out {
		out[i].ID = s.splitName(share{i, n})
	}
	return out, nil
}

// Resume implements connector.Resumer. A stream that was dealt out to fewer subtasks is dealt out once more: every
// split becomes several, at its own position, each with a share of its blocks. Upstream's generators stay as they are,
// since their ids depend on how many there were.
func (s *source) Resume(n int, saved []connector.Split) ([]connector.Split, error) {
	times := 1
	if s.options.Split != upstream {
		times = (n + len(saved) - 1) / len(saved)
	}
	var out []connector.Split
	for k := range times {
		for _, sp := range saved {
			of, err := s.parseSplit(sp.ID)
			if err != nil {
				return nil, err
			}
			sp.ID = s.splitName(share{of.i + k*of.n, times * of.n})
			out = append(out, sp)
		}
	}
	return out, nil
}
