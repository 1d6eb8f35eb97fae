package state

// Snapshot is the state of a store at a moment.
type Snapshot struct{}

type image struct{}

func (s *Snapshot) reads(t *Keyed, page int32) bool { return false }

// Open ends the declaration of tables: what was restored is in them.
func (s *Store) Open() error {
	for _, t := range s.tables {
		t.opened = true
	}
	return nil
}

// Time is a named point of time that is kept with the state, or the given one while it was never set.
func (s *Store) Time(name string, unset int64) int64 {
	if t, ok := s.clock[name]; ok {
		return t
	}
	return unset
}

// SetTime sets a named point of time.
func (s *Store) SetTime(name string, t int64) {
	if s.clock == nil {
		s.clock = map[string]int64{}
	}
	s.clock[name] = t
}

// Restored are the names of the tables that were restored and not declared yet.
func (s *Store) Restored() []string { return nil }
