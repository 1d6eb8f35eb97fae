package nexmark

import "testing"

// TestUnique: no person and no auction has the id of another one, whichever generator made it, as the source says.
func TestUnique(t *testing.T) {
	for _, proportions := range [][3]int64{{1, 3, 46}, {2, 0, 3}, {0, 1, 0}, {7, 5, 1}} {
		for _, c := range []struct {
			split string
			group int64
		}{{"rows", 1}, {"rows", 7}, {"rows", 954}, {upstream, 1}} {
			s := &source{options: &options{Split: c.split}, config: Default()}
			s.config.Events, s.config.GroupSize = 20_000, c.group
			s.config.Persons, s.config.Auctions, s.config.Bids = proportions[0], proportions[1], proportions[2]
			for kind, r := range relations {
				col := tableColumn{kind: Kind(kind)}
				for i := range r.fields {
					col.fields = append(col.fields, &r.fields[i])
				}
				s.cols = append(s.cols, col)
			}
			if n := len(s.Unique()); n != 2 {
				t.Fatalf("%v: %d unique paths", c, n)
			}
			seen := [2]map[int64]bool{{}, {}}
			generators := 1
			if c.split == upstream {
				generators = 3
			}
			for i := range generators {
				for kind, ids := range idsOf(t, s.config, i, generators) {
					for _, id := range ids {
						if seen[kind][id] {
							t.Fatalf("%v of %v: %d comes twice", c, proportions, id)
						}
						seen[kind][id] = true
					}
				}
			}
		}
	}
	for _, s := range []*source{{options: &options{Split: "rows"}, config: Config{GroupSize: 2 * groupStep}},
		{options: &options{Split: upstream}, config: Config{GroupSize: 2}}} {
		if s.Unique() != nil {
			t.Errorf("groups of %d, split %s: ids may come twice", s.config.GroupSize, s.options.Split)
		}
	}
}

// idsOf are the ids of the persons and the auctions that generator i of n makes.
func idsOf(t *testing.T, c Config, i, n int) (ids [2][]int64) {
	c, err := c.Split(i, n)
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(c, NewStatic(c.Seed))
	if err != nil {
		t.Fatal(err)
	}
	e := NewEvents(blockLen)
	for g.Remaining() > 0 {
		e.Reset()
		g.Append(e, int(min(g.Remaining(), blockLen)))
		ids[0] = append(ids[0], e.Persons.ID[:e.Persons.Len]...)
		ids[1] = append(ids[1], e.Auctions.ID[:e.Auctions.Len]...)
	}
	return ids
}
