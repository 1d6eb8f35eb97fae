package connector

// Narrow is a Source that may gain nothing from many subtasks: each of them would do over again what the others do.
// The planner then reads it by fewer and spreads its rows behind it. Their order is given up there, as it is where
// splits are read side by side.
type Narrow interface {
	Source
	// Widest is by how many subtasks it is to be read at most, 0 for any number.
	Widest() int
}
