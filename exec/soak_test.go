package exec_test

import (
	"flag"
	"testing"
)

var soak = flag.Bool("soak", false, "let every call of a file system fail in turn, not every few")

// steps is how many calls of a file system are passed over between those that are let fail.
func steps(few int32) int32 {
	switch {
	case *soak:
		return 1
	case testing.Short():
		return 2 * few
	}
	return few
}
