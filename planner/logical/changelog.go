package logical

import (
	"slices"
	"strings"

	"streamsql/exec/connector"
)

// Kinds is a set of kinds of changes.
type Kinds uint8

// The kinds, and sets of them.
const (
	Inserts Kinds = 1 << iota // +I
	Befores                   // -U
	Afters                    // +U
	Deletes                   // -D

	Updates    = Befores | Afters
	AllChanges = Inserts | Updates | Deletes
)

// Updating tells that rows may change or go.
func (k Kinds) Updating() bool { return k&^Inserts != 0 }

// String is the set as EXPLAIN CHANGELOG_MODE shows it: [I,UB,UA,D].
func (k Kinds) String() string {
	var parts []string
	for i, name := range [...]string{"I", "UB", "UA", "D"} {
		if k>>i&1 != 0 {
			parts = append(parts, name)
		}
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// Text is the set as a changelog shows its kinds: +I, -U, +U, -D.
func (k Kinds) Text() string {
	var parts []string
	for i, name := range [...]string{"+I", "-U", "+U", "-D"} {
		if k>>i&1 != 0 {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, ", ")
}

// Changes is what may come of a plan.
type Changes struct {
	// Kinds are those that the plan is declared to have, as Flink declares them.
	Kinds Kinds
	// Stays says that for all that nothing but inserts comes, as of a DISTINCT over rows that stay.
	Stays bool
	// Keys are the upsert keys: no two rows at a time are equal in the columns of one, and the changes of such a
	// row come in order. An empty key says that there is one row at most.
	Keys []Key
	// Unique are paths of which no two rows, all that ever come, have the same value but for NULL.
	Unique []connector.Path
}

// Need is what the reader of a plan needs beside +I, +U and the keys of -D. Where a -U comes that the reader does
// not need, it says the same as a -D: the +U behind it, if one comes, puts the row back.
type Need struct {
	// Before says that every +U must come behind its -U.
	Before bool
	// Whole says that -D must have all columns; otherwise those of an upsert key do.
	Whole bool
}

// Everything is what a reader needs that takes rows as they are.
var Everything = Need{Before: true, Whole: true}

// And is the need of two readers.
func (n Need) And(o Need) Need { return Need{n.Before || o.Before, n.Whole || o.Whole} }

// Changer is a plan that knows what it makes of the changes of its inputs. Every node that is not one passes the
// kinds of its inputs on, loses their keys and needs everything.
type Changer interface {
	Plan
	// Changes says what comes out, given what the inputs give and the reader needs, and what the node needs of
	// each input. Needs may go by the keys and kinds of inputs, but not by whether -U is among those.
	Changes(in []Changes, reader Need) (out Changes, needs []Need)
}

// changesOf asks p, or answers for it.
func changesOf(p Plan, in []Changes, reader Need) (Changes, []Need) {
	if c, ok := p.(Changer); ok {
		return c.Changes(in, reader)
	}
	needs := make([]Need, len(in))
	for i := range needs {
		needs[i] = Everything
	}
	return joinChanges(in), needs
}

// joinChanges is what comes of several inputs together. Keys of one do not hold for all.
func joinChanges(in []Changes) Changes {
	out := Changes{Kinds: Inserts, Stays: true}
	for _, c := range in {
		out.Kinds |= c.Kinds
		out.Stays = out.Stays && c.Stays
	}
	return out
}

// updates are the kinds of a +U that this reader sees.
func updates(reader Need) Kinds {
	if reader.Before {
		return Updates
	}
	return Afters
}

// Changelog says of every node of a job's plans what changes come of it, and what its readers need.
type Changelog struct {
	order   []Plan // inputs before readers
	changes map[Plan]Changes
	needs   map[Plan]Need
}

// NewChangelog plans the changes of plans whose readers need needs. A node that stands in several places gives
// each of its readers all that one of them needs.
func NewChangelog(plans []Plan, needs []Need) *Changelog {
	c := &Changelog{order: Nodes(plans...), changes: map[Plan]Changes{}, needs: map[Plan]Need{}}
	for _, p := range c.order { // with all the changes that they can have
		c.changes[p], _ = changesOf(p, c.inputs(p), Everything)
	}
	for i, p := range plans {
		c.needs[p] = c.needs[p].And(needs[i])
	}
	for _, p := range slices.Backward(c.order) {
		_, needs := changesOf(p, c.inputs(p), c.needs[p])
		for i, in := range p.Inputs() {
			c.needs[in] = c.needs[in].And(needs[i])
		}
	}
	for _, p := range c.order {
		c.changes[p], _ = changesOf(p, c.inputs(p), c.needs[p])
	}
	return c
}

func (c *Changelog) inputs(p Plan) []Changes {
	var out []Changes
	for _, in := range p.Inputs() {
		out = append(out, c.changes[in])
	}
	return out
}

// Of is what comes of a node.
func (c *Changelog) Of(p Plan) Changes { return c.changes[p] }

// Need is what the readers of a node need.
func (c *Changelog) Need(p Plan) Need { return c.needs[p] }

// ChangesOf is what comes of a plan whose reader needs everything.
func ChangesOf(p Plan) Changes { return NewChangelog([]Plan{p}, []Need{Everything}).Of(p) }

// ChangelogOf are the kinds of changes that a plan is declared to have. As in Flink every GROUP BY without windows
// is updating, DISTINCT too, though its rows may stay (see Retracts).
func ChangelogOf(p Plan) Kinds { return ChangesOf(p).Kinds }

// Retracts tells that a plan's result may really hold other changes than inserts.
func Retracts(p Plan) bool { return !ChangesOf(p).Stays }

// UpdatingNode is the topmost node that makes a plan updating, or nil.
func UpdatingNode(p Plan) Plan {
	c := NewChangelog([]Plan{p}, []Need{Everything})
	for c.changes[p].Kinds.Updating() {
		in := c.inputs(p)
		for i := range in {
			in[i].Kinds, in[i].Stays = Inserts, true
		}
		if out, _ := changesOf(p, in, Everything); out.Kinds.Updating() {
			return p
		}
		for _, from := range p.Inputs() {
			if c.changes[from].Kinds.Updating() {
				p = from
				break
			}
		}
	}
	return nil
}
