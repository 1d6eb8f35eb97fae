package nexmark

import "streamsql/exec/kernel"

// bidPath holds what the fast path for bids needs of a configuration. It makes runs of bids column by column: the first
// loop draws auction and bidder, whose number of raw draws varies, and leaves for each bid the state behind them; all
// further columns stand at fixed distances from there. A value that upstream would reject and draw again shifts
// everything behind it, so such a bid is left to the plain path.
type bidPath struct {
	ok bool
	// A bid goes to the hot key unless its draw is cold.
	hotAuctions, hotBidders ratio
	powers                  bool // both ratios are powers of two, whose draws are never rejected
	auction, bidder         bound
	length                  bound
	least                   uint32 // shortest extra
	slack                   uint32 // no bound and no ratio rejects values below 2^31 - slack
}

// poolBounds is the longest text for which the remainder by the number of its places in the pool takes one subtraction.
const poolBounds = 511

// newBidPath tells whether the fast path serves a configuration: hot ratios that rarely draw again, and an extra whose
// length is drawn, lies outside the view and has an easy remainder.
func newBidPath(c *Config) bidPath {
	p := bidPath{hotAuctions: newRatio(c.HotAuctions), hotBidders: newRatio(c.HotBidders)}
	again := max(p.hotAuctions.rejected, p.hotBidders.rejected)
	p.powers = again == 0
	if again > rarely || c.BidSize <= 32 {
		return p
	}
	least, spread := paddingRange(c.BidSize - 32)
	p.least = uint32(least)
	p.length, p.ok = newBound(int64(spread))
	if least <= kernel.InlineLen || least+spread > poolBounds {
		p.ok = false
	}
	return p
}

// bounds prepares the path for the keys of an epoch.
func (p *bidPath) bounds(auctions, people int64) bool {
	ok := p.ok
	if p.auction.size != uint64(auctions) {
		p.auction, ok = newBound(auctions)
	}
	if ok && p.bidder.size != uint64(people) {
		p.bidder, ok = newBound(people)
	}
	if ok {
		// A bound of 2^20 - n rejects 2048*n values.
		p.slack = max(p.auction.rejected(), p.bidder.rejected(), p.length.rejected(), 1<<31%channels,
			2048*(p.least+uint32(p.length.size)), p.hotAuctions.rejected, p.hotBidders.rejected)
	}
	return ok
}

// keys are the ids that the bids of one epoch choose from: the hot one, and the first of the others.
type keys struct {
	hotAuction, auction, hotBidder, bidder int64
}

// bidRun appends n bids of one epoch.
func (g *Generator) bidRun(e *Events, number int64, n int) {
	b, c := &e.Bids, &g.cfg
	keep := g.keep[Bid]
	if c.SeedPerEvent && !keep {
		return
	}
	id := c.FirstID + number
	lastAuction, lastPerson := g.lastAuction(id), g.lastPerson(id)
	low, active := max(lastAuction-c.InFlight, 0), min(lastPerson+1, c.ActivePeople)
	fast := g.bids.ok && g.bids.bounds(lastAuction-low+1+extraAuctions, active+extraPeople)
	k := keys{
		lastAuction/hotBatch*hotBatch + firstAuction, low + firstAuction,
		lastPerson/hotBatch*hotBatch + 1 + 2*firstPerson, lastPerson + 1 - active + 2*firstPerson,
	}
	for n > 0 {
		row, m := b.Len, min(n, runLen)
		switch {
		case !fast:
			m = 1
			g.oneBid(b, number, row)
		case c.SeedPerEvent:
			g.seededBids(e, k, number, row, m)
		default:
			m = g.streamBids(e, k, number, row, m)
		}
		if keep {
			e.add(Bid, m)
		}
		number += int64(m)
		n -= m
	}
}

// oneBid makes a bid in the plain way.
func (g *Generator) oneBid(b *Bids, number int64, row int) {
	if g.cfg.SeedPerEvent {
		g.state = g.seedOf(g.cfg.FirstID + number)
	}
	g.bid(b, &g.state, number, row)
}

// streamBids makes up to n bids from one random stream and returns how many.
func (g *Generator) streamBids(e *Events, k keys, number int64, row, n int) int {
	b, p := &e.Bids, &g.bids
	st := e.states[:n]
	end, bad := chooseStream(b.Auction[row:row+n], b.Bidder[row:row+n], st, uint64(g.state), p, k)
	bad |= pickChannels(b.Channel[row:row+n], st)
	bad |= cutExtras(b.Extra[row:row+n], st, p, g.static)
	if g.want&BidPrice != 0 {
		prices(b.Price[row:row+n], st)
	}
	if g.want&BidTime != 0 {
		g.time.fill(b.Time[row:row+n], number)
	}
	if bad == 0 {
		g.state = random(end)
		return n
	}
	good := trailingZeros(bad)
	if good > 0 {
		g.state = random(st[good-1] + 5*factors.step)
	}
	g.bid(b, &g.state, number+int64(good), row+good)
	return good + 1
}
