package oracle

import (
	"cmp"
	"slices"
)

// last is the last bid of each bidder and auction; of equal times the one that came last.
func last(events []Event) (out []*Event) {
	type key struct{ bidder, auction int64 }
	for _, list := range by(bids(events), func(b *Event) key { return key{b.Bidder, b.Auction} }) {
		best := list[0]
		for _, b := range list {
			if b.Time >= best.Time {
				best = b
			}
		}
		out = append(out, best)
	}
	return out
}

func q18(events []Event) (out []string) {
	for _, b := range last(events) {
		out = append(out, line(bidCells(b)...))
	}
	return out
}

func q18k(events []Event) (out []string) {
	for _, b := range last(events) {
		out = append(out, line(b.Auction, b.Bidder, b.Time))
	}
	return out
}

// top calls f with the ten highest bids of each auction and their places; of equal prices the one that came first is
// before the others.
func top(events []Event, f func(b *Event, place int64)) {
	for _, list := range by(bids(events), func(b *Event) int64 { return b.Auction }) {
		slices.SortStableFunc(list, func(a, b *Event) int { return cmp.Compare(b.Price, a.Price) })
		for i, b := range list[:min(10, len(list))] {
			f(b, int64(i+1))
		}
	}
}

func q19(events []Event) (out []string) {
	top(events, func(b *Event, place int64) { out = append(out, line(append(bidCells(b), place)...)) })
	return out
}

func q19k(events []Event) (out []string) {
	top(events, func(b *Event, place int64) { out = append(out, line(b.Auction, b.Price, place)) })
	return out
}
