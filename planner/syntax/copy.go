package syntax

// Copy is COPY (query) TO 'path' (..): an INSERT into files that no statement declares.
type Copy struct {
	Span
	Query       Query
	Path        string
	PathSpan    Span
	PartitionBy []Ident
	Options     []CopyOption
}

// CopyOption is an option of a COPY; one without a value has true.
type CopyOption struct {
	Span
	Key, Value string
	Given      bool // the value stands there
}

func (*Copy) statement() {}
