package physical

import (
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// overAggregate makes the operator of calls with OVER that are no bounded ranks. There is none yet.
func (b *builder) overAggregate(x *logical.Over) (int, error) {
	return 0, syntax.NotSupported(syntax.Span{Pos: x.Pos, End: x.End}, "OVER windows", "ranks work where a condition bounds them from above")
}
