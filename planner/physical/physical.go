// Package physical turns logical plans into graphs: it opens tables, offers them what the plan wants,
// chooses operators and cuts stages.
//
// It does not know SQL text, names or how a graph is run.
//
// Invariants:
//
//	P1 a stage is one chain of calls, and ends in a sink of its own or in those that share something. Rows of one key
//	   meet in one subtask: with parallelism above 1 keyed state begins a stage, behind an exchange by its keys, unless
//	   its rows are divided by some of them already (distribution.go).
//	P2 what a source did not take of a request is done by operators above it.
//	P3 in front of a keyed exchange a source that few subtasks are to read (connector.Narrow) is a stage of its own,
//	   with its watermark. A rebalancing edge spreads its rows, unless there is next to nothing to do before the
//	   exchange.
package physical

import (
	"fmt"
	"slices"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// Planner makes graphs.
type Planner struct {
	Tables *Tables
	// Parallelism of every stage.
	Parallelism int
	// MaxParallelism is the number of key groups, 0 for the default; Exchange is how stages are joined.
	MaxParallelism int
	Exchange       graph.Exchange
	// Materialize is NONE, AUTO or FORCE: whether a sink with a primary key gets the last row of each key.
	Materialize string
	// Share builds nodes once that have several readers.
	Share bool
	// PushDown offers projections, filters and watermarks to sources.
	PushDown bool
	// DropNull makes sinks drop rows with a NULL in a NOT NULL column instead of failing.
	DropNull bool
	// UpdateBefore gives sinks -U that do not ask for them; ByKey takes them from queries whose result has an upsert key.
	UpdateBefore, ByKey bool
	// Drain closes windows over processing time at the end of input.
	Drain bool
	// DistinctBuckets is how many parts the values of a DISTINCT are divided into, so that a group is work for many
	// subtasks; 0 leaves each group to one.
	DistinctBuckets int
	// TTL is how long keys live without rows, 0 for ever.
	TTL time.Duration
	// MiniBatch is what operators fold their changes by.
	MiniBatch op.MiniBatch
	// Off are the Optimizations that are switched off.
	Off map[string]bool
	// Zone cuts windows over TIMESTAMP_LTZ.
	Zone *time.Location
}

// Plan makes one job of sinks.
func (p *Planner) Plan(sinks []logical.Plan) (*graph.Graph, error) {
	targets, err := p.targets(sinks)
	if err != nil {
		return nil, err
	}
	sinks = make([]logical.Plan, len(targets))
	for i, t := range targets {
		sinks[i] = t.Sink
	}
	g, ids := &graph.Graph{Exchange: p.Exchange, Plan: p.meaning(sinks)}, newIdentity(sinks)
	first := &builder{p: p, graph: g, changes: changelogOf(targets), ids: ids, shared: p.sharedNodes(sinks)}
	for _, chain := range first.chains(targets) {
		b := first.in(p.stage(""))
		for _, t := range chain {
			if err := b.sink(t); err != nil {
				return nil, err
			}
		}
		b.finish()
	}
	narrowed(g)
	straighten(g)
	eachWatermark(g)
	showChanges(g)
	g.Plan += sources(g)
	return g, nil
}

// builder fills one stage.
type builder struct {
	p     *Planner
	graph *graph.Graph // of the stages that are done
	stage *graph.Stage
	// changes are those of every node of the job.
	changes *logical.Changelog
	// ids names the nodes; at is the number of the idea that they are added for.
	ids *identity
	at  int
	// shared are the nodes with several readers; forks counts the nodes being built that have several inputs.
	shared *shared
	forks  int
	// feeds says that the stage ends in an exchange by keys; divided is the calculation whose halves stand at the ends of a
	// rebalancing edge into it.
	feeds   bool
	divided *op.Calc
}

// in is a builder of another stage.
func (b *builder) in(s *graph.Stage) *builder {
	up := *b
	up.stage, up.forks, up.feeds, up.divided = s, 0, false, nil
	return &up
}

// enter says that nodes are added for p from now on, until leave is called.
func (b *builder) enter(p logical.Plan) (leave func()) {
	was := b.at
	if n, ok := b.ids.number[p]; ok {
		b.at = n
	}
	return func() { b.at = was }
}

func (b *builder) add(n graph.Node) int {
	if c, ok := n.Op.(*op.Calc); ok {
		c.EachText = b.p.Off[memoisedText]
	}
	n.ID = b.ids.name(b.at, &n)
	b.stage.Nodes = append(b.stage.Nodes, n)
	return len(b.stage.Nodes) - 1
}

func columnsOf(s logical.Schema) []connector.Column {
	out := make([]connector.Column, len(s))
	for i, c := range s {
		out[i] = connector.Column{Name: c.Name, Type: c.Type}
	}
	return out
}

// build adds the nodes of a plan and returns the position of its last one.
func (b *builder) build(p logical.Plan) (int, error) {
	defer b.enter(p)()
	make := func(b *builder) (int, error) {
		if len(p.Inputs()) > 1 {
			b.forks++
			defer func() { b.forks-- }()
		}
		n, err := b.operators(p)
		if err == nil {
			b.stage.Nodes[n].Changes = b.changes.Of(p).Kinds.String()
		}
		return n, err
	}
	if _, scan := p.(*logical.Scan); scan {
		return make(b) // its source is what is shared
	}
	return b.once(part{plan: p}, make)
}

// operators picks those that do what a node means.
func (b *builder) operators(p logical.Plan) (int, error) {
	switch x := p.(type) {
	case *logical.Project, *logical.Filter:
		return b.calc(p)
	case *logical.Scan:
		return b.scan(x)
	case *logical.Watermark:
		if b.spreads(x) {
			return b.spread(x, nil, x.Schema())
		}
		return b.behind(&op.Watermark{Column: x.Column, Name: x.Input.Schema()[x.Column].Name, Expr: x.Expr}, x.Input)
	case *logical.Values:
		return b.values(x)
	case *logical.Materialize:
		return b.materialize(x)
	case *logical.Aggregate:
		return b.aggregate(x)
	case *logical.WindowAggregate:
		return b.windowAggregate(x)
	case *logical.Over:
		return b.overAggregate(x)
	case *logical.Match:
		return b.match(x)
	case *logical.Rank:
		return b.rank(x)
	case *logical.Deduplicate:
		return b.deduplicate(x)
	case *logical.TemporalSort:
		return b.temporalSort(x)
	case *logical.Window:
		return b.window(x)
	case *logical.Expand:
		return b.behind(&op.Expand{Sets: x.Sets, Names: x.Columns.Names()}, x.Input)
	case *logical.Join:
		return b.join(x)
	case *logical.MultiJoin:
		return b.multiJoin(x)
	case *logical.MaximumFilter:
		return b.behind(x.Spec(), x.Input)
	case *logical.Unnest:
		return b.behind(&op.Unnest{Expr: x.Expr, Ordinality: x.Ordinality, Outer: x.Outer, Width: len(x.Input.Schema()),
			Types: x.Columns.Types(), Names: x.Columns.Names()}, x.Input)
	case *logical.LookupJoin:
		return b.lookup(x)
	case *logical.TemporalJoin:
		return b.temporal(x)
	case *logical.Union:
		return b.behind(op.Union{}, x.List...)
	}
	panic(fmt.Sprintf("physical: no operator for %T", p))
}

// behind adds an operator behind its inputs, in the same stage.
func (b *builder) behind(spec op.Spec, inputs ...logical.Plan) (int, error) {
	n := graph.Node{Op: spec}
	for _, in := range inputs {
		i, err := b.build(in)
		if err != nil {
			return 0, err
		}
		n.Inputs = append(n.Inputs, i)
	}
	return b.add(n), nil
}

// calc makes one operator of a projection and the filters below it.
func (b *builder) calc(p logical.Plan) (int, error) {
	c, out := &op.Calc{}, p.Schema()
	_, first := p.(*logical.Filter)
	if x, ok := p.(*logical.Project); ok {
		c.Exprs, c.Names, p = x.Exprs, x.Columns.Names(), x.Input
	} else {
		c.Exprs, c.Names = whole(p.Schema())
	}
	for ; ; first = false {
		f, ok := p.(*logical.Filter)
		if !ok || !first && b.shared.several(p) {
			break
		}
		c.Where = append([]expr.Expr{f.Cond}, c.Where...)
		p = f.Input
	}
	if b.spreads(p) {
		return b.spread(p, c, out)
	}
	in, rest, err := b.input(p)
	if err != nil {
		return 0, err
	}
	c.Where = slices.Concat(rest, c.Where)
	return b.add(graph.Node{Op: c, Inputs: []int{in}}), nil
}

// input builds what a calculation reads; of a scan it returns the filters that are left to do.
func (b *builder) input(p logical.Plan) (n int, rest []expr.Expr, err error) {
	if x, ok := p.(*logical.Scan); ok {
		return b.open(x)
	}
	n, err = b.build(p)
	return n, nil, err
}

// whole are the expressions that pass all columns on, and their names.
func whole(s logical.Schema) ([]expr.Expr, []string) { return s.Exprs(), s.Names() }

// scan reads a table; what its source does not filter is filtered behind it.
func (b *builder) scan(s *logical.Scan) (int, error) {
	if b.spreads(s) {
		return b.spread(s, nil, s.Schema())
	}
	n, rest, err := b.open(s)
	if err != nil || len(rest) == 0 {
		return n, err
	}
	exprs, names := whole(s.Schema())
	return b.add(graph.Node{Op: &op.Calc{Where: rest, Exprs: exprs, Names: names}, Inputs: []int{n}}), nil
}

// open opens a scan's table and offers it the request. It returns the filters that the source does not apply.
func (b *builder) open(s *logical.Scan) (n int, rest []expr.Expr, err error) {
	n, err = b.once(part{plan: s, source: true}, func(b *builder) (n int, err error) {
		n, b.shared.rest[s], err = b.source(s)
		return n, err
	})
	return n, b.shared.rest[s], err
}

// source makes the source of a scan.
func (b *builder) source(s *logical.Scan) (n int, rest []expr.Expr, err error) {
	defer b.enter(s)()
	source, options, err := b.p.Tables.source(s)
	if err != nil {
		return 0, nil, err
	}
	shown, rest := b.p.push(s, source)
	n = b.add(graph.Node{Source: &graph.Source{Table: s.Table.Name.Object, Columns: b.p.Tables.columns(s), Source: source,
		Options: options, Watermark: s.Rowtime != nil, Text: shown.Pushed()}, Changes: logical.ChangesOf(s).Kinds.String()})
	return n, rest, nil
}

// push offers a source what a scan asks of it: shown is the scan with the filters that it took, rest are the others.
func (p *Planner) push(s *logical.Scan, source connector.Source) (shown logical.Scan, rest []expr.Expr) {
	shown = *s
	rest, shown.Filters = s.Filters, nil
	if p.PushDown {
		a := source.Push(connector.Request{Need: s.Need, Filters: s.Filters, Limit: -1, Rowtime: s.Rowtime, Delay: s.Delay})
		if s.Rowtime != nil && !a.Watermark {
			panic("physical: " + s.Table.Name.String() + " took the watermark and gave it back")
		}
		rest = nil
		for i, f := range s.Filters {
			if i < len(a.Filters) && a.Filters[i] {
				shown.Filters = append(shown.Filters, f)
			} else {
				rest = append(rest, f)
			}
		}
	}
	return shown, rest
}

// values reads rows that stand in the query.
func (b *builder) values(v *logical.Values) (int, error) {
	source := &op.Values{Types: v.Columns.Types(), Rows: v.Rows}
	return b.add(graph.Node{Source: &graph.Source{Table: "values", Columns: columnsOf(v.Columns), Source: source}}), nil
}
