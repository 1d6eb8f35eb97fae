package script

import (
	"errors"
	"fmt"
	"strings"

	"streamsql/exec"
)

// Mistake is a panic while a statement was taken: a mistake of the program itself.
type Mistake struct {
	What  any
	Stack []byte
}

// Error says what it was, without the stack.
func (m *Mistake) Error() string {
	return fmt.Sprintf("the statement met a mistake of the program itself: %v", m.What)
}

// Traced is the text of an error, which ends in a line end. Where it is a mistake of the program itself the place in the
// program stands behind it, or how that is seen.
func (r *Runner) Traced(text string, err error) string {
	var stack []byte
	var m *Mistake
	var f *exec.Failure
	switch {
	case errors.As(err, &m):
		stack = m.Stack
	case errors.As(err, &f):
		stack = f.Stack
	}
	switch {
	case len(stack) == 0:
		return text
	case r.Verbose:
		return text + strings.TrimRight(string(stack), "\n") + "\n"
	}
	return text + " hint: --verbose shows where in the program this is\n"
}
