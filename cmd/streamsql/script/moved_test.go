package script

import (
	"errors"
	"testing"

	"streamsql/planner/syntax"
)

// TestMoved: an error without a place in the text gets none where its statement stands.
func TestMoved(t *testing.T) {
	for _, c := range []struct {
		err    *syntax.Error
		placed bool
	}{
		{syntax.Errorf(syntax.CodeOutside, syntax.Span{}, "the disk is full"), false},
		{syntax.Errorf(syntax.CodeOutside, syntax.Span{End: 3}, "the file is gone"), true},
		{syntax.Errorf(syntax.CodeIncomplete, syntax.Span{}, "the text ends"), true},
	} {
		var moved *syntax.Error
		if !errors.As(Moved(c.err, 10), &moved) || c.err.Placed() != c.placed {
			t.Fatalf("%v: placed is %v", c.err, c.err.Placed())
		}
		want := c.err.Span
		if c.placed {
			want = syntax.Span{Pos: want.Pos + 10, End: want.End + 10}
		}
		if moved.Span != want {
			t.Errorf("%v: moved from %v to %v", c.err, c.err.Span, moved.Span)
		}
	}
}
