package nexmark

// personRun appends n persons of one epoch.
func (g *Generator) personRun(e *Events, number int64, n int) {
	for i := range int64(n) {
		if g.cfg.SeedPerEvent {
			if !g.keep[Person] {
				return
			}
			g.state = g.seedOf(g.cfg.FirstID + number + i)
		}
		g.person(e, &g.state, number+i, e.Persons.Len)
		if g.keep[Person] {
			e.add(Person, 1)
		}
	}
}

// auctionRun appends n auctions of one epoch.
func (g *Generator) auctionRun(e *Events, number int64, n int) {
	for i := range int64(n) {
		if g.cfg.SeedPerEvent {
			if !g.keep[Auction] {
				return
			}
			g.state = g.seedOf(g.cfg.FirstID + number + i)
		}
		g.auction(e, &g.state, number+i, e.Auctions.Len)
		if g.keep[Auction] {
			e.add(Auction, 1)
		}
	}
}
