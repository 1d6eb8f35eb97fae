package oracle

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"streamsql/nexmark"
)

// Wild makes events that the benchmark never has: few keys, so that all meet; equal prices and times; moments on the
// bounds of windows and a session's length apart; auctions that no bid is in time for; NULLs. Ids of auctions are there
// once. Times grow, so that no order of arrival is needed.
func Wild(r *rand.Rand, n int) []Event {
	out := make([]Event, n)
	at, ids := int64(1_700_000_000_000), int64(0)
	for i := range out {
		at += []int64{0, 0, 1, 500, 1000, 2000, 5000, 10_000, 10_001}[r.IntN(9)]
		if r.IntN(12) == 0 {
			at = start(at, windowSize) + windowSize
		}
		e := &out[i]
		e.Time, e.Extra, e.Kind = at, text(r, "x", 5), nexmark.Bid
		switch r.IntN(6) {
		case 0:
			e.Kind = nexmark.Person
			e.ID = small(r, 9)
			e.Name, e.Email, e.Card = text(r, "name", 3), text(r, "mail", 3), text(r, "card", 3)
			e.City, e.State = text(r, "city", 3), []string{"OR", "ID", "CA", "WA", NullText}[r.IntN(5)]
		case 1:
			e.Kind = nexmark.Auction
			e.ID, ids = ids, ids+1
			e.Item, e.Description = text(r, "item", 3), text(r, "about", 3)
			e.InitialBid, e.Reserve, e.Seller, e.Category = small(r, 9), small(r, 9), small(r, 9), 10+int64(r.IntN(2))
			e.Expires = at + []int64{0, 1, 1000, 10_000, 30_000, -1}[r.IntN(6)]
		default:
			e.Auction = small(r, 3)
			if r.IntN(3) > 0 { // one of the newest, or one that comes soon
				e.Auction = max(ids-2+int64(r.IntN(3)), 0)
			}
			e.Bidder, e.Price = small(r, 9), []int64{1, 2, 9_999, 10_000, 1_200_000, 40_000_000, Null}[r.IntN(7)]
			e.Channel, e.URL = text(r, "Apple", 2), text(r, "https://host/a/b/c&channel_id=7", 2)
		}
	}
	return out
}

// small is a number below n, seldom Null.
func small(r *rand.Rand, n int) int64 {
	if r.IntN(10) == 0 {
		return Null
	}
	return int64(r.IntN(n))
}

// text is one of n texts that begin with a word, or NULL.
func text(r *rand.Rand, word string, n int) string {
	i := r.IntN(n + 1)
	if i == n {
		return NullText
	}
	return word + string(rune('a'+i))
}

// Permuted is the events in another order: none comes more than a bound of time after one that is younger.
func Permuted(r *rand.Rand, events []Event, bound int64) []Event {
	type placed struct {
		at int64
		e  Event
	}
	list := make([]placed, len(events))
	for i, e := range events {
		list[i] = placed{e.Time + r.Int64N(bound+1), e}
	}
	r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	out := make([]Event, len(list))
	for i, p := range list {
		out[i] = p.e
	}
	return out
}
