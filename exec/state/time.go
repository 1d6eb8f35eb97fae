package state

import (
	"fmt"
	"io"
)

// LoadTimes takes the points of time, and nothing else, of snapshots of a former subtask: the least of all that are
// loaded counts. They come before any table is declared.
func (s *Store) LoadTimes(chain ...io.Reader) error {
	if len(chain) == 0 {
		return nil
	}
	b := &blockReader{r: chain[len(chain)-1]}
	err := b.start()
	if err == nil {
		err = b.next()
	}
	var last *image
	if err == nil {
		last, err = b.image(nil)
	}
	if err != nil {
		return fmt.Errorf("state: read the times of snapshot %d: %w", len(chain), err)
	}
	s.join(last.clock)
	return nil
}

// join takes points of time up, the least of each name.
func (s *Store) join(clock map[string]int64) {
	for name, t := range clock {
		s.SetTime(name, min(t, s.Time(name, t)))
	}
}

// DropTimes forgets points of time, all those whose names are not wanted any more.
func (s *Store) DropTimes(gone func(name string) bool) {
	for name := range s.clock {
		if gone(name) {
			delete(s.clock, name)
		}
	}
}
