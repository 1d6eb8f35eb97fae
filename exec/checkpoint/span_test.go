package checkpoint

import (
	"testing"

	"streamsql/exec/network"
)

// TestSpanOf: each subtask has the key groups whose rows are sent to it, and together they have all.
func TestSpanOf(t *testing.T) {
	for _, c := range [][2]int{{128, 1}, {128, 3}, {128, 128}, {4096, 1000}, {32768, 7}, {100, 7}} {
		groups, p := c[0], c[1]
		next := 0
		for s := range p {
			own := SpanOf(s, p, groups)
			if own.From != next {
				t.Fatalf("%d of %d: subtask %d begins at group %d, want %d", p, groups, s, own.From, next)
			}
			next = own.To
			for g := own.From; g < own.To; g++ {
				if to := network.SubtaskOf(g, groups, p); to != s {
					t.Fatalf("%d of %d: rows of group %d go to subtask %d, its state to %d", p, groups, g, to, s)
				}
			}
		}
		if next != groups {
			t.Fatalf("%d of %d: groups end at %d", p, groups, next)
		}
	}
}
