package op

// Filled is an operator that may come to give no row any more, whatever comes. The rows that fill it all meet in one subtask.
type Filled interface {
	Operator
	// Filled tells that it has; it stays so over a restore.
	Filled() bool
}
