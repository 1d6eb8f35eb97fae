package filesystem

import "streamsql/exec/connector"

// skips count what a decoder could not read and was told to ignore.
type skips struct{ rows, values int64 }

// skipper is a decoder that ignores what it cannot read, where the table says so.
type skipper interface{ skipped() skips }

func (s *skips) skipped() skips { return *s }

// Counters implements connector.Counted.
func (r *reader) Counters() []connector.Counter {
	d, ok := r.decoder.(skipper)
	if !ok {
		return nil
	}
	s := d.skipped()
	return []connector.Counter{{Name: "unreadable rows left out", Value: s.rows}, {Name: "unreadable values read as NULL", Value: s.values}}
}
