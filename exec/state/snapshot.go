package state

// Snapshot is the state of a store at a moment.
type Snapshot struct{}

type image struct{}

func (s *Snapshot) reads(t *Keyed, page int32) bool { return false }
