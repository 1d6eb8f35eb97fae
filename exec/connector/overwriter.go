package connector

import "streamsql/exec/vector"

// Overwriter is a Sink that can replace what its table, or each partition that rows come for, held before.
type Overwriter interface {
	Sink
	// Overwrite says that it is to, before Open. Of the partition keys, in order, it gets those that the statement names, as
	// constants of one row, and nil for others.
	Overwrite(partition []*vector.Column) error
}
