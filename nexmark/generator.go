// Package nexmark makes the events of the Nexmark benchmark (an online auction: persons, auctions and bids) and serves
// them as the table connector of the same name. It knows the algorithm of the benchmark's generator, bit for bit; it
// knows nothing of queries, of the clock (a caller paces it) or of files.
//
//  1. Events are a function of the Config and of the number of the event alone, whatever the size of the batches.
//  2. The fast paths and the plain one (plain.go) give the same events; the plain one says what is right.
//  3. The position of a generator is its event count and 64 bits of random state; from there it goes on exactly.
//  4. Nothing is allocated per event, and in the steady state nothing per batch.
//  5. With a seed per event any event, and any column of it, can be made alone.
package nexmark

// Generator makes the events of one Config in order.
type Generator struct {
	cfg    Config
	static *Static
	time   timeline
	limit  int64
	total  int64
	ahead  int64 // events until an auction that opens now closes, at most
	count  int64
	state  random

	keep    [kinds]bool
	want    Columns
	draw    Columns // what is drawn: with one random stream everything
	inOrder bool
	bids    bidPath
}

// New prepares a generator at its first event. The static data must be that of the configuration's seed.
func New(c Config, static *Static) (*Generator, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	g := &Generator{
		cfg: c, static: static, time: newTimeline(&c), limit: c.limit(), total: c.total(),
		state: random(c.Seed + 2 + uint64(c.Subtask)),
	}
	if c.Auctions > 0 {
		g.ahead = c.InFlight * g.total / c.Auctions
	}
	largest := max(c.PersonSize, c.AuctionSize, c.BidSize)
	g.inOrder = c.GroupSize == 1 && largest+largest/4 < poolReach
	g.bids = newBidPath(&c)
	g.Select(AllColumns, true, true, true)
	return g, nil
}

// Select restricts what is made to some kinds of events and some columns. Batches then hold only events of these kinds;
// the other columns' contents are undefined. With one random stream all draws are made nevertheless, and only what
// costs more than the draw is left out.
func (g *Generator) Select(want Columns, person, auction, bid bool) {
	g.keep = [kinds]bool{person, auction, bid}
	for k, of := range [kinds]Columns{allPerson, allAuction, allBid} {
		if !g.keep[k] {
			want &^= of
		}
	}
	g.want, g.draw = want, AllColumns
	if g.cfg.SeedPerEvent {
		g.draw = want
	}
}

// Position returns the number of events made and the random state behind the last one.
func (g *Generator) Position() (count int64, state uint64) { return g.count, uint64(g.state) }

// Resume goes to a position. Where each event has its own seed any count will do, and the state means nothing.
func (g *Generator) Resume(count int64, state uint64) { g.count, g.state = count, random(state) }

// Remaining is the number of events still to come.
func (g *Generator) Remaining() int64 { return max(g.limit-g.count, 0) }

// Append makes the next n events, or fewer at the end of the stream or where a batch grows too large, and appends those
// that are selected to e, which must have room for n. It returns the number of events made.
func (g *Generator) Append(e *Events, n int) int {
	n = int(min(int64(n), g.Remaining()))
	start := g.count
	for end := start + int64(n); g.count < end; {
		if !g.inOrder {
			g.single(e)
			if len(e.Persons.Fresh)+len(e.Auctions.Fresh)+len(e.Bids.Fresh) > freshLimit {
				break
			}
			continue
		}
		g.run(e, int(end-g.count))
	}
	return int(g.count - start)
}

// run appends up to n events of one kind, all of the same epoch: between two events of the type pattern's period the
// last person and the last auction stand still for bids and move by one for the others.
func (g *Generator) run(e *Events, n int) {
	c := &g.cfg
	number := c.FirstNumber + g.count
	id := c.FirstID + number
	off := id % g.total
	switch {
	case off < c.Persons:
		n = int(min(int64(n), c.Persons-off))
		g.personRun(e, number, n)
	case off < c.Persons+c.Auctions:
		n = int(min(int64(n), c.Persons+c.Auctions-off))
		g.auctionRun(e, number, n)
	default:
		n = int(min(int64(n), g.total-off))
		g.bidRun(e, number, n)
	}
	g.count += int64(n)
}

// kindOf returns the kind of the event with an id.
func (g *Generator) kindOf(id int64) Kind {
	off := id % g.total
	switch {
	case off < g.cfg.Persons:
		return Person
	case off < g.cfg.Persons+g.cfg.Auctions:
		return Auction
	}
	return Bid
}
