package exec

import (
	"streamsql/exec/op"
	"streamsql/exec/vector"
)

// ChoosesBy implements op.Chooser for the operator that is alone behind the node.
func (n *node) ChoosesBy() []int {
	if len(n.to) != 1 || len(n.exits) > 0 {
		return nil
	}
	if c, ok := n.to[0].node.op.(op.Chooser); ok {
		return c.ChoosesBy()
	}
	return nil
}

// Choose implements op.Chooser. Rows that are not wanted count as if they had been passed.
func (n *node) Choose(cols []*vector.Column, rows int) ([]int32, error) {
	if err := n.task.job.halted(); err != nil {
		return nil, err
	}
	to := n.to[0].node
	caller := n.task.enter(to)
	sel, err := to.op.(op.Chooser).Choose(cols, rows)
	if err != nil {
		return nil, err // without leaving: the task names the operator that it is in
	}
	n.task.enter(caller)
	n.RowsOut += int64(rows - len(sel))
	to.RowsIn += int64(rows - len(sel))
	return sel, nil
}
