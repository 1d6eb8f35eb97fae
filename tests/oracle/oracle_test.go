package oracle

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/nexmark"
	goldens "streamsql/tests/testdata/nexmark"
)

// TestGoldens: the plain answers are the goldens, so that both may be compared with.
func TestGoldens(t *testing.T) {
	tiny := nexmark.Default()
	tiny.Rate, tiny.PersonSize, tiny.AuctionSize, tiny.BidSize = 7, 60, 100, 32
	tiny.HotAuctions, tiny.HotBidders, tiny.HotSellers = 1, 1, 1
	small := map[string][]Event{}
	for name, c := range map[string]nexmark.Config{"2k": nexmark.Default(), "tiny-100k": tiny} {
		n := 2000
		if name != "2k" {
			n = 100_000
		}
		events, err := Generated(c, n)
		if err != nil {
			t.Fatal(err)
		}
		small[name] = events
	}
	judged := map[string]bool{}
	for _, l := range strings.Split(strings.TrimSpace(goldens.Results), "\n")[1:] {
		f := strings.Split(l, "\t")
		events := small[f[1]]
		// What compares all with all is for few events.
		if events == nil || !Knows(f[0]) || len(events) > 2000 && (f[0] == "q3" || f[0] == "q7" || testing.Short()) {
			continue
		}
		judged[f[0]] = true
		rows := Answer(f[0], events)
		whole := sha256.New()
		for _, r := range rows {
			fmt.Fprintf(whole, "%s\n", r)
		}
		if got := fmt.Sprintf("%d %x", len(rows), whole.Sum(nil)); got != f[2]+" "+f[3] {
			t.Errorf("%s over %s: %s, want %s %s", f[0], f[1], got, f[2], f[3])
		}
	}
	if len(judged) != len(answers) {
		t.Errorf("%d queries were judged, of %d", len(judged), len(answers))
	}
}

// TestPermuted: all events are there, none too late.
func TestPermuted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	events := Wild(r, 500)
	got := Permuted(r, events, 3000)
	seen, last, moved := map[Event]int{}, int64(0), 0
	for i, e := range got {
		seen[e]++
		if e.Time < last-3000 {
			t.Errorf("%d: %d comes after %d", i, e.Time, last)
		}
		if last = max(last, e.Time); e != events[i] {
			moved++
		}
	}
	for _, e := range events {
		seen[e]--
	}
	for e, n := range seen {
		if n != 0 {
			t.Errorf("%d of %+v", n, e)
		}
	}
	if moved < 100 {
		t.Errorf("%d of 500 events are elsewhere", moved)
	}
}
