package connector

// Files opens files that no statement declares: FROM 'bids.csv', FROM read_csv('bids/*.csv', header => TRUE).
type Files struct {
	// Formats are those that have a function read_FORMAT.
	Formats []string
	// Infer looks into the files of a path. The format is one of Formats, or empty: then the path tells it. Options go by
	// the connector's names or shorter ones. An *option.Error says what is wrong with them.
	Infer func(format, path string, options map[string]string) (*Inferred, error)
	// Target finds the options of a table that writes files below a path, as Infer does, and whether files are there.
	Target func(format, path string, options map[string]string) (set map[string]string, taken bool, err error)
}

// Inferred is the table that files hold.
type Inferred struct {
	Columns []Column
	// PartitionKeys are positions in Columns.
	PartitionKeys []int
	// Options are those of the table, in the connector's names.
	Options map[string]string
}
