package op

import (
	"math"
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/vector"
)

// How far back the calls of a row look decides what an operator keeps.

// reaches is how many rows before a row its calls may see, all for those that see the whole partition.
func (s *OverAggregate) reaches(f *frames, c *Context) (int64, error) {
	rows := int64(0)
	for i := range s.Calls {
		switch call := &s.Calls[i]; {
		case call.Fn != nil && (!s.slides() || s.Frame.End.Kind != CurrentRow), call.Fn == nil && call.Name != "LAG":
			return math.MaxInt64, nil
		case call.Fn != nil && s.Frame.Rows:
			rows = max(rows, f.rows[0])
		case call.Fn == nil:
			by, err := call.lag(c)
			if err != nil {
				return 0, err
			}
			rows = max(rows, by)
		}
	}
	return rows, nil
}

// runs tells that a row's calls go by all rows before it, of which accumulators and a number say enough.
func (s *OverAggregate) runs() bool {
	return !s.slides() && s.Frame.End.Kind == CurrentRow && !slices.ContainsFunc(s.Calls, func(c OverCall) bool {
		return c.Fn == nil && c.Name != "ROW_NUMBER"
	})
}

// lag is how far back a LAG looks; all the way where that is not constant.
func (c *OverCall) lag(x *Context) (int64, error) {
	if len(c.Args) < 2 {
		return 1, nil
	}
	if len(expr.Columns(c.Args[1])) > 0 {
		return math.MaxInt64, nil
	}
	v, err := expr.Value(c.Args[1], x.Env)
	if err != nil || v.Value.IsConstNull() {
		return 0, err
	}
	by := vector.Value[int64](v.Value, 0)
	if by < 0 {
		return math.MaxInt64, nil
	}
	return by, nil
}
