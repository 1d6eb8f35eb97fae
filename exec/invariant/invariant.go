// Package invariant switches on the checks that are too dear for every run: it is compiled in with
// `-tags invariants` and costs nothing otherwise.
//
// It does not know what is checked.
//
// Invariants:
//
//	I1 without the tag no check runs and `if invariant.Enabled` blocks are dropped by the compiler.
package invariant

import "fmt"

// Check panics when an invariant does not hold: that is a bug. Callers guard it with Enabled when
// computing the arguments costs something.
func Check(holds bool, format string, args ...any) {
	if Enabled && !holds {
		panic("invariant: " + fmt.Sprintf(format, args...))
	}
}
