package physical

import (
	"fmt"
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// lookup makes the operator that looks rows up in a table, which every subtask does on its own.
func (b *builder) lookup(x *logical.LookupJoin) (int, error) {
	in, err := b.build(x.Left)
	if err != nil {
		return 0, err
	}
	keys := x.LookupKeys()
	if len(keys.Left) == 0 { // a column equals a constant: each row finds all rows that the table has then
		keys.Left, keys.Right = []expr.Expr{expr.Bool(true)}, []expr.Expr{expr.Bool(true)}
	}
	t := &op.LookupTable{Keys: keys.Right, KeyTypes: op.KeyTypes(keys.Left, keys.Right), Types: x.Right.Schema().Types(),
		Padded: x.Kind == op.LeftJoin}
	if t.Steps, err = b.lookedUp(t, x.Right); err != nil {
		return 0, err
	}
	if !t.Source.Bounded() {
		return 0, syntax.NotSupported(syntax.Span{Pos: x.Pos, End: x.End}, "processing-time joins with a table whose input does not end",
			"a table that can be looked up is read whole at the start: one whose input ends")
	}
	return b.add(graph.Node{Op: &op.LookupJoin{Kind: x.Kind, Keys: keys.Left, Table: t, Residual: keys.Residual,
		Width: len(x.Left.Schema()), Names: x.Columns.Names()}, Inputs: []int{in}}), nil
}

// lookedUp opens the table of a plan, and returns what is done with its rows.
func (b *builder) lookedUp(t *op.LookupTable, p logical.Plan) ([]*op.Calc, error) {
	c := &op.Calc{}
	c.Exprs, c.Names = whole(p.Schema())
	switch x := p.(type) {
	case *logical.Values:
		t.Name, t.Source = "values", &op.Values{Types: x.Columns.Types(), Rows: x.Rows}
		return nil, nil
	case *logical.Scan:
		source, _, err := b.p.Tables.source(x)
		if err != nil {
			return nil, err
		}
		t.Name, t.Source = x.Table.Name.Object, source
		if _, c.Where = b.p.push(x, source); len(c.Where) == 0 {
			return nil, nil
		}
		return []*op.Calc{c}, nil
	case *logical.Filter:
		steps, err := b.lookedUp(t, x.Input)
		c.Where = append(c.Where, x.Cond)
		return append(steps, c), err
	case *logical.Project:
		in := x.Input
		if f, ok := in.(*logical.Filter); ok {
			in, c.Where = f.Input, append(c.Where, f.Cond)
		}
		steps, err := b.lookedUp(t, in)
		c.Exprs, c.Names = x.Exprs, x.Columns.Names()
		return slices.Concat(steps, []*op.Calc{c}), err
	}
	panic(fmt.Sprintf("physical: %T to look up in", p))
}
