package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Project computes the columns of its output; a bare column passes without a copy.
type Project struct {
	Exprs []expr.Expr
	Names []string
}

// String implements Spec.
func (s *Project) String() string { return "Project(" + texts(s.Exprs, s.Names) + ")" }

// New implements Spec.
func (s *Project) New() Operator { return &project{spec: s} }

type project struct {
	spec  *Project
	exprs *expr.Evaluator
	out   vector.Batch
}

func (p *project) Open(c *Context) (err error) {
	p.exprs, err = expr.New(p.spec.Exprs, c.Env)
	return err
}

func (p *project) Process(_ int, b *vector.Batch, out Output) error {
	cols, err := p.exprs.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	p.out = vector.Batch{Len: b.Len, Cols: cols, Kinds: b.Kinds}
	return out.Emit(&p.out)
}

func (p *project) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

func (p *project) Close() error { return nil }
