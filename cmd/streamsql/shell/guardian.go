package shell

import (
	"os"
	"time"
)

// A terminal that the program has changed is put in order by the program itself, however it ends: but not where it is
// killed, nor where a goroutine of a library panics, which nobody can recover. So a second process watches over the terminal
// while keys are read: it is told of each change over a pipe, and when the pipe ends and the terminal still is as it was
// told last, it puts it in order.

// guarding is the argument that makes this program the guardian of a terminal: the pipe is its standard input, the
// terminal its standard output.
const guarding = "--guard-terminal"

// guardAfter is when the guardian comes: behind the first prompt, for which it would take the time.
const guardAfter = 200 * time.Millisecond

// itself says that the program can be started as a guardian.
var itself bool

// Guardian is what main begins with. True says that this process was a guardian, whose work is done; otherwise terminals have
// one from here on.
func Guardian(args []string) bool {
	if len(args) == 2 && args[1] == guarding {
		guard(os.Stdin, os.Stdout)
		return true
	}
	itself = true
	return false
}
