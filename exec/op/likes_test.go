package op

import (
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestLikesWithOneHash: rows with the same hash are never in one group where their keys differ.
func TestLikesWithOneHash(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt), types.String()}
	text := &vector.Column{}
	text.Reset(list[1], 6)
	w := vector.NewText(text)
	for i, s := range []string{"a", "a", "b", "a_text_of_more_than_twelve", "a_text_of_more_than_thirteen", "a"} {
		w.PutString(i, s)
	}
	w.Finish()
	numbers := vector.OfSlice(list[0], []int64{1, 1, 1, 1, 1, 0})
	numbers.SetNull(5)
	l := newLikes(list)
	groups, firsts := l.find([]*vector.Column{numbers, text}, 6)
	if len(firsts) != 5 || groups[0] != groups[1] {
		t.Errorf("groups %v, first rows %v", groups, firsts)
	}
	clear(l.hashes)
	l.divide()
	seen := map[int32]int{}
	for i, g := range l.groups {
		if first, ok := seen[g]; ok && (first != 0 || i != 1) {
			t.Errorf("rows %d and %d are in one group", first, i)
		} else if !ok {
			seen[g] = i
		}
	}
	for g, i := range seen {
		if l.firsts[g] != int32(i) {
			t.Errorf("the first row of group %d is %d, not %d", g, l.firsts[g], i)
		}
	}
}
