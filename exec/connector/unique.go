package connector

// Unique is a Source that knows values of its rows by which they are told apart.
type Unique interface {
	Source
	// Unique lists paths of which no two rows of the table, whichever splits they are of, have the same value but for
	// NULL. A path through a row that is NULL is NULL.
	Unique() []Path
}
