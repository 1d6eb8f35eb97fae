package nexmark

import (
	"streamsql/exec/kernel"
)

// Kind says which of the three relations an event belongs to.
type Kind int

// The kinds, with the values of the event_type column.
const (
	Person Kind = iota
	Auction
	Bid
	kinds
)

// Events is one batch of generated events, in the order of generation: one entry of Types, Codes and Valid per event,
// and the columns of each kind, dense, holding only the events of that kind. The memory is reused by Reset.
type Events struct {
	// Len is the number of events.
	Len int
	// Types holds the kind of each event.
	Types []int32
	// Codes leads, for each kind, from an event to its row in the kind's columns, and to 0 for events of other kinds.
	Codes [kinds][]int32
	// Valid has, for each kind, a bit for the events of that kind; bits past Len are zero.
	Valid [kinds][]uint64
	// Persons, Auctions and Bids are the columns of each kind.
	Persons  Persons
	Auctions Auctions
	Bids     Bids

	iota, types []int32 // sources to copy from: 0, 1, 2 … and runs of each kind
	states      [runLen]uint64
}

// Persons are the columns of the persons. Name, City and State are indexes into the lists of Static; views lie in Text,
// those of Extra in the pool (buffer 0) or in Fresh (buffer 1).
type Persons struct {
	Len                int
	ID, Time           []int64
	Name, City, State  []int32
	Email, Card, Extra []kernel.View
	Text, Fresh        []byte
}

// Auctions are the columns of the auctions. Views lie in Text, those of Extra in the pool (buffer 0) or in Fresh
// (buffer 1).
type Auctions struct {
	Len                                                      int
	ID, InitialBid, Reserve, Time, Expires, Seller, Category []int64
	Item, Description, Extra                                 []kernel.View
	Text, Fresh                                              []byte
}

// Bids are the columns of the bids. Channel is the index of the channel and of the URL in the lists of Static; views of
// Extra lie in the pool (buffer 0) or in Fresh (buffer 1).
type Bids struct {
	Len                          int
	Auction, Bidder, Price, Time []int64
	Channel                      []int32
	Extra                        []kernel.View
	Fresh                        []byte
}

const (
	runLen      = 64 // longest run of bids that is generated at once
	personText  = 15 + 19
	auctionText = 19 + 99
	freshLimit  = 4 << 20 // bytes of freshly drawn text that end a batch
)

// NewEvents returns an empty batch with room for n events.
func NewEvents(n int) *Events {
	e := &Events{Types: make([]int32, n), iota: make([]int32, n), types: make([]int32, int(kinds)*n)}
	for k := range kinds {
		e.Codes[k] = make([]int32, n)
		e.Valid[k] = make([]uint64, (n+63)/64)
		for i := range n {
			e.types[int(k)*n+i] = int32(k)
		}
	}
	for i := range e.iota {
		e.iota[i] = int32(i)
	}
	p, a, b := &e.Persons, &e.Auctions, &e.Bids
	for _, c := range []*[]int64{
		&p.ID, &p.Time, &a.ID, &a.InitialBid, &a.Reserve, &a.Time, &a.Expires, &a.Seller, &a.Category,
		&b.Auction, &b.Bidder, &b.Price, &b.Time,
	} {
		*c = make([]int64, n)
	}
	for _, c := range []*[]int32{&p.Name, &p.City, &p.State, &b.Channel} {
		*c = make([]int32, n)
	}
	for _, c := range []*[]kernel.View{&p.Email, &p.Card, &p.Extra, &a.Item, &a.Description, &a.Extra, &b.Extra} {
		*c = make([]kernel.View, n)
	}
	p.Text, a.Text = make([]byte, n*personText), make([]byte, n*auctionText)
	return e
}

// Cap is the number of events that the batch has room for.
func (e *Events) Cap() int { return len(e.Types) }

// Reset empties the batch.
func (e *Events) Reset() {
	for k := range kinds {
		clear(e.Codes[k][:e.Len])
		clear(e.Valid[k])
	}
	e.Len, e.Persons.Len, e.Auctions.Len, e.Bids.Len = 0, 0, 0, 0
	e.Persons.Fresh, e.Auctions.Fresh, e.Bids.Fresh = e.Persons.Fresh[:0], e.Auctions.Fresh[:0], e.Bids.Fresh[:0]
}

// next is the row that the next event of a kind will take.
func (e *Events) next(kind Kind) int {
	switch kind {
	case Person:
		return e.Persons.Len
	case Auction:
		return e.Auctions.Len
	}
	return e.Bids.Len
}

// add appends n events of one kind, whose columns are written behind those of the kind's earlier ones.
func (e *Events) add(kind Kind, n int) {
	row := e.next(kind)
	copy(e.Types[e.Len:e.Len+n], e.types[int(kind)*e.Cap():])
	copy(e.Codes[kind][e.Len:e.Len+n], e.iota[row:])
	setBits(e.Valid[kind], e.Len, e.Len+n)
	e.Len += n
	switch kind {
	case Person:
		e.Persons.Len += n
	case Auction:
		e.Auctions.Len += n
	default:
		e.Bids.Len += n
	}
}

// setBits sets the bits from up to, not including, to.
func setBits(words []uint64, from, to int) {
	for from < to {
		n := min(64-from%64, to-from)
		words[from/64] |= (1<<n - 1) << (from % 64)
		from += n
	}
}
