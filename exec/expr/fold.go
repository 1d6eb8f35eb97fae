package expr

import (
	"streamsql/exec/function"
	"streamsql/exec/vector"
)

// Value computes an expression without columns; the result is a constant of length 1.
func Value(e Expr, env *function.Env) (*Const, error) {
	ev, err := New([]Expr{e}, env)
	if err != nil {
		return nil, err
	}
	out, err := ev.Eval(nil, 1)
	if err != nil {
		return nil, err
	}
	v := &vector.Column{}
	v.Alias(out[0])
	if v.Enc != vector.Constant {
		vector.Flatten(v, out[0])
		v.Enc = vector.Constant
	}
	v.Len = 1
	v.Type = e.Type()
	return &Const{Value: v, T: e.Type(), Text: e.String()}, nil
}
