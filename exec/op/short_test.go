package op_test

import "testing"

// atMost is how many rows, seeds or rounds a test takes: fewer with -short, as the -race pass runs it.
func atMost(all, short int) int {
	if testing.Short() {
		return short
	}
	return all
}
