package oracle

import (
	"cmp"
	"slices"
)

// sale is a bid on an auction that was open then; arrival is the bid's place among all bids.
type sale struct {
	auction, bid *Event
	arrival      int
}

// sold are all bids with their auctions, in the order in which the bids came.
func sold(events []Event) (out []sale) {
	byID := by(auctions(events), func(a *Event) int64 { return a.ID })
	for i, b := range bids(events) {
		for _, a := range byID[b.Auction] {
			if a.ID != Null && between(b.Time, a.Time, a.Expires) {
				out = append(out, sale{a, b, i})
			}
		}
	}
	return out
}

func q3(events []Event) (out []string) {
	for _, a := range auctions(events) {
		for _, p := range persons(events) {
			if equal(a.Seller, p.ID) && a.Category == 10 && (p.State == "OR" || p.State == "ID" || p.State == "CA") {
				out = append(out, line(p.Name, p.City, p.State, a.ID))
			}
		}
	}
	return out
}

func q7(events []Event) (out []string) {
	list := bids(events)
	for at, window := range by(list, func(b *Event) int64 { return start(b.Time, windowSize) }) {
		most, end := slices.Max(prices(window)), at+windowSize
		for _, b := range list {
			if equal(b.Price, most) && between(b.Time, end-windowSize, end) {
				out = append(out, line(b.Auction, b.Price, b.Bidder, b.Time, b.Extra))
			}
		}
	}
	return out
}

func q8(events []Event) (out []string) {
	type seller struct{ id, start int64 }
	sells := map[seller]bool{}
	for _, a := range auctions(events) {
		sells[seller{a.Seller, start(a.Time, windowSize)}] = a.Seller != Null
	}
	rows := map[string]bool{}
	for _, p := range persons(events) {
		if at := start(p.Time, windowSize); sells[seller{p.ID, at}] {
			rows[line(p.ID, p.Name, at)] = true
		}
	}
	for r := range rows {
		out = append(out, r)
	}
	return out
}

// winners are the best sales of each auction and seller, by an order of sales.
func winners(events []Event, order func(a, b sale) int) (out []sale) {
	best := map[[2]int64]sale{}
	for _, s := range sold(events) {
		key := [2]int64{s.auction.ID, s.auction.Seller}
		if old, ok := best[key]; !ok || order(s, old) < 0 {
			best[key] = s
		}
	}
	for _, s := range best {
		out = append(out, s)
	}
	return out
}

func highest(a, b sale) int { return cmp.Compare(b.bid.Price, a.bid.Price) }

func earliestHighest(a, b sale) int {
	return cmp.Or(highest(a, b), cmp.Compare(a.bid.Time, b.bid.Time))
}

func q9(events []Event) (out []string) {
	for _, s := range winners(events, earliestHighest) {
		row := append([]any{s.auction.ID}, auctionCells(s.auction)...)
		out = append(out, line(append(row, s.bid.Auction, s.bid.Bidder, s.bid.Price, s.bid.Time, s.bid.Extra)...))
	}
	return out
}

func q9k(events []Event) (out []string) {
	for _, s := range winners(events, earliestHighest) {
		out = append(out, line(s.auction.ID, s.bid.Price, s.bid.Time))
	}
	return out
}

// averages is q6 by seller: of each sale won, what it and the ten before it were won for on average.
func averages(events []Event) map[int64][]string {
	bySeller, out := map[int64][]sale{}, map[int64][]string{}
	for _, s := range winners(events, highest) {
		bySeller[s.auction.Seller] = append(bySeller[s.auction.Seller], s)
	}
	for seller, won := range bySeller {
		slices.SortFunc(won, func(a, b sale) int {
			return cmp.Or(cmp.Compare(a.bid.Time, b.bid.Time), cmp.Compare(a.arrival, b.arrival))
		})
		var finals []int64
		for i, s := range won {
			finals = append(finals, s.bid.Price)
			out[seller] = append(out[seller], line(seller, average(finals[max(0, i-10):])))
		}
	}
	return out
}

func q6(events []Event) (out []string) {
	for _, rows := range averages(events) {
		out = append(out, rows...)
	}
	return out
}

func q6last(events []Event) (out []string) {
	for _, rows := range averages(events) {
		out = append(out, rows[len(rows)-1])
	}
	return out
}

func q20(events []Event) (out []string) {
	byID := by(auctions(events), func(a *Event) int64 { return a.ID })
	for _, b := range bids(events) {
		for _, a := range byID[b.Auction] {
			if a.ID != Null && a.Category == 10 {
				out = append(out, line(append(bidCells(b), auctionCells(a)...)...))
			}
		}
	}
	return out
}

func q23(events []Event) (out []string) {
	byID := by(persons(events), func(p *Event) int64 { return p.ID })
	bySeller := by(auctions(events), func(a *Event) int64 { return a.Seller })
	for _, b := range bids(events) {
		if b.Bidder == Null {
			continue
		}
		for _, p := range byID[b.Bidder] {
			for _, a := range bySeller[b.Bidder] {
				row := []any{b.Bidder, b.Price, b.Channel, b.URL, b.Extra, p.ID, p.Name, p.Email, p.Card, p.City, p.State, p.Extra}
				out = append(out, line(append(row, auctionCells(a)...)...))
			}
		}
	}
	return out
}
