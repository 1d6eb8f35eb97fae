package op

// Filled is an operator that may come to give no row any more, whatever comes.
type Filled interface {
	Operator
	// Filled tells that it has; it stays so over a restore.
	Filled() bool
}

// Filled implements Filled: the places of a LIMIT, in the order in which rows come, that never go.
func (o *rank) Filled() bool {
	s := o.spec
	if len(s.Partition)+len(s.Order) > 0 || s.Retracts || s.AtEnd || s.Windowed || s.TTL > 0 || o.parts.Len() == 0 {
		return false
	}
	return o.size.At(0) >= o.kept
}
