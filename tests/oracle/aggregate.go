package oracle

import (
	"slices"
	"time"
)

func q4(events []Event) (out []string) {
	best := map[[2]int64]int64{}
	for _, w := range sold(events) {
		key := [2]int64{w.auction.ID, w.auction.Category}
		if v, ok := best[key]; !ok || w.bid.Price > v {
			best[key] = w.bid.Price
		}
	}
	finals := map[int64][]int64{}
	for k, v := range best {
		finals[k[1]] = append(finals[k[1]], v)
	}
	for category, v := range finals {
		out = append(out, line(category, average(v)))
	}
	return out
}

func q5(events []Event) (out []string) {
	counts := map[int64]map[int64]int64{}
	for _, b := range bids(events) {
		for at := start(b.Time, slide); at > b.Time-windowSize; at -= slide {
			if counts[at] == nil {
				counts[at] = map[int64]int64{}
			}
			counts[at][b.Auction]++
		}
	}
	for _, window := range counts {
		most := int64(0)
		for _, n := range window {
			most = max(most, n)
		}
		for auction, n := range window {
			if n == most {
				out = append(out, line(auction, n))
			}
		}
	}
	return out
}

func q11(events []Event) (out []string) {
	for bidder, list := range by(bids(events), func(b *Event) int64 { return b.Bidder }) {
		slices.SortStableFunc(list, func(a, b *Event) int { return int(a.Time - b.Time) })
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && list[to].Time-list[to-1].Time <= windowSize {
				to++
			}
			out = append(out, line(bidder, int64(to-from), list[from].Time, list[to-1].Time+windowSize))
			from = to
		}
	}
	return out
}

func q12e(events []Event) (out []string) {
	type window struct{ bidder, start int64 }
	for w, list := range by(bids(events), func(b *Event) window { return window{b.Bidder, start(b.Time, windowSize)} }) {
		out = append(out, line(w.bidder, int64(len(list)), w.start, w.start+windowSize))
	}
	return out
}

// classes are all prices, and those of three classes.
var classes = []func(price int64) bool{
	func(int64) bool { return true },
	func(p int64) bool { return p != Null && p < 10_000 },
	func(p int64) bool { return p != Null && p >= 10_000 && p < 1_000_000 },
	func(p int64) bool { return p >= 1_000_000 },
}

// counted is how many bids there are in each class.
func counted(list []*Event) (out []any) {
	for _, in := range classes {
		n := int64(0)
		for _, b := range list {
			if in(b.Price) {
				n++
			}
		}
		out = append(out, n)
	}
	return out
}

// distinct is how many different values there are in each class, NULL not among them.
func distinct(list []*Event, value func(*Event) int64) (out []any) {
	for _, in := range classes {
		seen := map[int64]bool{}
		for _, b := range list {
			if v := value(b); v != Null && in(b.Price) {
				seen[v] = true
			}
		}
		out = append(out, int64(len(seen)))
	}
	return out
}

func statistics(list []*Event) []any {
	return slices.Concat(counted(list), distinct(list, func(b *Event) int64 { return b.Bidder }),
		distinct(list, func(b *Event) int64 { return b.Auction }))
}

func q15(events []Event) (out []string) {
	for d, list := range by(bids(events), func(b *Event) string { return day(b.Time) }) {
		out = append(out, line(append([]any{d}, statistics(list)...)...))
	}
	return out
}

func q16(events []Event) (out []string) {
	type key struct{ channel, day string }
	for k, list := range by(bids(events), func(b *Event) key { return key{b.Channel, day(b.Time)} }) {
		minute := ""
		for _, b := range list {
			minute = max(minute, time.UnixMilli(b.Time).UTC().Format("15:04"))
		}
		out = append(out, line(append([]any{k.channel, k.day, minute}, statistics(list)...)...))
	}
	return out
}

func q17(events []Event) (out []string) {
	type key struct {
		auction int64
		day     string
	}
	for k, list := range by(bids(events), func(b *Event) key { return key{b.Auction, day(b.Time)} }) {
		p := prices(list)
		total, _ := sum(p)
		row := slices.Concat([]any{k.auction, k.day}, counted(list), []any{least(p), slices.Max(p), average(p), total})
		out = append(out, line(row...))
	}
	return out
}
