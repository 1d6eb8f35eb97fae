package bench

import (
	"slices"
	"testing"
)

// TestCompare: another answer is no mismatch where several are right.
func TestCompare(t *testing.T) {
	list, err := Goldens()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query       string
		parallelism int
		right       bool
		want        string
	}{
		{"q9", 1, true, "yes"}, {"q9", 1, false, "differs"}, {"q9", 4, true, "yes"}, {"q9", 4, false, "ties: parallelism 1"},
		{"q9k", 4, false, "differs"}, {"q12", 1, true, "no golden"},
	} {
		d := Digest{Rows: 1}
		if g := Find(list, c.query, "2k"); g != nil && c.right {
			d = g.Digest
		}
		r := Run{ID: c.query, Parallelism: c.parallelism}
		r.compare(d, 2000, nil)
		if got := r.verdict(); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestInputs: each golden input is known by its options, and has goldens.
func TestInputs(t *testing.T) {
	list, err := Goldens()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range Inputs() {
		events := int64(100_000)
		if in.Name == "2k" {
			events = 2000
		}
		if got := Input(events, in.Options); got != in.Name {
			t.Errorf("%v is %q, want %s", in.Options, got, in.Name)
		}
		if !slices.ContainsFunc(list, func(g Golden) bool { return g.Input == in.Name }) {
			t.Errorf("no golden over %s", in.Name)
		}
	}
	if got := Input(3000, Inputs()[0].Options); got != "" {
		t.Errorf("3000 events are %q", got)
	}
}
