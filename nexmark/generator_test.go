package nexmark

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const testdata = "../tests/testdata/nexmark/"

var static42 = sync.OnceValue(func() *Static { return NewStatic(42) })

// table reads a tab-separated file without its first line.
func table(t *testing.T, name string) [][]string {
	t.Helper()
	b, err := os.ReadFile(testdata + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		rows = append(rows, strings.Split(l, "\t"))
	}
	return rows
}

// golden returns a configuration of checksums.tsv.
func golden(t *testing.T, name string, split int) Config {
	c := Default()
	switch name {
	case "tiny":
		c.Rate = 7
		c.PersonSize, c.AuctionSize, c.BidSize = 60, 100, 32
		c.HotAuctions, c.HotSellers, c.HotBidders = 1, 1, 1
	case "split4":
		c.Events = 1_000_003
		var err error
		if c, err = c.Split(split, 4); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func newGenerator(t testing.TB, c Config) *Generator {
	t.Helper()
	s := static42()
	if c.Seed != 42 {
		s = NewStatic(c.Seed)
	}
	g, err := New(c, s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// summer hashes the lines of all events and those of each kind.
type summer struct {
	sums  map[string]hash.Hash
	count map[string]int
}

func (s *summer) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		for _, stream := range []string{"all", []string{"person", "auction", "bid"}[line[0]-'0']} {
			if s.sums[stream] == nil {
				s.sums[stream] = sha256.New()
			}
			s.sums[stream].Write(line)
			s.count[stream]++
		}
	}
	return len(b), nil
}

func TestChecksums(t *testing.T) {
	var g *Generator
	var s *summer
	var last string
	for _, row := range table(t, "checksums.tsv") {
		split, _ := strconv.Atoi(row[1])
		events, _ := strconv.ParseInt(row[2], 10, 64)
		if events > 10_000 && testing.Short() {
			continue
		}
		if source := row[0] + "/" + row[1]; source != last {
			g, last = newGenerator(t, golden(t, row[0], split)), source
			s = &summer{map[string]hash.Hash{}, map[string]int{}}
		}
		if n, _ := g.Position(); n < events {
			if err := Dump(s, g, events-n, TSV); err != nil {
				t.Fatal(err)
			}
		}
		got := fmt.Sprint(s.count[row[3]], " ", hex.EncodeToString(s.sums[row[3]].Sum(nil)))
		if want := row[4] + " " + row[5]; got != want {
			t.Errorf("%v: got %s", row, got)
		}
	}
}

func TestJSON(t *testing.T) {
	h := sha256.New()
	if err := Dump(h, newGenerator(t, Default()), 20_000, JSON); err != nil {
		t.Fatal(err)
	}
	const want = "0b78a6528cb30ca952a2929f7618c5c36ae0cb45d13d11c3037ab698ef8da418"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// randomConfig draws a configuration; half of them are close to the default one.
func randomConfig(r *rand.Rand) Config {
	c := Default()
	c.Seed = 42
	c.Subtask = r.IntN(1000)
	if r.IntN(2) == 0 {
		c.Persons, c.Auctions, c.Bids = r.Int64N(4), r.Int64N(6), 1+r.Int64N(60)
	}
	if r.IntN(2) == 0 {
		c.Rate = []int64{1, 7, 1000, 99_999, 10_000_000}[r.IntN(5)]
	}
	if r.IntN(2) == 0 {
		c.PersonSize, c.AuctionSize, c.BidSize = r.IntN(300), r.IntN(700), r.IntN(900)
	}
	if r.IntN(3) == 0 {
		// Up to 5, up to 100, and ratios that draw again in one of 2000 cases and in half of all.
		some := func() int32 { return []int32{1 + r.Int32N(5), 1 + r.Int32N(100), 1<<20 + 1, 1<<30 + 1}[r.IntN(10)/3] }
		c.HotAuctions, c.HotBidders, c.HotSellers = some(), some(), some()
	}
	if r.IntN(3) == 0 {
		c.InFlight, c.ActivePeople = r.Int64N(200), 1+r.Int64N(2000)
	}
	if r.IntN(4) == 0 {
		c.GroupSize = 1 + r.Int64N(200)
	}
	if r.IntN(40) == 0 {
		c.BidSize = 700_000
	}
	c.FirstID += r.Int64N(10_000)
	return c
}

// plain makes all events of a generator in the plain way.
func plain(g *Generator) *Generator {
	g.inOrder = false
	return g
}

func TestFastEqualsPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	configs := 150
	if testing.Short() {
		configs = 30
	}
	for i := range configs {
		c := randomConfig(r)
		c.SeedPerEvent = i%3 == 0
		n := int64(2000)
		if c.BidSize > 1000 {
			n = 10
		}
		var want, got bytes.Buffer
		g := newGenerator(t, c)
		skip := r.Int64N(2) * r.Int64N(1_000_000)
		g.Resume(skip, uint64(g.state))
		p := plain(newGenerator(t, c))
		p.Resume(skip, uint64(p.state))
		if err := Dump(&want, p, n, TSV); err != nil {
			t.Fatal(err)
		}
		for left := n; left > 0; {
			m := min(left, 1+r.Int64N(700))
			if err := Dump(&got, g, m, TSV); err != nil {
				t.Fatal(err)
			}
			left -= m
		}
		if !bytes.Equal(want.Bytes(), got.Bytes()) {
			t.Fatalf("%+v:\n%s", c, firstDifference(want.Bytes(), got.Bytes()))
		}
		if !c.SeedPerEvent && p.state != g.state {
			t.Fatalf("%+v: state %d, plain %d", c, g.state, p.state)
		}
	}
}

func firstDifference(want, got []byte) string {
	w, g := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
	for i := range min(len(w), len(g)) {
		if !bytes.Equal(w[i], g[i]) {
			return fmt.Sprintf("line %d\nwant %.300s\ngot  %.300s", i, w[i], g[i])
		}
	}
	return fmt.Sprintf("want %d lines, got %d", len(w), len(g))
}
