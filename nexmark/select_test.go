package nexmark

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// lines makes the next n events of g and returns their lines by kind, all of them if kind is negative.
func lines(t *testing.T, g *Generator, n int64) [][]byte {
	t.Helper()
	var out bytes.Buffer
	if err := Dump(&out, g, n, TSV); err != nil {
		t.Fatal(err)
	}
	return bytes.SplitAfter(out.Bytes(), []byte("\n"))
}

func TestResume(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		c := randomConfig(r)
		if c.BidSize > 1000 {
			continue
		}
		c.SeedPerEvent = r.IntN(2) == 0
		all := lines(t, newGenerator(t, c), 2000)
		cut := r.Int64N(2000)
		first := newGenerator(t, c)
		lines(t, first, cut)
		count, state := first.Position()
		if count != cut {
			t.Fatalf("position %d after %d events", count, cut)
		}
		second := newGenerator(t, c)
		second.Resume(count, state)
		if !equalLines(lines(t, second, 2000-cut), all[cut:]) {
			t.Fatalf("%+v: differs after a restart at %d", c, cut)
		}
	}
}

func equalLines(a, b [][]byte) bool {
	return bytes.Equal(bytes.Join(a, nil), bytes.Join(b, nil))
}

// TestRandomAccess makes events alone that each have their own seed, in any order.
func TestRandomAccess(t *testing.T) {
	c := Default()
	c.SeedPerEvent = true
	all := lines(t, newGenerator(t, c), 5000)
	r := rand.New(rand.NewPCG(5, 6))
	g := newGenerator(t, c)
	for range 500 {
		i := r.Int64N(5000)
		g.Resume(i, 0)
		if got := lines(t, g, 1); !equalLines(got, all[i:i+1]) {
			t.Fatalf("event %d: got %s, want %s", i, got[0], all[i])
		}
	}
}

// TestSeedOf holds the formula of the seeds: event id draws from the raw draw number id of the generator random.
func TestSeedOf(t *testing.T) {
	c := Default()
	c.SeedPerEvent = true
	g := newGenerator(t, c)
	r := random(c.Seed + 2)
	for id := int64(1); id < 100; id++ {
		if want := r.next64(); int64(g.seedOf(id)) != want {
			t.Fatalf("seed of %d is %d, want %d", id, g.seedOf(id), want)
		}
	}
}

// TestSelect compares batches restricted to kinds with the whole ones, in both modes.
func TestSelect(t *testing.T) {
	for mode := range 2 {
		for kinds := range 8 {
			c := Default()
			c.SeedPerEvent = mode == 1
			var want [][]byte
			for _, l := range lines(t, newGenerator(t, c), 3000) {
				if len(l) > 0 && kinds>>(l[0]-'0')&1 == 1 {
					want = append(want, l)
				}
			}
			g := newGenerator(t, c)
			g.Select(AllColumns, kinds&1 > 0, kinds&2 > 0, kinds&4 > 0)
			got := lines(t, g, 3000)
			if !equalLines(got, want) {
				t.Fatalf("mode %d, kinds %03b: %s", mode, kinds, firstDifference(bytes.Join(want, nil), bytes.Join(got, nil)))
			}
			if n, _ := g.Position(); n != 3000 {
				t.Errorf("mode %d, kinds %03b: position %d", mode, kinds, n)
			}
		}
	}
}

// cells are the column values of an event, by bit of Columns.
func cells(g *Generator, e *Events, i int) map[int]string {
	line := strings.TrimSuffix(string(g.static.line(nil, e, i, TSV)), "\n")
	values := strings.Split(line, "\t")[1:]
	first := map[int32]int{int32(Person): 0, int32(Auction): 8, int32(Bid): 18}[e.Types[i]]
	m := map[int]string{}
	for j, v := range values {
		if e.Types[i] == int32(Bid) && j > 3 {
			j-- // channel and URL share a bit
		}
		m[first+j] += v
	}
	return m
}

// TestColumns makes subsets of the columns, in both modes.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 60 {
		c := Default()
		c.SeedPerEvent = i%3 > 0
		want := Columns(r.Uint32()&^(r.Uint32()>>1)) & AllColumns
		g, all := newGenerator(t, c), newGenerator(t, c)
		g.Select(want, true, true, true)
		e, f := NewEvents(500), NewEvents(500)
		g.Append(e, 500)
		all.Append(f, 500)
		for i := range e.Len {
			got, full := cells(g, e, i), cells(all, f, i)
			for bit, v := range full {
				if want>>bit&1 == 1 && got[bit] != v {
					t.Fatalf("columns %024b, event %d, column %d: got %q, want %q", want, i, bit, got[bit], v)
				}
			}
		}
	}
}

func TestSplit(t *testing.T) {
	c := Default()
	c.Events = 10
	c.StopAt = 7
	var parts []string
	for i := range 3 {
		p, err := c.Split(i, 3)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, fmt.Sprint(p.FirstID, " ", p.FirstNumber, " ", p.Events, " ", p.StopAt, " ", p.limit()))
	}
	if got, want := strings.Join(parts, ", "), "1 1 3 2 2, 4 1 3 2 2, 7 1 4 3 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c.StopAt = -1
	for i := range 3 {
		if p, _ := c.Split(i, 3); p.StopAt != -1 || p.limit() != p.Events {
			t.Errorf("part %d stops at %d, limit %d", i, p.StopAt, p.limit())
		}
	}
	if _, err := c.Split(0, 11); err == nil {
		t.Error("10 events over 11 generators accepted")
	}
	if n := Default(); n.events() != 368_934_881_474_191 {
		t.Errorf("unlimited is %d", n.events())
	}
}

func TestConfigErrors(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.Persons, c.Auctions, c.Bids = 0, 0, 0 },
		func(c *Config) { c.Bids = -1 },
		func(c *Config) { c.Rate = 0 },
		func(c *Config) { c.HotBidders = 0 },
		func(c *Config) { c.GroupSize = 0 },
		func(c *Config) { c.BidSize = -1 },
		func(c *Config) { c.Events = -1 },
		func(c *Config) { c.Generators = 0 },
	} {
		c := Default()
		change(&c)
		if _, err := New(c, static42()); err == nil {
			t.Errorf("accepted %+v", c)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, event := range []bool{false, true} {
		c := Default()
		c.SeedPerEvent = event
		g, e := newGenerator(t, c), NewEvents(1024)
		if n := testing.AllocsPerRun(20, func() { e.Reset(); g.Append(e, 1024) }); n > 0 {
			t.Errorf("%v allocations per batch", n)
		}
	}
}
