package nexmark

import "streamsql/exec/kernel"

// The plain path: one event at a time, in any configuration. What it makes is right by definition; the other paths are
// measured against it.

// lastPerson is the id, less the first, of the last person born when the event happens.
func (g *Generator) lastPerson(id int64) int64 {
	return id/g.total*g.cfg.Persons + min(id%g.total, g.cfg.Persons-1)
}

// lastAuction is the id, less the first, of the last auction opened; -1 when there is none.
func (g *Generator) lastAuction(id int64) int64 {
	c := &g.cfg
	epoch, off := id/g.total, id%g.total
	switch {
	case off < c.Persons:
		return (epoch-1)*c.Auctions + c.Auctions - 1
	case off >= c.Persons+c.Auctions:
		return epoch*c.Auctions + c.Auctions - 1
	}
	return epoch*c.Auctions + off - c.Persons
}

// somePerson draws one of the active people or of those born next.
func (g *Generator) somePerson(r *random, last int64) int64 {
	active := min(last+1, g.cfg.ActivePeople)
	return last + 1 - active + r.belowLong(active+extraPeople)
}

// someAuction draws one of the open auctions or of those opened next.
func (g *Generator) someAuction(r *random, last int64) int64 {
	low := max(last-g.cfg.InFlight, 0)
	return low + r.belowLong(last-low+1+extraAuctions)
}

// seedOf is the state from which the event with an id is drawn when each has its own: the raw draw number id of the
// generator random of subtask 0, the same for any division of the ids.
func (g *Generator) seedOf(id int64) random {
	return random(mix64(g.cfg.Seed + 2 + gamma*uint64(id)))
}

// groupStep is how far apart consecutive events of a group come to stand; a prime.
const groupStep = 953

// single appends the next event.
func (g *Generator) single(e *Events) {
	c := &g.cfg
	number := c.FirstNumber + g.count
	number = number/c.GroupSize*c.GroupSize + number*groupStep%c.GroupSize
	id := c.FirstID + number
	kind := g.kindOf(id)
	g.count++
	if c.SeedPerEvent {
		if !g.keep[kind] {
			return
		}
		g.state = g.seedOf(id)
	}
	row := e.next(kind)
	switch kind {
	case Person:
		g.person(e, &g.state, number, row)
	case Auction:
		g.auction(e, &g.state, number, row)
	default:
		g.bid(&e.Bids, &g.state, number, row)
	}
	if g.keep[kind] {
		e.add(kind, 1)
	}
}

// The columns that need draws at all, and those that stand at or behind an auction's texts. With a seed per event the
// draws behind the last column that is wanted are left out.
const (
	personDrawn  = PersonName | PersonEmail | PersonCard | PersonCity | PersonState | PersonExtra
	auctionDrawn = AuctionSeller | AuctionCategory | AuctionInitialBid | AuctionExpires | auctionTexts
	auctionTexts = AuctionItem | AuctionDescription | AuctionReserve | AuctionExtra
	bidDrawn     = BidAuction | BidBidder | BidPrice | BidChannel | BidExtra
)

func (g *Generator) person(e *Events, r *random, number int64, row int) {
	p, id := &e.Persons, g.cfg.FirstID+number
	p.ID[row] = g.lastPerson(id) + firstPerson
	p.Time[row] = g.time.at(number)
	if g.draw&personDrawn == 0 {
		return
	}
	first := r.below(int32(len(firstNames)))
	name := first*int32(len(lastNames)) + r.below(int32(len(lastNames)))
	p.Name[row] = name
	if g.draw&(personDrawn&^PersonName) == 0 {
		return
	}
	email := r.email(p.Text[row*personText:])
	p.Email[row] = kernel.MakeView(p.Text, 0, row*personText, email)
	at := row*personText + 15
	r.card(p.Text[at : at+cardLen])
	p.Card[row] = kernel.MakeView(p.Text, 0, at, cardLen)
	city, state := r.below(int32(len(cityNames))), r.below(int32(len(stateNames)))
	p.City[row], p.State[row] = city, state
	t := g.static
	size := 8 + len(t.Names[name]) + email + cardLen + len(t.Cities[city]) + len(t.States[state])
	p.Extra[row], p.Fresh = g.extra(r, p.Fresh, size, g.cfg.PersonSize)
}

