package connector

// Counted is a Reader that counts what users should hear of: rows that it left out, values that it could not read. Those of a
// checkpoint are of what was read up to its positions.
type Counted interface {
	Reader
	Counters() []Counter
}

// Counter is one such number, of this start of a job.
type Counter struct {
	Name  string
	Value int64
}
