package expr

import (
	"slices"

	"streamsql/exec/function"
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// callNode applies a kernel to its arguments' columns.
type callNode struct {
	in     *input
	e      *Call
	args   []node
	kernel function.Kernel
	out    vector.Column
	flat   []vector.Column // flattened dictionary arguments
	one    []vector.Column // constant arguments as single rows
	cols   []*vector.Column
	call   function.Call
}

// bound are the arguments as a declaration sees them.
func (x *Call) bound() []function.Arg {
	out := make([]function.Arg, len(x.List))
	for i, a := range x.List {
		out[i].Type = a.Type()
		if k, ok := a.(*Const); ok {
			out[i].Const = k.Value
		}
	}
	return out
}

// Memo are the calls in expressions whose text is not made anew for each row, each once.
func Memo(list ...Expr) []string {
	var out []string
	for _, e := range list {
		Walk(e, func(e Expr) bool {
			if x, ok := e.(*Call); ok && x.Fn.Memo != nil && x.Fn.Memo(x.bound()) && !slices.Contains(out, x.String()) {
				out = append(out, x.String())
			}
			return true
		})
	}
	return out
}

func (c *compiler) call(x *Call) (node, error) {
	n := &callNode{in: c.in, e: x, flat: make([]vector.Column, len(x.List)), one: make([]vector.Column, len(x.List)),
		cols: make([]*vector.Column, len(x.List))}
	b := function.Binding{Args: x.bound(), Result: x.T, Env: c.env}
	for _, a := range x.List {
		m, err := c.compile(a)
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, m)
	}
	k, err := x.Fn.Bind(b)
	if err != nil {
		return nil, failure(x, -1, err)
	}
	n.kernel = k
	return n, nil
}

// failure is the failure of a call for a row of the batch.
func failure(x *Call, row int, err error) *Error {
	e := &Error{Pos: x.Pos, Row: row, Err: err}
	if !x.Fn.Nameless {
		e.Expr = x.String()
	}
	return e
}

func (n *callNode) eval(active []uint64) (*vector.Column, error) {
	constant := !n.e.Fn.Volatile
	strictNull := false
	for i, a := range n.args {
		col, err := a.eval(active)
		if err != nil {
			return nil, err
		}
		if col.Enc == vector.Dict {
			vector.Flatten(&n.flat[i], col)
			col = &n.flat[i]
		}
		constant = constant && col.Enc == vector.Constant
		strictNull = strictNull || col.IsConstNull()
		n.cols[i] = col
	}
	if n.e.Fn.Nulls == function.Strict && strictNull {
		n.out.SetConstNull(n.e.T, n.in.n)
		return &n.out, nil
	}
	if constant {
		return n.evalConstant(active)
	}
	n.out.Reset(n.e.T, n.in.n)
	if n.e.Fn.Nulls == function.Strict {
		n.mergeNulls()
	}
	return &n.out, n.run(active)
}

func (n *callNode) run(active []uint64) error {
	n.call.Reset(&n.out, n.cols, active)
	n.kernel(&n.call)
	if row, err := n.call.Err(); err != nil {
		return failure(n.e, row, err)
	}
	if n.call.Same && n.out.Enc == vector.Flat && n.out.Valid == nil {
		n.out.Enc = vector.Constant
	}
	return nil
}

// evalConstant computes one row and repeats it. A failure counts when a lane is active at all.
func (n *callNode) evalConstant(active []uint64) (*vector.Column, error) {
	for i, col := range n.cols {
		n.one[i].Alias(col)
		n.one[i].Len = 1
		n.cols[i] = &n.one[i]
	}
	n.out.Reset(n.e.T, 1)
	n.call.Reset(&n.out, n.cols, nil)
	n.kernel(&n.call)
	if _, err := n.call.Err(); err != nil && (active == nil || kernel.Any(active)) {
		return nil, failure(n.e, max(kernel.First(active), 0), err)
	}
	n.out.Len = n.in.n
	if n.out.Enc == vector.Flat {
		n.out.Enc = vector.Constant
	}
	return &n.out, nil
}

// mergeNulls sets the result's validity to the AND of the arguments'.
func (n *callNode) mergeNulls() {
	var first []uint64
	merged := false
	for _, col := range n.cols {
		if col.Enc == vector.Constant || (col.Valid == nil && col.Type.Kind != types.Null) {
			continue
		}
		switch {
		case first == nil:
			first = col.Valid
		case !merged:
			kernel.And(n.out.AllocValid(), first, col.Valid)
			merged = true
		default:
			kernel.And(n.out.Valid, n.out.Valid, col.Valid)
		}
	}
	if first != nil && !merged {
		copy(n.out.AllocValid(), first)
	}
}
