package logical

// Changelog is what kinds of changes a plan's result holds.
type Changelog uint8

const (
	// InsertOnly: rows are added and stay.
	InsertOnly Changelog = iota
	// Updating: rows change or go as input comes in.
	Updating
)

// String is the kind as errors name it.
func (c Changelog) String() string { return [...]string{"insert-only", "updating"}[c] }

// ChangelogOf is the kind that a plan is declared to have. As in Flink every GROUP BY without windows is
// updating, DISTINCT too, though its rows stay (see Retracts).
func ChangelogOf(p Plan) Changelog {
	if UpdatingNode(p) != nil {
		return Updating
	}
	return InsertOnly
}

// UpdatingNode is the topmost node that makes a plan updating, or nil.
func UpdatingNode(p Plan) Plan {
	switch x := p.(type) {
	case *Aggregate:
		if !x.AtEnd {
			return x
		}
	case *WindowAggregate:
		return nil
	}
	for _, in := range p.Inputs() {
		if n := UpdatingNode(in); n != nil {
			return n
		}
	}
	return nil
}

// Retracts tells that a plan's result may hold other changes than inserts.
func Retracts(p Plan) bool {
	switch x := p.(type) {
	case *Aggregate:
		return !x.AtEnd && (len(x.Calls) > 0 || Retracts(x.Input))
	case *WindowAggregate:
		return false
	}
	for _, in := range p.Inputs() {
		if Retracts(in) {
			return true
		}
	}
	return false
}
