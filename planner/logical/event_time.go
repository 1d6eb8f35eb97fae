package logical

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// FollowsTime tells that the values of column i of p are event times that the watermark bounds: rows that come when it
// has reached t are not expected to have one below t. That holds of a rowtime, and of the ends of windows over one:
// those of a window that is open are later than its watermark.
func FollowsTime(p Plan, i int) bool {
	c := p.Schema()[i]
	if c.Time == Rowtime {
		return c.Type.Precision <= 3
	}
	switch x := p.(type) {
	case *Project:
		if c, plain := x.Exprs[i].(*expr.Column); plain {
			return FollowsTime(x.Input, c.Index)
		}
	case *Filter:
		return FollowsTime(x.Input, i)
	case *Window:
		if k := i - len(x.Input.Schema()); k >= 0 {
			return op.WindowColumn(k) == op.WindowEnd && onInstants(x.Input, x.Time)
		}
		return i == x.Time && FollowsTime(x.Input, i)
	case *WindowAggregate:
		if k := i - x.Width(); k >= 0 {
			return x.Shown[k] == op.WindowEnd && onInstants(x.Input, x.Time)
		}
		if i < len(x.Keys) {
			c, plain := x.Keys[i].(*expr.Column)
			return plain && x.endsAt(c.Index)
		}
	}
	return false
}

// endsAt tells that column i of the input is the end of the window that a row is from, by whose time the input is
// grouped again: as the inner windows are, the groups are over when they end.
func (a *WindowAggregate) endsAt(i int) bool {
	end, ok := WindowOf(a.Input, i)
	if !ok || end.Column != op.WindowEnd || a.Window != Slices(end.Window) || !instant(end.At) {
		return false
	}
	time, ok := WindowOf(a.Input, a.Time)
	return ok && time.Column == op.WindowTime && time.Depth == end.Depth
}

// onInstants tells that windows over column i of p are cut on the scale of the watermark, not on a local clock.
func onInstants(p Plan, i int) bool { return instant(p.Schema()[i]) }

func instant(c Column) bool { return c.Time == Rowtime && c.Type.Kind == types.Timestamp }
