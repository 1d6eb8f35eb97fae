package op

import (
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/kernel"
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
	// EachText has texts made for each row that could be taken from the row before.
	EachText bool
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
	if memo := expr.Memo(slices.Concat(c.Where, c.Exprs)...); len(memo) > 0 && !c.EachText {
		text += ", memo=[" + strings.Join(memo, ", ") + "]"
	}
	return text + ")"
}

// New implements Spec.
func (c *Calc) New() Operator { return &calc{spec: c} }

func (*Calc) passes() {}

type calc struct {
	spec   *Calc
	steps  []*step
	exprs  *expr.Evaluator
	gather gatherer // what the expressions read
	sel    []int32
	kinds  []vector.RowKind
	out    vector.Batch
}

// step is one round of conditions. Conditions over columns of fixed width come first, on all rows; the
// others see the rows that these keep, so that costly ones are spared what a cheap one drops.
type step struct {
	filter *expr.Filter
	gather gatherer
}

func (c *calc) Open(x *Context) (err error) {
	env := x.Env
	if c.spec.EachText {
		each := *env
		each.EachText = true
		env = &each
	}
	for _, conds := range rounds(c.spec.Where) {
		f, err := expr.NewFilter(conds, env)
		if err != nil {
			return err
		}
		c.steps = append(c.steps, &step{f, newGatherer(conds)})
	}
	c.gather = newGatherer(c.spec.Exprs)
	c.exprs, err = expr.New(c.spec.Exprs, env)
	return err
}

// rounds cuts the conditions into at most two rounds.
func rounds(conds []expr.Expr) [][]expr.Expr {
	flat, n := expr.Conjuncts(conds...), 0
	for n < len(flat) && cheap(flat[n]) {
		n++
	}
	var out [][]expr.Expr
	for _, part := range [][]expr.Expr{flat[:n], flat[n:]} {
		if len(part) > 0 {
			out = append(out, part)
		}
	}
	return out
}

// cheap tells a condition that reads columns of fixed width alone.
func cheap(e expr.Expr) bool {
	cheap := true
	expr.Walk(e, func(x expr.Expr) bool {
		if c, ok := x.(*expr.Column); ok {
			switch c.T.Physical() {
			case types.PhysView, types.PhysRow, types.PhysList:
				cheap = false
			}
		}
		return cheap
	})
	return cheap
}

func (c *calc) Process(_ int, b *vector.Batch, out Output) error {
	cols, n, kinds := b.Cols, b.Len, b.Kinds
	sel, all, err := c.keep(b)
	switch {
	case err != nil:
		return err
	case all:
	case len(sel) == 0:
		return nil
	default:
		cols, n = c.gather.take(b, sel), len(sel)
		if kinds != nil {
			c.kinds = takeKinds(c.kinds, b, sel)
			kinds = c.kinds
		}
	}
	res, err := c.exprs.Eval(cols, n)
	if err != nil {
		return err
	}
	c.out = vector.Batch{Len: n, Cols: res, Kinds: kinds}
	return out.Emit(&c.out)
}

// keep returns the rows that pass all rounds, or that every row does.
func (c *calc) keep(b *vector.Batch) (sel []int32, all bool, err error) {
	all = true
	for _, s := range c.steps {
		cols, n := b.Cols, b.Len
		if !all {
			cols, n = s.gather.take(b, sel), len(sel)
		}
		kept, every, err := s.filter.Select(cols, n)
		switch {
		case err != nil:
			return nil, false, err
		case every:
			continue
		case all:
			sel, all = kept, false
		default:
			c.sel = append(c.sel[:0], kept...)
			kernel.Take(c.sel, sel, kept)
			sel = c.sel
		}
		if len(sel) == 0 {
			break
		}
	}
	return sel, all, nil
}

// takeKinds writes the kinds of a selection over dst; none where every row is an insert.
func takeKinds(dst []vector.RowKind, b *vector.Batch, sel []int32) []vector.RowKind {
	dst = dst[:0]
	if b.Kinds == nil {
		return dst
	}
	for _, i := range sel {
		dst = append(dst, b.Kinds[i])
	}
	return dst
}

func (c *calc) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

func (c *calc) Close() error { return nil }
