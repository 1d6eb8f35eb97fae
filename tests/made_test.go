package tests

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"streamsql/nexmark"
	"streamsql/tests/oracle"
)

// made is a case that generated events do not have. Times are milliseconds behind a bound of all windows; the rows are
// columns divided by blanks.
type made struct {
	name, query string
	events      []oracle.Event
	want        []string
	late        bool // which rows are late is told at one subtask alone
	// forgotten is what comes in place of want where joins forget what the watermark has passed.
	forgotten []string
}

// epoch is a bound of all windows.
const epoch = 1_700_000_000_000

const null = oracle.Null

func bid(auction, bidder, price, at int64) oracle.Event {
	return oracle.Event{Kind: nexmark.Bid, Auction: auction, Bidder: bidder, Price: price, Time: epoch + at,
		Channel: "c", URL: "u", Extra: "x"}
}

func offer(id, seller, category, at, expires int64) oracle.Event {
	return oracle.Event{Kind: nexmark.Auction, ID: id, Seller: seller, Category: category, Time: epoch + at, Expires: epoch + expires,
		Item: "i", Description: "d", InitialBid: 1, Reserve: 2, Extra: "y"}
}

func person(id int64, name, state string, at int64) oracle.Event {
	return oracle.Event{Kind: nexmark.Person, ID: id, Name: name, State: state, Time: epoch + at, Email: "e", Card: "n", City: "t", Extra: "z"}
}

