package op

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Calc keeps the rows on which every condition is TRUE and computes expressions over them: a filter and
// a projection in one step, so that a column that only the filter reads is never gathered.
type Calc struct {
	// Where are the conjuncts, in the order in which a row must pass them; none keeps all rows.
	Where []expr.Expr
	Exprs []expr.Expr
	Names []string
}

// String implements Spec.
func (c *Calc) String() string {
	parts := make([]string, len(c.Exprs))
	for i, e := range c.Exprs {
		parts[i] = e.String()
		if c.Names[i] != parts[i] {
			parts[i] += " AS " + c.Names[i]
		}
	}
	text := "Calc(select=[" + strings.Join(parts, ", ") + "]"
	if len(c.Where) > 0 {
		text += ", where=[" + expr.And(c.Where...).String() + "]"
	}
	return text + ")"
}

// New implements Spec.
func (c *Calc) New() Operator { return &calc{spec: c} }

type calc struct {
	spec   *Calc
	filter *expr.Filter
	exprs  *expr.Evaluator
	used   []int // input columns that the expressions read
	kept   []vector.Column
	cols   []*vector.Column
	kinds  []vector.RowKind
	out    vector.Batch
}

func (c *calc) Open(x *Context) (err error) {
	if len(c.spec.Where) > 0 {
		if c.filter, err = expr.NewFilter(c.spec.Where, x.Env); err != nil {
			return err
		}
	}
	c.used = expr.Columns(c.spec.Exprs...)
	c.kept = make([]vector.Column, len(c.used))
	c.exprs, err = expr.New(c.spec.Exprs, x.Env)
	return err
}

func (c *calc) Process(_ int, b *vector.Batch, out Output) error {
	cols, n, kinds := b.Cols, b.Len, b.Kinds
	if c.filter != nil {
		sel, all, err := c.filter.Select(b.Cols, b.Len)
		switch {
		case err != nil:
			return err
		case all:
		case len(sel) == 0:
			return nil
		default:
			cols, n, kinds = c.take(b, sel), len(sel), c.takeKinds(b, sel)
		}
	}
	res, err := c.exprs.Eval(cols, n)
	if err != nil {
		return err
	}
	c.out = vector.Batch{Len: n, Cols: res, Kinds: kinds}
	return out.Emit(&c.out)
}

// take gathers the columns that the expressions read.
func (c *calc) take(b *vector.Batch, sel []int32) []*vector.Column {
	if len(c.cols) != len(b.Cols) {
		c.cols = make([]*vector.Column, len(b.Cols))
	}
	for k, i := range c.used {
		vector.Take(&c.kept[k], b.Cols[i], sel)
		c.cols[i] = &c.kept[k]
	}
	return c.cols
}

func (c *calc) takeKinds(b *vector.Batch, sel []int32) []vector.RowKind {
	if b.Kinds == nil {
		return nil
	}
	c.kinds = c.kinds[:0]
	for _, i := range sel {
		c.kinds = append(c.kinds, b.Kinds[i])
	}
	return c.kinds
}

func (c *calc) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

func (c *calc) Close() error { return nil }
