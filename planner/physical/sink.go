package physical

import (
	"fmt"
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/option"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
)

// target is a sink with its table opened.
type target struct {
	*logical.Sink
	// sink is nil for the result of a query.
	sink connector.Sink
	need logical.Need
	key  logical.Key // by which a query's owner takes rows, or nil
}

// targets opens the tables of sinks and checks that they take what comes.
func (p *Planner) targets(sinks []logical.Plan) ([]*target, error) {
	out := make([]*target, len(sinks))
	for i, s := range sinks {
		sink, ok := s.(*logical.Sink)
		if !ok {
			panic(fmt.Sprintf("physical: a job ends in a sink, not in %T", s))
		}
		t := &target{Sink: sink, need: logical.Everything}
		if out[i] = t; sink.Table == nil {
			if t.key = p.resultKey(t); t.key != nil {
				t.need.Before = false
			}
			continue
		}
		var err error
		if t.sink, err = p.Tables.Sink(sink); err != nil {
			return nil, err
		}
		if n := logical.UpdatingNode(sink.Input); n != nil && !t.sink.Changelog() {
			return nil, &ChangelogError{sink.Table.Name.Object, n.String()}
		}
		if p.materializes(t) {
			if err := t.comparable(); err != nil {
				return nil, err
			}
			t.Sink = sink.With([]logical.Plan{&logical.Materialize{Input: sink.Input, Key: t.primaryKey()}}).(*logical.Sink)
		}
		t.need = p.need(t)
	}
	return out, nil
}

// materializes tells that rows of the query may meet in the sink's primary key: it has no upsert key within that.
func (p *Planner) materializes(t *target) bool {
	key := t.primaryKey()
	if len(key) == 0 || p.Materialize == "NONE" || !t.sink.Changelog() {
		return false
	}
	changes := logical.ChangesOf(t.Input)
	return p.Materialize == "FORCE" || changes.Kinds.Updating() && !changes.HasKey(key)
}

// comparable checks that rows can be found by the primary key.
func (t *target) comparable() error {
	for _, k := range t.primaryKey() {
		if c := t.Columns[k]; !vector.KeyType(c.Type) {
			return fmt.Errorf("table '%s': %w", t.Table.Name.Object, &option.Error{
				Msg:  fmt.Sprintf("rows cannot be found by a primary key of type %s, such as '%s'", c.Type.WithNull(true), c.Name),
				Hint: fmt.Sprintf("leave '%s' out of PRIMARY KEY", c.Name)})
		}
	}
	return nil
}

// materialize makes the operator, where the rows of a key meet.
func (b *builder) materialize(x *logical.Materialize) (int, error) {
	s := x.Schema()
	spec := &op.SinkMaterializer{Key: x.Key, Names: s.Names(), Types: s.Types(), UpdateBefore: b.changes.Need(x).Before, TTL: b.p.TTL}
	in, _, err := b.byKeys("before a sink", x.Input, columnsAt(s, x.Key))
	if err != nil {
		return 0, err
	}
	return in(spec), nil
}

// need is what a sink needs of changes: without a -U it must know rows by the key that the query has, and no row
// may be dropped before it. Behind a materializer it has one row per key.
func (p *Planner) need(t *target) logical.Need {
	u, ok := t.sink.(connector.Upserting)
	_, one := t.Input.(*logical.Materialize)
	if p.UpdateBefore || p.DropNull && len(t.Required) > 0 || !one && (!ok || u.UpdateBefore()) {
		return logical.Everything
	}
	key := t.primaryKey()
	keys := logical.ChangesOf(t.Input).Keys
	exactly := slices.ContainsFunc(keys, func(k logical.Key) bool { return slices.Equal(k, key) })
	return logical.Need{Before: len(key) > 0 && !exactly, Whole: true}
}

// resultKey is the least upsert key of a query that rows can be found by, where its owner takes rows by it.
func (p *Planner) resultKey(t *target) (key logical.Key) {
	if !p.ByKey || p.UpdateBefore {
		return nil
	}
	for _, k := range logical.ChangesOf(t.Input).Keys {
		found := !slices.ContainsFunc(k, func(c int) bool { return !vector.KeyType(t.Columns[c].Type) })
		if found && (key == nil || len(k) < len(key)) {
			key = append(logical.Key{}, k...)
		}
	}
	return key
}

// primaryKey are the key's columns, none where the table has no key.
func (t *target) primaryKey() logical.Key {
	return logical.NewKey(positions(columnsOf(t.Columns), t.Table.PrimaryKey)...)
}

// changelog plans the changes of the job.
func changelogOf(targets []*target) *logical.Changelog {
	plans, needs := make([]logical.Plan, len(targets)), make([]logical.Need, len(targets))
	for i, t := range targets {
		plans[i], needs[i] = t.Input, t.need
	}
	return logical.NewChangelog(plans, needs)
}

// sink builds a stage from its end.
func (b *builder) sink(t *target) error {
	defer b.enter(t.Sink)()
	node := &graph.Sink{Columns: columnsOf(t.Columns), Query: t.Table == nil, Sink: t.sink, Updating: !b.changes.Of(t.Input).Stays,
		Key: t.key, Enough: b.enough(t.Input)}
	name := "result"
	if t.Table != nil {
		node.Table = t.Table.Name.Object
		name = "insert into " + node.Table
	}
	in, err := b.build(t.Input)
	if err != nil {
		return err
	}
	in, leave := b.apart(t, in)
	defer leave()
	b.called(name)
	if len(t.Required) > 0 {
		e := &op.ConstraintEnforcer{Columns: t.Required, At: t.RequiredAt, Drop: b.p.DropNull}
		for _, i := range t.Required {
			e.Names = append(e.Names, t.Columns[i].Name)
		}
		in = b.add(graph.Node{Op: e, Inputs: []int{in}})
	}
	b.add(graph.Node{Sink: node, Inputs: []int{in}})
	return nil
}

// enough is the number of rows behind which a plan gives none any more: that of a LIMIT over rows that stay, in no order.
func (b *builder) enough(p logical.Plan) int64 {
	switch x := p.(type) {
	case *logical.Project:
		return b.enough(x.Input)
	case *logical.Rank:
		if b.limits(x) && x.To != logical.Unlimited {
			return max(x.To-x.From+1, 0)
		}
	}
	return 0
}

// called adds to the name of the stage.
func (b *builder) called(name string) {
	if b.stage.Name != "" {
		name = b.stage.Name + ", " + name
	}
	b.stage.Name = name
}

// ChangelogError says that a sink of inserts is given changes.
type ChangelogError struct {
	Table string
	// Node is what makes the changes.
	Node string
}

// Error implements error.
func (e *ChangelogError) Error() string {
	return fmt.Sprintf("table '%s' takes inserts only, and the query updates its rows: %s", e.Table, e.Node)
}