// madeCases are written by hand, from what Flink does.
var madeCases = []made{
	{name: "a bid at the end of a window is in the next one, and matches the maximum of both", query: "q7",
		events: []oracle.Event{bid(1, 11, 100, 0), bid(2, 12, 50, 1), bid(3, 13, 100, 10_000), bid(4, 14, 100, 10_001),
			bid(5, 15, 70, 20_000)},
		want: []string{"1 100 11 +0 x", "3 100 13 +10000 x", "3 100 13 +10000 x", "4 100 14 +10001 x", "5 70 15 +20000 x"}},
	{name: "a late bid is not in the maximum", query: "q7", late: true,
		events: []oracle.Event{bid(1, 1, 100, 0), bid(2, 2, 5, 20_000), bid(4, 4, 200, 600)},
		want:   []string{"1 100 1 +0 x", "2 5 2 +20000 x"}},
	{name: "a late bid matches a maximum", query: "q7", late: true,
		events: []oracle.Event{bid(1, 1, 100, 0), bid(2, 2, 5, 20_000), bid(3, 3, 100, 500)},
		want:   []string{"1 100 1 +0 x", "3 100 3 +500 x", "2 5 2 +20000 x"}, forgotten: []string{"1 100 1 +0 x", "2 5 2 +20000 x"}},
	{name: "a late bid on an auction that is over", query: "q9k", late: true,
		events: []oracle.Event{offer(1, 1, 10, 0, 100), bid(1, 1, 5, 10), bid(1, 1, 1, 20_000), bid(1, 1, 7, 50)},
		want:   []string{"1 7 +50"}, forgotten: []string{"1 5 +10"}},
	{name: "the maximum of NULLs is nobody's", query: "q7",
		events: []oracle.Event{bid(1, 11, null, 0), bid(2, 12, null, 10_000), bid(3, 13, 5, 10_001), bid(null, null, 5, 10_002)},
		want:   []string{"3 5 13 +10001 x", "NULL 5 NULL +10002 x"}},
	{name: "all who have the most bids", query: "q5",
		events: []oracle.Event{bid(1, 1, 1, 0), bid(2, 1, 1, 1_999), bid(2, 1, 1, 2_000), bid(1, 1, 1, 2_001)},
		want:   []string{"1 1", "2 1", "1 2", "2 2", "1 2", "2 2", "1 2", "2 2", "1 2", "2 2", "1 1", "2 1"},
	},
	{name: "NULL is an auction that most bids may be on", query: "q5",
		events: []oracle.Event{bid(null, 1, 1, 0), bid(null, 1, 1, 0), bid(7, 1, 1, 0)},
		want:   []string{"NULL 2", "NULL 2", "NULL 2", "NULL 2", "NULL 2"}},
	{name: "sessions that touch are one", query: "q11",
		events: []oracle.Event{bid(1, 1, 1, 0), bid(1, 1, 1, 10_000), bid(1, 1, 1, 20_001), bid(1, 2, 1, 20_002),
			bid(1, null, 1, 20_003), bid(1, null, 1, 30_003)},
		want: []string{"1 2 +0 +20000", "1 1 +20001 +30001", "2 1 +20002 +30002", "NULL 2 +20003 +40003"}},
	{name: "a row between two sessions makes one of them", query: "q11",
		events: []oracle.Event{bid(1, 1, 1, 0), bid(1, 1, 1, 13_000), bid(1, 1, 1, 9_500)},
		want:   []string{"1 3 +0 +23000"}},
	{name: "a window is closed once the watermark is at its last millisecond, and what comes then is late", query: "q12e", late: true,
		events: []oracle.Event{bid(1, 1, 1, 9_000), bid(1, 2, 1, 13_998), bid(1, 1, 1, 9_999), bid(1, 2, 1, 13_999),
			bid(1, 1, 1, 9_998), bid(1, 3, 1, 10_000)},
		want: []string{"1 2 +0 +10000", "2 2 +10000 +20000", "3 1 +10000 +20000"}},
	{name: "a late bid is in the windows that are open", query: "q5", late: true,
		events: []oracle.Event{bid(1, 1, 1, 0), bid(2, 1, 1, 9_000), bid(2, 1, 1, 100), bid(2, 1, 1, 200)},
		want:   []string{"1 1", "1 1", "2 2", "2 2", "2 3", "2 1", "2 1", "2 1", "2 1"}},
	{name: "persons and auctions of one window, told once", query: "q8",
		events: []oracle.Event{person(1, "a", "OR", 0), offer(1, 1, 10, 9_999, 9_999), offer(2, 1, 10, 5_000, 9_999),
			person(1, "b", "OR", 1),
			person(1, "a", "ID", 2), person(2, "c", "OR", 9_999), offer(3, 2, 10, 10_000, 10_000),
			person(null, "d", "OR", 3), offer(4, null, 10, 3, 3)},
		want: []string{"1 a +0", "1 b +0"}},
	{name: "NULL meets nobody", query: "q20", events: []oracle.Event{offer(null, 1, 10, 0, 1), bid(null, 1, 1, 0),
		offer(5, 1, null, 0, 1), bid(5, 1, 1, 0)}},
	{name: "sellers who come after their auctions", query: "q3",
		events: []oracle.Event{offer(1, 5, 10, 0, 0), offer(2, null, 10, 0, 0), offer(3, 5, null, 0, 0),
			person(5, "a", "OR", 9), person(null, "b", "OR", 9),
			person(5, "a", "WA", 9), person(5, oracle.NullText, "CA", 9)},
		want: []string{"a t OR 1", "NULL t CA 1"}},
	{name: "an auction is open from its first to its last millisecond", query: "q4",
		events: []oracle.Event{bid(1, 1, 9_000, 99), offer(1, 1, 10, 100, 200), bid(1, 1, 10, 100), bid(1, 1, 21, 200),
			bid(1, 1, 9_000, 201),
			offer(2, 1, 10, 100, 100), bid(2, 1, 30, 100), bid(2, 1, 9_000, 101), offer(3, 1, 11, 100, 200),
			bid(3, 1, null, 150), offer(4, 1, null, 100, 200), bid(4, 1, 7, 150)},
		want: []string{"10 25", "11 NULL", "NULL 7"}},
	{name: "bids before their auction", query: "q9k",
		events: []oracle.Event{bid(1, 1, 50, 100), bid(1, 2, 50, 90), bid(1, 3, 49, 80), offer(1, 1, 10, 80, 200),
			bid(1, 4, null, 110), bid(2, 1, null, 100), offer(2, 1, 10, 100, 100)},
		want: []string{"1 50 +90", "2 NULL +100"}},
	{name: "statistics of NULLs", query: "q17",
		events: []oracle.Event{bid(1, 1, null, 0), bid(1, 1, null, 0), bid(null, 1, 9_999, 0), bid(null, 1, null, 0),
			bid(null, 1, 10_000, 0)},
		want: []string{"1 2023-11-14 2 0 0 0 NULL NULL NULL NULL", "NULL 2023-11-14 3 1 1 0 9999 10000 9999 19999"}},
	{name: "the last of two at one time is the later one", query: "q18",
		events: []oracle.Event{bid(null, 1, 1, 5), bid(null, 1, 2, 5), bid(null, 1, 3, 4), bid(1, null, 4, 1)},
		want:   []string{"NULL 1 2 c u +5 x", "1 NULL 4 c u +1 x"}},
	{name: "NULL is the lowest price", query: "q19k",
		events: []oracle.Event{bid(1, 1, null, 0), bid(1, 1, 5, 0), bid(1, 1, 7, 0), bid(null, 1, 1, 0)},
		want:   []string{"1 7 1", "1 5 2", "1 NULL 3", "NULL 1 1"}},
	{name: "persons, their bids and what they sell", query: "q23",
		events: []oracle.Event{bid(9, 1, 3, 0), offer(1, 1, 10, 0, 1), person(1, "a", "OR", 0), person(null, "b", "OR", 0),
			bid(9, null, 3, 0), offer(2, null, 10, 0, 1)},
		want: []string{"1 3 c u x 1 a e n t OR z i d 1 2 +0 +1 1 10 y"}},
}

