package vector

// DefaultMaxRows is the number of rows a batch holds at most unless the session says otherwise.
const DefaultMaxRows = 1024

// RowKind is the change that a row stands for.
type RowKind uint8

// The changelog kinds, in Flink's order.
const (
	Insert RowKind = iota
	UpdateBefore
	UpdateAfter
	Delete
)

// String is Flink's short form.
func (k RowKind) String() string { return [...]string{"+I", "-U", "+U", "-D"}[k] }

// Adds tells whether a row of this kind is in the table after it.
func (k RowKind) Adds() bool { return k == Insert || k == UpdateAfter }

// Batch is Len rows. Kinds nil means that all rows are inserts.
type Batch struct {
	Len   int
	Cols  []*Column
	Kinds []RowKind
}

// Kind is the change of row i.
func (b *Batch) Kind(i int) RowKind {
	if b.Kinds == nil {
		return Insert
	}
	return b.Kinds[i]
}
