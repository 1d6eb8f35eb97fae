package nexmark

import (
	"testing"
)

// BenchmarkGenerator makes whole events, all columns complete, in batches of 1024.
func BenchmarkGenerator(b *testing.B) {
	for _, c := range []struct {
		name   string
		config func(*Config)
	}{
		{"default", func(*Config) {}},
		{"10M", func(c *Config) { c.Rate = 10_000_000 }},
		{"event", func(c *Config) { c.SeedPerEvent = true }},
		{"plain", func(c *Config) { c.GroupSize = 2 }},
		{"hot1", hot(1)}, {"hot2", hot(2)}, {"hot5", hot(5)}, {"hot10", hot(10)}, {"hot30", hot(30)}, {"hot100", hot(100)},
	} {
		b.Run(c.name, func(b *testing.B) {
			config := Default()
			c.config(&config)
			g, e := newGenerator(b, config), NewEvents(1024)
			b.ReportAllocs()
			events := 0
			for b.Loop() {
				e.Reset()
				events += g.Append(e, 1024)
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}

// hot sets all hot ratios to n.
func hot(n int32) func(*Config) {
	return func(c *Config) { c.HotAuctions, c.HotBidders, c.HotSellers = n, n, n }
}

// BenchmarkSelect makes only some columns of bids.
func BenchmarkSelect(b *testing.B) {
	for _, c := range []struct {
		name  string
		event bool
		want  Columns
	}{
		{"stream/numbers", false, BidAuction | BidBidder | BidPrice},
		{"event/all", true, AllColumns},
		{"event/numbers", true, BidAuction | BidBidder | BidPrice},
		{"event/auction", true, BidAuction},
		{"event/time", true, BidTime},
	} {
		b.Run(c.name, func(b *testing.B) {
			config := Default()
			config.SeedPerEvent = c.event
			g, e := newGenerator(b, config), NewEvents(1024)
			g.Select(c.want, false, false, true)
			events := 0
			for b.Loop() {
				e.Reset()
				events += g.Append(e, 1024)
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}

// BenchmarkLetters draws the letters of texts as long as a description.
func BenchmarkLetters(b *testing.B) {
	dst := make([]byte, 51)
	s := uint64(1)
	for b.Loop() {
		s = letters(dst, s, ' ')
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/51, "ns/letter")
}

// BenchmarkBidLoops runs the loops of a run of bids.
func BenchmarkBidLoops(b *testing.B) {
	g, e := newGenerator(b, Default()), NewEvents(runLen)
	e.Reset()
	g.Append(e, runLen)
	p, k := &g.bids, keys{1000, 1100, 3001, 2000}
	p.bounds(111, 1010)
	st := e.states[:46]
	c, n := &e.Bids, 46
	per := func(b *testing.B) { b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/46, "ns/bid") }
	b.Run("choose", func(b *testing.B) {
		s := uint64(44)
		for b.Loop() {
			s, _ = chooseStream(c.Auction[:n], c.Bidder[:n], st, s, p, k)
		}
		per(b)
	})
	b.Run("seeded", func(b *testing.B) {
		for b.Loop() {
			seeds(st, 44)
			chooseSeeded(c.Auction[:n], c.Bidder[:n], st, p, k)
		}
		per(b)
	})
	b.Run("price", func(b *testing.B) {
		for b.Loop() {
			prices(c.Price[:n], st)
		}
		per(b)
	})
	b.Run("channel", func(b *testing.B) {
		for b.Loop() {
			pickChannels(c.Channel[:n], st)
		}
		per(b)
	})
	b.Run("extra", func(b *testing.B) {
		for b.Loop() {
			cutExtras(c.Extra[:n], st, p, g.static)
		}
		per(b)
	})
	b.Run("time", func(b *testing.B) {
		for b.Loop() {
			g.time.fill(c.Time[:n], 1_000_000)
		}
		per(b)
	})
}

// BenchmarkStatic draws the pool and the URLs, once per seed.
func BenchmarkStatic(b *testing.B) {
	for b.Loop() {
		newShared(42)
	}
}
