package script

import (
	"fmt"
	"strings"
)

// A declaration warns of what the first use of its table will refuse. Where that use is the statement behind it, the error says all,
// so that warnings wait for it; at a terminal they come at once.

// warn takes the warnings of a statement that was prepared: those before it are shown.
func (r *Runner) warn(list []string, job bool) {
	r.warned("")
	if r.pending = list; job || r.KeepGoing {
		r.warned("")
	}
}

// warned shows the warnings that wait, but for those that an error, if there is one, repeats.
func (r *Runner) warned(failure string) {
	for _, w := range r.pending {
		if !r.Quiet && (failure == "" || !strings.Contains(w, failure)) {
			fmt.Fprintf(r.Err, "warning: %s\n", w)
		}
	}
	r.pending = nil
}
