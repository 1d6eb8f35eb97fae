package physical

import (
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// rank makes the operators of ranks, of deduplication and of ORDER BY. There are none yet.
func (b *builder) rank(p logical.Plan) (int, error) {
	return 0, syntax.NotSupported(syntax.Span{}, p.String(), "")
}
