package op

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Expand gives every row once per projection: GROUPING SETS are one grouping over rows that were expanded.
type Expand struct {
	// Sets are the projections, over the input, of the same types.
	Sets  [][]expr.Expr
	Names []string
}

// String implements Spec.
func (s *Expand) String() string {
	sets := make([]string, len(s.Sets))
	for i, list := range s.Sets {
		parts := make([]string, len(list))
		for k, e := range list {
			parts[k] = e.String()
		}
		sets[i] = "{" + strings.Join(parts, ", ") + "}"
	}
	return "Expand(projects=[" + strings.Join(sets, ", ") + "])"
}

// New implements Spec.
func (s *Expand) New() Operator { return &expand{spec: s} }

type expand struct {
	spec *Expand
	sets []*expr.Evaluator
	out  vector.Batch
}

// Open implements Operator.
func (o *expand) Open(c *Context) error {
	env := c.Env
	if env == nil {
		env = &function.Env{}
	}
	for _, list := range o.spec.Sets {
		e, err := expr.New(list, env)
		if err != nil {
			return err
		}
		o.sets = append(o.sets, e)
	}
	return nil
}

// Process implements Operator.
func (o *expand) Process(_ int, b *vector.Batch, out Output) error {
	for _, e := range o.sets {
		cols, err := e.Eval(b.Cols, b.Len)
		if err != nil {
			return err
		}
		o.out.Len, o.out.Cols, o.out.Kinds = b.Len, cols, b.Kinds
		if err := out.Emit(&o.out); err != nil {
			return err
		}
	}
	return nil
}

// Advance implements Operator.
func (o *expand) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *expand) Close() error { return nil }
