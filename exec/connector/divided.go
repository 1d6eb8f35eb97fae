package connector

// Divided is a Sink that says by how many subtasks it is written, and which rows they get.
type Divided interface {
	Sink
	// Division is the number of subtasks, 0 for as many as there are before the sink, and the columns whose values decide
	// which of them gets a row; without any each keeps what comes.
	Division() (parallelism int, keys []int)
}
