package checkpoint

import (
	"fmt"
	"slices"
)

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
	places, was := map[string]*Operator{}, m.positions()
	for i := range now {
		places[now[i].ID] = &now[i]
	}
	move := func(p *Place, what string) (*Operator, error) {
		old := was[position{p.Stage, p.Node}]
		if old == nil {
			return nil, &Damage{File: file, Offset: metaHeader,
				Check: fmt.Sprintf("it holds %s of stage %d, node %d, which it does not list", what, p.Stage, p.Node)}
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

// positions finds the operators of a checkpoint by where they stood.
func (m *Metadata) positions() map[position]*Operator {
	was := map[position]*Operator{}
	for i := range m.Operators {
		was[position{m.Operators[i].Stage, m.Operators[i].Node}] = &m.Operators[i]
	}
	return was
}

// holding lists the operators of which a checkpoint holds state, a position or what was prepared.
func (m *Metadata) holding() []Operator {
	held := map[position]bool{}
	for _, s := range m.Splits {
		held[position{s.Stage, s.Node}] = true
	}
	for _, c := range m.Committables {
		held[position{c.Stage, c.Node}] = true
	}
	for _, k := range m.Blocks {
		held[position{k.Stage, k.Node}] = true
	}
	var out []Operator
	for _, o := range m.Operators {
		if held[position{o.Stage, o.Node}] {
			out = append(out, o)
		}
	}
	return out
}

// differences lists the operators that hold something and are gone, and those that are new, by their texts.
func (m *Metadata) differences(now []Operator) (gone, added []string) {
	texts := func(list []Operator) (out []string) {
		for _, o := range list {
			out = append(out, o.Text)
		}
		return out
	}
	is, was, held := texts(now), texts(m.Operators), texts(m.holding())
	for _, text := range held {
		if !slices.Contains(is, text) {
			gone = append(gone, text)
		}
	}
	for _, text := range is {
		if !slices.Contains(was, text) {
			added = append(added, text)
		}
	}
	return gone, added
}

// claim gives the operators of another plan what a checkpoint holds of those that read the same, the first of them
// to the first and so on, and lists those whose part nobody takes.
func (m *Metadata) claim(file string, now []Operator) (dropped []string, err error) {
	type nth struct {
		text string
		n    int
	}
	count, ids := map[string]int{}, map[nth]string{}
	for _, o := range now {
		ids[nth{o.Text, count[o.Text]}] = o.ID
		count[o.Text]++
	}
	clear(count)
	gone := map[position]bool{}
	for i := range m.Operators {
		o := &m.Operators[i]
		id, ok := ids[nth{o.Text, count[o.Text]}]
		count[o.Text]++
		if o.ID = id; !ok {
			o.ID = fmt.Sprintf("gone %d", i)
			gone[position{o.Stage, o.Node}] = true
		}
	}
	for _, o := range m.holding() {
		if gone[position{o.Stage, o.Node}] {
			dropped = append(dropped, o.Text)
		}
	}
	of := func(p Place) bool { return gone[position{p.Stage, p.Node}] }
	m.Splits = slices.DeleteFunc(m.Splits, func(s Split) bool { return of(s.Place) })
	m.Blocks = slices.DeleteFunc(m.Blocks, func(k Block) bool { return of(k.Place) })
	m.Committables = slices.DeleteFunc(m.Committables, func(c Committable) bool { return of(c.Place) })
	m.Finished = false
	return dropped, m.relocate(file, now)
}
