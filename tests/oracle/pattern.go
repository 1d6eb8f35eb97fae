package oracle

import (
	"cmp"
	"slices"
)

// attempt is what comes of beginning a match with a row: the row that it ends with, a failure, or neither.
type attempt struct {
	end  int
	open bool // for ever: what begins later is never given
}

// matches calls give with the bids of every match of a pattern, in the order of time: those of a bidder at an auction from
// the first one to the last. try begins with bid i; next is the bid that the match behind one from first to last may begin
// with.
func matches(events []Event, try func(list []*Event, i int) (attempt, bool), next func(first, last int) int, give func(list []*Event)) {
	type key struct{ auction, bidder int64 }
	for _, list := range by(bids(events), func(b *Event) key { return key{b.Auction, b.Bidder} }) {
		slices.SortStableFunc(list, func(a, b *Event) int { return cmp.Compare(a.Time, b.Time) })
		for i := 0; i < len(list); {
			a, ok := try(list, i)
			switch {
			case a.open:
				i = len(list)
			case ok:
				give(list[i : a.end+1])
				i = next(i, a.end)
			default:
				i++
			}
		}
	}
}

// less is SQL's: not true of NULL.
func less(a, b int64) bool { return a != Null && b != Null && a < b }

// minus is NULL where one side is.
func minus(a, b int64) int64 {
	if a == Null || b == Null {
		return Null
	}
	return a - b
}

func cep0(events []Event) (out []string) {
	try := func(list []*Event, i int) (attempt, bool) {
		down, before := int64(Null), int64(Null)
		for j := i + 1; j < len(list); j++ {
			price := list[j].Price
			switch {
			case less(price, down) || down == Null && less(price, list[i].Price):
				down, before = price, down
			case j > i+1 && less(before, price):
				return attempt{end: j}, true
			default:
				return attempt{}, false
			}
		}
		return attempt{open: true}, false
	}
	matches(events, try, func(_, last int) int { return last }, func(list []*Event) {
		n := len(list)
		out = append(out, line(list[0].Auction, list[0].Bidder, list[0].Time, list[n-2].Time, list[n-1].Time))
	})
	return out
}

// cheap are the rows of cep1 and cep2, which differ in where the match behind a match begins.
func cheap(events []Event, next func(first, last int) int) (out []string) {
	try := func(list []*Event, i int) (attempt, bool) {
		for j := i; j < len(list); j++ {
			if !less(average(prices(list[i:j+1])), 10_000) {
				return attempt{end: j}, j > i
			}
		}
		return attempt{open: true}, false
	}
	matches(events, try, next, func(list []*Event) {
		a := list[:len(list)-1]
		out = append(out, line(a[0].Auction, a[0].Bidder, a[0].Time, a[len(a)-1].Time, average(prices(a))))
	})
	return out
}

func cep1(events []Event) []string { return cheap(events, func(_, last int) int { return last + 1 }) }
func cep2(events []Event) []string { return cheap(events, func(first, _ int) int { return first + 1 }) }

func cep3(events []Event) (out []string) {
	try := func(list []*Event, i int) (attempt, bool) {
		bound := minus(list[i].Price, 50)
		for j := i + 1; j < len(list) && list[j].Time-list[i].Time < 5000; j++ {
			if price := list[j].Price; !less(bound, price) {
				return attempt{end: j}, less(price, bound)
			}
		}
		return attempt{}, false
	}
	matches(events, try, func(_, last int) int { return last + 1 }, func(list []*Event) {
		first, last := list[0], list[len(list)-1]
		out = append(out, line(first.Auction, first.Bidder, last.Time, minus(first.Price, last.Price)))
	})
	return out
}
