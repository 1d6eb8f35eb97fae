package oracle

import (
	"slices"

	"streamsql/nexmark"
)

// answers has the rows of each query, in no order.
var answers = map[string]func([]Event) []string{
	"q0": q0, "q1": q1, "q2": q2, "q3": q3, "q4": q4, "q5": q5, "q6": q6, "q6last": q6last, "q7": q7, "q8": q8, "q9": q9,
	"q9k": q9k, "q11": q11, "q12e": q12e, "q13": q13, "q14": q14, "q15": q15, "q16": q16, "q17": q17, "q18": q18, "q18k": q18k,
	"q19": q19, "q19k": q19k, "q20": q20, "q21": q21, "q22": q22, "q23": q23,
	"cep0": cep0, "cep1": cep1, "cep2": cep2, "cep3": cep3,
}

// Knows tells whether there is an answer to a query.
func Knows(query string) bool { return answers[query] != nil }

// Answer is the final table of a query over all events.
func Answer(query string, events []Event) []string {
	out := answers[query](events)
	slices.Sort(out)
	return out
}

// windowSize and slide are those of the queries with windows, in milliseconds.
const (
	windowSize = 10_000
	slide      = 2_000
)

// start is where the window of a moment begins.
func start(ms, size int64) int64 { return ms - (ms%size+size)%size }

func persons(events []Event) []*Event  { return of(events, nexmark.Person) }
func auctions(events []Event) []*Event { return of(events, nexmark.Auction) }
func bids(events []Event) []*Event     { return of(events, nexmark.Bid) }

// bidCells are all columns of a bid, auctionCells those of an auction without its id.
func bidCells(b *Event) []any {
	return []any{b.Auction, b.Bidder, b.Price, b.Channel, b.URL, b.Time, b.Extra}
}

func auctionCells(a *Event) []any {
	return []any{a.Item, a.Description, a.InitialBid, a.Reserve, a.Time, a.Expires, a.Seller, a.Category, a.Extra}
}
