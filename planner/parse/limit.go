package parse

import "streamsql/planner/syntax"

// Bounds of what the parser takes. They keep recursion, here and in the floors above, far
// from the end of the stack, and one statement from eating the machine's memory.
const (
	MaxBytes   = 16 << 20 // of a statement
	maxNesting = 10_000   // parentheses, brackets and queries inside each other
	maxHeight  = 10_000   // operators above each other in one expression
)

// enter counts one level of nesting.
func (p *parser) enter() {
	p.nest++
	p.checkNesting(p.nest)
}

// checkNesting refuses what is nested too deep.
func (p *parser) checkNesting(levels int) {
	if levels > maxNesting {
		p.fail(syntax.Errorf(syntax.CodeLimit, p.tok().span(), "nested deeper than %d levels", maxNesting))
	}
}

func (p *parser) leave() { p.nest-- }

// checkHeight refuses an expression whose tree would be too high.
func (p *parser) checkHeight(height int) {
	if height > maxHeight {
		p.fail(syntax.Errorf(syntax.CodeLimit, p.tok().span(),
			"more than %d operators above each other in one expression", maxHeight).
			WithHint("split the expression, or write IN (..) instead of a chain of OR"))
	}
}
