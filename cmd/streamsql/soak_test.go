package main

import (
	"flag"
	"testing"
	"time"
)

var (
	soak      = flag.Bool("soak", false, "kill 200 times, not 3, and rescale as often")
	soakSeed  = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the moments of killing")
	soakKills = flag.Int("kills", 200, "with -soak: how often to kill")
	soakFor   = flag.Duration("for", 0, "with -soak: begin nothing after so long; 0 does everything")
)

// progress is how far a test that kills came.
type progress struct {
	t           *testing.T
	began, told time.Time
	left        int
	stopped     bool
}

// tellEvery is how often a long test says where it is.
const tellEvery = 10 * time.Second

// newProgress begins a test that kills a few times, or with -soak many.
func newProgress(t *testing.T, few int) *progress {
	t.Helper()
	p := &progress{t: t, began: time.Now(), told: time.Now(), left: few}
	if *soak {
		p.left = *soakKills
	}
	t.Logf("%d kills, -args -seed %d", p.left, *soakSeed)
	return p
}

// more tells that kills are left, and time for them.
func (p *progress) more() bool {
	over := *soak && *soakFor > 0 && time.Since(p.began) > *soakFor
	switch {
	case p.left > 0 && over && !p.stopped:
		p.stopped = true
		p.t.Logf("stopped with %d kills left; go on with -args -soak -kills %d -seed %d", p.left, p.left, *soakSeed+1)
	case *soak && time.Since(p.told) > tellEvery:
		p.told = time.Now()
		p.t.Logf("%v: %d kills are left", time.Since(p.began).Round(time.Second), p.left)
	}
	return p.left > 0 && !over
}