// lines writes rows as goldens are.
func lines(rows []string) []string {
	var out []string
	for _, w := range rows {
		cells := strings.Fields(w)
		for i, c := range cells {
			var ms int64
			if c == "NULL" {
				cells[i] = `\N`
			} else if n, _ := fmt.Sscanf(c, "+%d", &ms); n == 1 {
				cells[i] = fmt.Sprint(epoch + ms)
			}
		}
		out = append(out, strings.Join(cells, "\t"))
	}
	slices.Sort(out)
	return out
}

// TestMade: what generated events never show has the answer that was written by hand, in batches of any size, with and
// without each rule that changes how state is kept.
func TestMade(t *testing.T) {
	for i := range madeCases {
		m := &madeCases[i]
		for _, way := range []map[string]string{
			{"streamsql.batch-size": "1"}, {"streamsql.batch-size": "3"}, {"streamsql.batch-size": "1024"},
			{"streamsql.batch-size": "2", "parallelism.default": "2"}, {"streamsql.batch-size": "1024", "parallelism.default": "3"},
			{"streamsql.batch-size": "2", "streamsql.rules.off": strings.Join(ruleNames(), ",")},
		} {
			if way["parallelism.default"] != "" && (m.late || m.query == "q18") {
				continue
			}
			want := m.want
			if m.forgotten != nil && way["streamsql.rules.off"] == "" {
				want = m.forgotten
			}
			compare(t, fmt.Sprintf("%s: %s, %v", m.query, m.name, way), answered(t, m.query, m.events, way), lines(want))
		}
		if !m.late {
			compare(t, m.query+" of the oracle: "+m.name, oracle.Answer(m.query, m.events), lines(m.want))
		}
	}
}

// TestEmpty: of no events, and of one alone, comes what the oracle says.
func TestEmpty(t *testing.T) {
	tried := sampled(t, 17, 3)
	for _, events := range [][]oracle.Event{nil, {person(1, "a", "OR", 0)}, {offer(1, 1, 10, 0, 9)}, {bid(1, 1, 1, 0)}} {
		for _, q := range oracles(false) {
			for _, parallelism := range []string{"1", "3"} {
				if !tried() {
					continue
				}
				got := answered(t, q, events, map[string]string{"parallelism.default": parallelism})
				compare(t, fmt.Sprintf("%s of %d events, %s subtasks", q, len(events), parallelism), got, oracle.Answer(q, events))
			}
		}
	}
}
