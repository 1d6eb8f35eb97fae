package physical

import (
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// spreads tells that a plan is a table's rows, with their watermark if it is made here, that may have to be spread.
// In a stage that nothing follows they are not: a way over an edge costs a row more than all that is done with it
// there, and subtasks that each make all rows have less to do.
func (b *builder) spreads(p logical.Plan) bool {
	switch p.(type) {
	case *logical.Scan, *logical.Watermark:
	default:
		return false
	}
	if !b.feeds || b.alone() {
		return false
	}
	for !b.shared.several(p) {
		switch x := p.(type) {
		case *logical.Scan:
			return true
		case *logical.Watermark, *logical.Project, *logical.Filter:
			p = x.Inputs()[0]
		default:
			return false
		}
	}
	return false
}

// spread builds a source and the calculation above it, nil for none; out is what comes of that. Where the source is
// to be read by few subtasks it becomes a stage of its own.
func (b *builder) spread(p logical.Plan, c *op.Calc, out logical.Schema) (int, error) {
	up := b.in(b.p.stage(""))
	in, rest, err := up.input(p)
	if err != nil {
		return 0, err
	}
	table := up.stage.Nodes[0].Source
	narrow, ok := table.Source.(connector.Narrow)
	apart := ok && narrow.Widest() > 0 && narrow.Widest() < b.p.Parallelism
	if c == nil && (apart || len(rest) > 0) {
		c = &op.Calc{}
		c.Exprs, c.Names = whole(p.Schema())
	}
	if !apart {
		in = b.take(up.stage.Nodes, in)
		if c == nil {
			return in, nil
		}
		c.Where = slices.Concat(rest, c.Where)
		return b.add(graph.Node{Op: c, Inputs: []int{in}}), nil
	}
	c.Where = slices.Concat(rest, c.Where)
	d := divide(c, out)
	up.stage.Name, up.stage.Parallelism = "read "+table.Table, narrow.Widest()
	e := graph.Edge{From: len(b.graph.Stages), FromNode: up.add(graph.Node{Op: d.low, Inputs: []int{in}}), To: len(b.stage.Nodes),
		Partitioning: graph.Rebalance, Names: d.low.Names, Rowtimes: d.rowtimes}
	for _, x := range d.low.Exprs {
		e.Types = append(e.Types, x.Type())
	}
	b.graph.Stages = append(b.graph.Stages, up.stage)
	b.stage.In, b.divided = append(b.stage.In, e), c
	return b.add(graph.Node{Op: d.high, Inputs: []int{graph.FromEdge}}), nil
}

// take adds nodes that were built for another stage, and returns where node n of them went.
func (b *builder) take(nodes []graph.Node, n int) int {
	first := len(b.stage.Nodes)
	for _, x := range nodes {
		x.Inputs = slices.Clone(x.Inputs)
		for i := range x.Inputs {
			x.Inputs[i] += first
		}
		b.stage.Nodes = append(b.stage.Nodes, x)
	}
	return first + n
}

// folded moves a stage that does next to nothing with rows that were spread for it into the source's: they go on
// to where they belong without a stop. It returns the edge from there.
func (b *builder) folded(up *builder, node int) (graph.Edge, bool) {
	s := up.stage
	if up.divided == nil || len(s.In) != 1 || slices.ContainsFunc(s.Nodes, busy) || b.shared.reads(s) {
		return graph.Edge{}, false
	}
	from := s.In[0].FromNode
	source := b.graph.Stages[s.In[0].From]
	// The calculation that was divided is one again, where its lower half was.
	first := len(source.Nodes) - 1
	source.Nodes[from].Op, source.Nodes[from].Changes = up.divided, s.Nodes[0].Changes
	at := func(n int) int {
		if n == 0 {
			return from
		}
		return first + n
	}
	for _, n := range s.Nodes[1:] {
		n.Inputs = []int{at(n.Inputs[0])}
		source.Nodes = append(source.Nodes, n)
	}
	return graph.Edge{From: s.In[0].From, FromNode: at(node)}, true
}

// busy tells a node that does more with a row than its way over an edge costs.
func busy(n graph.Node) bool {
	switch x := n.Op.(type) {
	case *op.Calc:
		return slices.ContainsFunc(slices.Concat(x.Where, x.Exprs), costly)
	case *op.LocalAggregate:
		return len(x.Keys) > 0
	case *op.LocalWindowAggregate:
		return slices.ContainsFunc(slices.Concat(x.Keys, logical.CallExprs(x.Aggs)), costly)
	}
	return true
}

// division is a calculation cut in two: low gives what crosses an edge, high reads it.
type division struct {
	low, high *op.Calc
	// rowtimes are the columns between them that the event time of a row is in.
	rowtimes []int
	at       map[string]int
}

// divide cuts a calculation. Low does the filters that cost less than a row's way over the edge, and the event
// times; what else high needs it reads, column by column and field by field.
func divide(c *op.Calc, out logical.Schema) *division {
	d := &division{low: &op.Calc{}, high: &op.Calc{Names: c.Names}, at: map[string]int{}}
	where := expr.Conjuncts(c.Where...)
	for len(where) > 0 && !costly(where[0]) && !expr.CanFail(where[0]) {
		d.low.Where, where = append(d.low.Where, where[0]), where[1:]
	}
	for _, x := range where {
		d.high.Where = append(d.high.Where, d.above(x))
	}
	for i, x := range c.Exprs {
		if out[i].Time != logical.Rowtime {
			d.high.Exprs = append(d.high.Exprs, d.above(x))
			continue
		}
		col := d.carry(x, c.Names[i])
		d.high.Exprs = append(d.high.Exprs, col)
		if !slices.Contains(d.rowtimes, col.Index) {
			d.rowtimes = append(d.rowtimes, col.Index)
		}
	}
	if len(d.low.Exprs) == 0 { // rows alone count
		d.carry(expr.Bool(true), "row")
	}
	return d
}

// carry is a column between the two that x is in.
func (d *division) carry(x expr.Expr, name string) *expr.Column {
	k := expr.Key(x)
	i, ok := d.at[k]
	if !ok {
		i = len(d.low.Exprs)
		d.at[k] = i
		d.low.Exprs, d.low.Names = append(d.low.Exprs, x), append(d.low.Names, name)
	}
	return &expr.Column{Index: i, Name: d.low.Names[i], T: x.Type()}
}

// above is x over what crosses the edge.
func (d *division) above(x expr.Expr) expr.Expr {
	if path(x) {
		return d.carry(x, x.String())
	}
	args := slices.Clone(x.Args())
	if len(args) == 0 {
		return x
	}
	for i, a := range args {
		args[i] = d.above(a)
	}
	return x.With(args)
}

// path tells a column, or a field of one.
func path(x expr.Expr) bool {
	for {
		switch y := x.(type) {
		case *expr.Column:
			return true
		case *expr.Field:
			x = y.Row
		default:
			return false
		}
	}
}

// costly tells an expression that may cost more than a row's way over an edge: it calls something over texts or
// collections.
func costly(e expr.Expr) bool {
	found := false
	expr.Walk(e, func(x expr.Expr) bool {
		call, ok := x.(*expr.Call)
		for i := 0; ok && i < len(call.List) && !found; i++ {
			k := call.List[i].Type().Kind
			found = k.IsText() || k.IsBinary() || k.IsComposite()
		}
		return !found
	})
	return found
}
