package expr

import (
	"streamsql/exec/function"
	"streamsql/exec/text"
	"streamsql/exec/types"
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
	return &Const{Value: v, T: e.Type(), Text: literal(e, v)}, nil
}

// literal is how a computed value prints: numbers and truths as such, others as the expression they were.
func literal(e Expr, v *vector.Column) string {
	k := e.Type().Kind
	if v.IsConstNull() {
		return "NULL"
	}
	if k.IsNumeric() || k == types.Boolean {
		return string(text.Append(nil, v, 0, nil))
	}
	return e.String()
}
