package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// groupExpiry forgets groups to which no row comes any more.
type groupExpiry struct {
	*untilQueue
	keys []expr.Expr
	own  []vector.Column
	cols []*vector.Column
	gone []int32
}

// openExpiry prepares the end of groups.
func (o *groupAggregate) openExpiry(c *Context) error {
	if len(o.spec.Until) == 0 {
		return nil
	}
	queue, err := newUntilQueue(o.spec.Until, c.Env)
	if err != nil {
		return err
	}
	x := &groupExpiry{untilQueue: queue, keys: o.spec.Keys}
	x.own, x.cols = owned(len(o.spec.Keys))
	o.expiry = x
	o.table.OnRestore(func() {
		for groups := o.table.Groups(nil); len(groups) > 0; {
			n := min(len(groups), c.MaxRows)
			if err := x.queue(o.table, groups[:n]); err != nil {
				panic(err)
			}
			groups = groups[n:]
		}
	})
	return nil
}

// queue queues groups by their keys.
func (x *groupExpiry) queue(t *state.Keyed, groups []int32) error {
	if len(groups) == 0 {
		return nil
	}
	for _, i := range x.used {
		t.Key(&x.own[i], i, groups)
		x.own[i].Type = x.keys[i].Type()
	}
	return x.add(groups, x.cols)
}

// over forgets the groups that are over at a watermark.
func (o *groupAggregate) over(t types.EventTime) {
	x := o.expiry
	if x.gone = x.due.Due(int64(t), x.gone[:0]); len(x.gone) > 0 {
		o.remove(x.gone)
		o.table.Compact()
	}
}
