package nexmark

// seededBids makes n bids, each from its own seed: only the columns that are wanted are drawn.
func (g *Generator) seededBids(e *Events, k keys, number int64, row, n int) {
	b, p := &e.Bids, &g.bids
	st := e.states[:n]
	if g.draw&BidTime != 0 {
		g.time.fill(b.Time[row:row+n], number)
	}
	if g.draw&bidDrawn == 0 {
		return
	}
	seeds(st, g.cfg.Seed+2+gamma*uint64(g.cfg.FirstID+number))
	bad := chooseSeeded(b.Auction[row:row+n], b.Bidder[row:row+n], st, p, k)
	if g.draw&BidChannel != 0 {
		bad |= pickChannels(b.Channel[row:row+n], st)
	}
	if g.draw&BidExtra != 0 {
		bad |= cutExtras(b.Extra[row:row+n], st, p, g.static)
	}
	if g.draw&BidPrice != 0 {
		prices(b.Price[row:row+n], st)
	}
	for ; bad != 0; bad &= bad - 1 {
		i := trailingZeros(bad)
		r := g.seedOf(g.cfg.FirstID + number + int64(i))
		g.bid(b, &r, number+int64(i), row+i)
	}
}

// seeds writes the seeds of consecutive events, the first of which is the mix of s.
func seeds(st []uint64, s uint64) {
	for i := range st {
		st[i] = mix64(s)
		s += gamma
	}
}

// chooseSeeded draws auction and bidder of bids with a seed each and leaves the states behind these draws.
func chooseSeeded(auction, bidder []int64, st []uint64, p *bidPath, k keys) (bad uint64) {
	auction, bidder = auction[:len(st)], bidder[:len(st)]
	aRatio, bRatio, powers, slack := p.hotAuctions, p.hotBidders, p.powers, p.slack
	aBound, bBound := p.auction, p.bidder
	aCold, bCold := uint64(k.auction-k.hotAuction), uint64(k.bidder-k.hotBidder)
	step, f1, f2 := factors.step, factors.first, factors.second
	for i := range st {
		s := st[i] + step
		m1, m2, m3, m4 := mix(s, f1, f2), mix(s+step, f1, f2), mix(s+step*2, f1, f2), mix(s+step*3, f1, f2)
		var a, b uint64
		if powers {
			a = masked(m1, aRatio.mask)
			b = masked(m2^(m2^m3)&a, bRatio.mask)
		} else {
			a = cold(m1, aRatio.factor, aRatio.limit)
			b = cold(m2^(m2^m3)&a, bRatio.factor, bRatio.limit)
			if int32((uint32(m1>>33)+slack)|(uint32(m3>>33)+slack)) < 0 {
				bad |= 1 << (i & 63)
			}
		}
		u, v := m2>>33, (m3^(m3^m4)&a)>>33
		if int32((uint32(u)+slack)|(uint32(v)+slack)) < 0 {
			bad |= 1 << (i & 63)
		}
		auction[i] = k.hotAuction + int64((aBound.of(u)+aCold)&a)
		bidder[i] = k.hotBidder + int64((bBound.of(v)+bCold)&b)
		st[i] = s + step + step&a + step&b
	}
	return bad
}
