//go:build invariants

package invariant

// Enabled tells whether the checks are compiled in.
const Enabled = true
