package rules

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
)

// foldConstants computes what reads no columns. An expression that fails is left as it is: it fails the
// job only if a row reaches it.
func foldConstants(c *Context, p logical.Plan) logical.Plan {
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		switch x := p.(type) {
		case *logical.Project:
			return &logical.Project{Input: x.Input, Exprs: c.foldAll(x.Exprs), Columns: x.Columns}
		case *logical.Filter:
			cond := c.fold(x.Cond)
			if v, known := truthOf(cond); known && v {
				return x.Input
			}
			return &logical.Filter{Input: x.Input, Cond: cond}
		case *logical.Values:
			rows := make([][]expr.Expr, len(x.Rows))
			for i, r := range x.Rows {
				rows[i] = c.foldAll(r)
			}
			return &logical.Values{Columns: x.Columns, Rows: rows}
		case *logical.Sink:
			out := *x
			out.Static = c.foldAll(x.Static)
			return &out
		case *logical.Watermark:
			return &logical.Watermark{Input: x.Input, Column: x.Column, Expr: c.fold(x.Expr)}
		case *logical.Aggregate:
			return x.Over(x.Input, c.foldAll(x.Keys), c.foldCalls(x.Calls), x.Columns)
		case *logical.WindowAggregate:
			out := *x
			out.Keys, out.Calls = c.foldAll(x.Keys), c.foldCalls(x.Calls)
			return &out
		case *logical.Unnest:
			out := *x
			out.Expr = c.fold(x.Expr)
			return &out
		case *logical.Over:
			return x.Map(c.fold)
		case *logical.Match:
			return x.Map(c.fold, c.fold)
		case *logical.Rank:
			out := *x
			out.Partition, out.Order = c.foldAll(x.Partition), op.MapSort(x.Order, c.fold)
			return &out
		}
		return p
	})
}

// foldCalls folds in aggregate calls. A filter that is TRUE goes.
func (c *Context) foldCalls(calls []op.AggregateCall) []op.AggregateCall {
	out := logical.MapCalls(calls, c.fold)
	for i := range out {
		if f := out[i].Filter; f != nil {
			if v, known := truthOf(f); known && v {
				out[i].Filter = nil
			}
		}
	}
	return out
}

func (c *Context) foldAll(list []expr.Expr) []expr.Expr {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		if e != nil {
			out[i] = c.fold(e)
		}
	}
	return out
}

func (c *Context) fold(e expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(e expr.Expr) expr.Expr {
		switch x := e.(type) {
		case *expr.Logic:
			return foldLogic(x)
		case *expr.Case:
			return foldCase(x)
		case *expr.Call:
			if !x.Fn.Volatile && allConst(x.List) {
				if v, err := expr.Value(x, c.Env); err == nil && !x.T.Kind.IsComposite() {
					return v
				}
			}
		}
		return e
	})
}

func allConst(list []expr.Expr) bool {
	for _, e := range list {
		if _, ok := e.(*expr.Const); !ok {
			return false
		}
	}
	return true
}

// truthOf is the value of a literal TRUE or FALSE; UNKNOWN is not known.
func truthOf(e expr.Expr) (value, known bool) {
	k, ok := e.(*expr.Const)
	if !ok || k.T.Kind != types.Boolean || k.Value.IsConstNull() {
		return false, false
	}
	return vector.Bool(k.Value, 0), true
}

// foldLogic drops the operands that decide nothing. A deciding operand ends the list: what follows is
// not reached. What stands before it stays when it may fail.
func foldLogic(l *expr.Logic) expr.Expr {
	var rest []expr.Expr
	for _, a := range l.List {
		v, known := truthOf(a)
		switch {
		case known && v == l.Or:
			if !expr.CanFail(expr.And(rest...)) {
				return expr.Bool(v)
			}
			return rebuilt(l, append(rest, a))
		case !known:
			rest = append(rest, a)
		}
	}
	if len(rest) == len(l.List) {
		return l
	}
	if len(rest) == 0 {
		return expr.Bool(!l.Or)
	}
	return rebuilt(l, rest)
}

func rebuilt(l *expr.Logic, list []expr.Expr) expr.Expr {
	if l.Or {
		return expr.Or(list...)
	}
	return expr.And(list...)
}

// foldCase drops branches that are never taken, and ends at one that always is.
func foldCase(x *expr.Case) expr.Expr {
	out := &expr.Case{T: x.T, Else: x.Else}
	for _, w := range x.Whens {
		v, known := truthOf(w.Cond)
		if k, ok := w.Cond.(*expr.Const); ok && k.Value.IsConstNull() {
			known = true
		}
		if known && !v {
			continue
		}
		if known {
			out.Else = w.Then
			break
		}
		out.Whens = append(out.Whens, w)
	}
	if len(out.Whens) == 0 {
		return out.Else
	}
	return out
}