const cardLen = 19

// email writes an address to dst and returns its length.
func (r *random) email(dst []byte) int {
	var t [6]byte
	from, to := r.text(t[:], 7, ' ')
	n := copy(dst, t[from:to])
	n += copy(dst[n:], "@")
	from, to = r.text(t[:], 5, ' ')
	n += copy(dst[n:], t[from:to])
	return n + copy(dst[n:], ".com")
}

// card writes four groups of four digits.
func (r *random) card(dst []byte) {
	dst = dst[:cardLen]
	for i := 0; ; i += 5 {
		v := r.below(10_000)
		dst[i], dst[i+1] = byte('0'+v/1000), byte('0'+v/100%10)
		dst[i+2], dst[i+3] = byte('0'+v/10%10), byte('0'+v%10)
		if i == 15 {
			return
		}
		dst[i+4] = ' '
	}
}

func (g *Generator) auction(e *Events, r *random, number int64, row int) {
	a, c := &e.Auctions, &g.cfg
	id := c.FirstID + number
	now := g.time.at(number)
	a.ID[row] = g.lastAuction(id) + firstAuction
	a.Time[row] = now
	if g.draw&auctionDrawn == 0 {
		return
	}
	last := g.lastPerson(id)
	seller := last / hotBatch * hotBatch
	if r.below(c.HotSellers) == 0 {
		seller = g.somePerson(r, last)
	}
	a.Seller[row] = seller + firstPerson
	a.Category[row] = firstCategory + int64(r.below(5))
	priced := g.want&(AuctionInitialBid|AuctionReserve) != 0
	initial := r.priceIf(priced)
	a.InitialBid[row] = initial
	horizon := g.time.at(number+g.ahead) - now
	a.Expires[row] = now + 1 + r.belowLong(max(2*horizon, 1))
	if g.draw&auctionTexts == 0 {
		return
	}
	at := row * auctionText
	from, to := r.text(a.Text[at:], 20, ' ')
	item := to - from
	a.Item[row] = kernel.MakeView(a.Text, 0, at+from, item)
	from, to = r.text(a.Text[at+19:], 100, ' ')
	description := to - from
	a.Description[row] = kernel.MakeView(a.Text, 0, at+19+from, description)
	a.Reserve[row] = initial + r.priceIf(priced)
	a.Extra[row], a.Fresh = g.extra(r, a.Fresh, 48+item+description, c.AuctionSize)
}

func (g *Generator) bid(b *Bids, r *random, number int64, row int) {
	c := &g.cfg
	id := c.FirstID + number
	last := g.lastAuction(id)
	auction := last / hotBatch * hotBatch
	if r.below(c.HotAuctions) == 0 {
		auction = g.someAuction(r, last)
	}
	b.Auction[row] = auction + firstAuction
	last = g.lastPerson(id)
	bidder := last/hotBatch*hotBatch + 1
	if r.below(c.HotBidders) == 0 {
		bidder = g.somePerson(r, last)
	}
	// Upstream adds the first person's id twice; bidders therefore name people born a thousand persons later.
	b.Bidder[row] = bidder + 2*firstPerson
	b.Price[row] = r.priceIf(g.want&BidPrice != 0)
	if r.below(2) > 0 {
		b.Channel[row] = r.below(Hot)
	} else {
		b.Channel[row] = Hot + r.below(channels)
	}
	b.Time[row] = g.time.at(number)
	b.Extra[row], b.Fresh = g.extra(r, b.Fresh, 32, c.BidSize)
}

// extra draws the text that pads a row of size cur: a piece of the pool, or a fresh text behind those in fresh.
func (g *Generator) extra(r *random, fresh []byte, cur, avg int) (kernel.View, []byte) {
	n, some := r.padding(cur, avg)
	if !some {
		return kernel.View{}, fresh
	}
	if n < poolReach {
		off := int(r.below(int32(poolSize - n)))
		return kernel.MakeView(g.static.Pool, 0, off, n), fresh
	}
	at := len(fresh)
	fresh = append(fresh, make([]byte, n)...)
	r.fresh(fresh[at:])
	return kernel.MakeView(fresh, 1, at, n), fresh
}
