package script

import (
	"context"
	"errors"
	"strings"
	"testing"

	"streamsql/exec"
	"streamsql/planner/syntax"
)

// TestTraced: an error is short, also one of the program's own, whose place is shown on demand.
func TestTraced(t *testing.T) {
	const stack = "goroutine 1 [running]:\n\tplace.go:7\n"
	for _, c := range []struct {
		err  error
		own  bool
		says string
	}{
		{&Mistake{What: "oops", Stack: []byte(stack)}, true, "a mistake of the program itself: oops"},
		{&exec.Failure{Operator: "Calc(a)", Err: errors.New("panic: oops"), Stack: []byte(stack)}, true, "Calc(a): panic: oops"},
		{&exec.Failure{Operator: "Calc(a)", Err: errors.New("no room")}, false, "Calc(a): no room"},
		{syntax.Errorf("SQ0101", syntax.Span{Pos: 0, End: 1}, "no"), false, "SQ0101"},
		{context.Canceled, false, "canceled"},
	} {
		for _, verbose := range []bool{false, true} {
			r := &Runner{Verbose: verbose}
			var e *Error
			if !errors.As(r.rendered(c.err, "SELECT", ""), &e) {
				t.Fatal(c.err)
			}
			if !strings.Contains(e.Text, c.says) || strings.Contains(e.Text, "place.go") != (c.own && verbose) ||
				strings.Contains(e.Text, "--verbose") != (c.own && !verbose) || !strings.HasSuffix(e.Text, "\n") {
				t.Errorf("verbose %v: %q", verbose, e.Text)
			}
		}
	}
}
