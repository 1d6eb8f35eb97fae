package expr

import (
	"fmt"

	"streamsql/exec/function"
	"streamsql/exec/vector"
)

// Error is a lane that failed: the job ends with it.
type Error struct {
	Expr string // the failing function call as text; empty where the statement has none
	Pos  int    // of the call in the statement, or -1
	Row  int    // of the batch
	Err  error
	// Values are those of the row, by name and cut short; empty where nothing is read from it.
	Values string
}

func (e *Error) Error() string {
	text := e.Err.Error()
	if e.Expr != "" {
		text += " in " + e.Expr
	}
	if e.Values != "" {
		text += ", in the row " + e.Values
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Evaluator computes a list of expressions over batches.
type Evaluator struct {
	exprs []Expr
	env   *function.Env
	roots []node
	out   []*vector.Column
	in    input
}

// input is what the nodes of one evaluator read: the columns of the current batch.
type input struct {
	cols     []*vector.Column
	n        int
	epoch    uint64
	composed []composition
}

// node is a compiled expression. eval returns a column of in.n rows whose lanes outside active (nil:
// all) are arbitrary; it is lent until the next batch.
type node interface {
	eval(active []uint64) (*vector.Column, error)
}

// New compiles exprs, which are shared and stay unchanged. Equal subexpressions are computed once.
func New(exprs []Expr, env *function.Env) (*Evaluator, error) {
	e := &Evaluator{exprs: exprs, env: env, out: make([]*vector.Column, len(exprs))}
	c := newCompiler(&e.in, env)
	for _, x := range exprs {
		c.count(x)
	}
	for _, x := range exprs {
		n, err := c.compile(x)
		if err != nil {
			return nil, err
		}
		e.roots = append(e.roots, n)
	}
	return e, nil
}

// Eval computes all expressions over n rows of cols. An error is an *Error.
func (e *Evaluator) Eval(cols []*vector.Column, n int) ([]*vector.Column, error) {
	e.in.cols, e.in.n = cols, n
	e.in.epoch++
	for i, r := range e.roots {
		c, err := r.eval(nil)
		if err != nil {
			return nil, e.inRow(err)
		}
		e.out[i] = c
	}
	return e.out, nil
}

// compiler turns trees into nodes that share common subtrees.
type compiler struct {
	in     *input
	env    *function.Env
	keys   keyring
	uses   map[int]int // by the keyring's number
	shared map[int]*sharedNode
	read   map[Expr][]Expr // the atoms of a subtree
	// plain leaves out the dictionary path: it compiles the trees that this path runs over entries.
	plain bool
}

func newCompiler(in *input, env *function.Env) *compiler {
	return &compiler{in: in, env: env, keys: newKeyring(), uses: map[int]int{}, shared: map[int]*sharedNode{}, read: map[Expr][]Expr{}}
}

// count finds the subtrees that occur more than once. A subtree of a repeated tree counts once.
func (c *compiler) count(e Expr) {
	if len(e.Args()) == 0 {
		return
	}
	k := c.keys.number(e)
	c.uses[k]++
	if c.uses[k] > 1 {
		return
	}
	for _, a := range e.Args() {
		c.count(a)
	}
}

func (c *compiler) compile(e Expr) (node, error) {
	if len(e.Args()) == 0 {
		return c.build(e)
	}
	k := c.keys.number(e)
	if _, field := e.(*Field); (c.uses[k] < 2 && !field) || !Pure(e) || CanFail(e) {
		return c.build(e)
	}
	if s := c.shared[k]; s != nil {
		return s, nil
	}
	n, err := c.build(e)
	if err != nil {
		return nil, err
	}
	s := &sharedNode{in: c.in, n: n}
	c.shared[k] = s
	return s, nil
}

func (c *compiler) build(e Expr) (node, error) {
	n, err := c.buildPlain(e)
	if err != nil || c.plain {
		return n, err
	}
	return c.overDictionary(e, n)
}

func (c *compiler) buildPlain(e Expr) (node, error) {
	switch x := e.(type) {
	case *Column:
		return &columnNode{in: c.in, index: x.Index}, nil
	case *Const:
		return &constNode{in: c.in, src: x.Value}, nil
	case *Field:
		row, err := c.compile(x.Row)
		if err != nil {
			return nil, err
		}
		return &fieldNode{in: c.in, row: row, index: x.Index, t: x.T}, nil
	case *Call:
		return c.call(x)
	case *Case:
		return c.cases(x)
	case *Logic:
		return c.logic(x)
	}
	panic(fmt.Sprintf("expr: no evaluation for %T", e))
}

// sharedNode computes a subtree once per batch, for all lanes: it never fails, so that lanes that
// nobody asked for do no harm.
type sharedNode struct {
	in    *input
	n     node
	epoch uint64
	out   *vector.Column
}

func (s *sharedNode) eval([]uint64) (*vector.Column, error) {
	if s.epoch == s.in.epoch && s.out != nil {
		return s.out, nil
	}
	out, err := s.n.eval(nil)
	if err != nil {
		return nil, err
	}
	s.epoch, s.out = s.in.epoch, out
	return out, nil
}

type columnNode struct {
	in    *input
	index int
}

func (c *columnNode) eval([]uint64) (*vector.Column, error) { return c.in.cols[c.index], nil }

type constNode struct {
	in  *input
	src *vector.Column
	out vector.Column
}

func (c *constNode) eval([]uint64) (*vector.Column, error) {
	c.out.Alias(c.src)
	c.out.Len = c.in.n
	return &c.out, nil
}
