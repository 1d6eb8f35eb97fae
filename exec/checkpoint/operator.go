package checkpoint

import "fmt"

// Operator is a node of the plan.
type Operator struct {
	Stage, Node int
	// ID names it at any parallelism, Text says what it is.
	ID, Text string
	// Keyed says that each subtask has a range of key groups. It is about the plan of now: what a checkpoint holds
	// of a single subtask says nothing of key groups, and is of all.
	Keyed bool
}

// Orphan says that a checkpoint holds something of an operator that the plan does not have.
type Orphan struct {
	File string
	// What it holds, and the operator's line in EXPLAIN.
	What, Text string
}

func (o *Orphan) Error() string {
	return fmt.Sprintf("%s holds %s of an operator that the plan does not have: %s", o.File, o.What, o.Text)
}

// position is where an operator stands.
type position struct{ stage, node int }

// relocate gives what a checkpoint holds the places that its operators have now. Marks and counts of operators that
// are gone go; for anything else there must be one. Without a list everything stays where it is.
func (m *Metadata) relocate(file string, now []Operator) error {
	if len(now) == 0 {
		return nil
	}
	places, was := map[string]*Operator{}, map[position]*Operator{}
	for i := range now {
		places[now[i].ID] = &now[i]
	}
	for i := range m.Operators {
		was[position{m.Operators[i].Stage, m.Operators[i].Node}] = &m.Operators[i]
	}
	move := func(p *Place, what string) (*Operator, error) {
		old := was[position{p.Stage, p.Node}]
		if old == nil {
			return nil, &Damage{file, metaHeader, fmt.Sprintf("it holds %s of stage %d, node %d, which it does not list", what, p.Stage, p.Node)}
		}
		o := places[old.ID]
		if o == nil {
			return nil, &Orphan{file, what, old.Text}
		}
		p.Stage, p.Node = o.Stage, o.Node
		return o, nil
	}
	for i := range m.Splits {
		if _, err := move(&m.Splits[i].Place, "a position"); err != nil {
			return err
		}
	}
	for i := range m.Committables {
		if _, err := move(&m.Committables[i].Place, "what was prepared"); err != nil {
			return err
		}
	}
	for i := range m.Blocks {
		k := &m.Blocks[i]
		o, err := move(&k.Place, "state")
		if err != nil {
			return err
		}
		if o.Keyed && k.Groups == nil {
			k.Groups = []Span{{0, m.MaxParallelism}}
		}
	}
	kept := m.Marks[:0]
	for _, k := range m.Marks {
		if _, err := move(&k.Place, "event time"); err == nil {
			kept = append(kept, k)
		}
	}
	counts := m.Counts[:0]
	for _, c := range m.Counts {
		if _, err := move(&c.Place, "a count"); err == nil {
			counts = append(counts, c)
		}
	}
	m.Marks, m.Counts, m.Operators = kept, counts, now
	return nil
}
