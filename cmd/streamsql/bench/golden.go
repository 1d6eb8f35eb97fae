package bench

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"streamsql/queries"
	"streamsql/tests/testdata/nexmark"
)

// Golden is the expected digest of a query over an input.
type Golden struct {
	Query, Input string
	Digest
}

// Goldens reads the embedded answers.
func Goldens() ([]Golden, error) {
	var out []Golden
	for n, line := range strings.Split(strings.TrimSpace(nexmark.Results), "\n") {
		f := strings.Split(line, "\t")
		if n == 0 {
			continue
		}
		if len(f) != 5 {
			return nil, fmt.Errorf("bench: goldens: line %d has %d columns, not 5", n+1, len(f))
		}
		rows, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("bench: goldens: line %d: %w", n+1, err)
		}
		msum, err := strconv.ParseUint(f[4], 16, 64)
		if err != nil {
			return nil, fmt.Errorf("bench: goldens: line %d: %w", n+1, err)
		}
		out = append(out, Golden{f[0], f[1], Digest{rows, f[3], msum}})
	}
	return out, nil
}

// Find returns the golden of a query over an input, or nil.
func Find(list []Golden, query, input string) *Golden {
	for i := range list {
		if list[i].Query == query && list[i].Input == input {
			return &list[i]
		}
	}
	return nil
}

// GoldenInput is an input that there are goldens for, and the source options that make it.
type GoldenInput struct {
	Name    string
	Options map[string]string
}

// Inputs lists them, the smallest first: `2k` and `100k` are the first events of the default stream, `tiny-100k` of a
// slow one without hot keys.
func Inputs() []GoldenInput {
	slow := maps.Clone(tiny)
	slow["events.num"] = "100000"
	return []GoldenInput{{"2k", map[string]string{"events.num": "2000"}}, {"100k", map[string]string{"events.num": "100000"}},
		{"tiny-100k", slow}}
}

// tiny are the options of the input `tiny`; the others are at their defaults there.
var tiny = map[string]string{
	"first-event.rate": "7", "person.avg-size": "60b", "auction.avg-size": "100b", "bid.avg-size": "32b",
	"bid.hot-ratio.auctions": "1", "bid.hot-ratio.bidders": "1", "auction.hot-ratio.sellers": "1",
}

// Settled tells whether a query over an input has one answer, whatever order rows arrive in, which channels leave open.
// Of q9, q18 and q19 it does not have: of rows that tie the first or the last counts, and q9k, q18k and q19k leave out
// what tells these apart. q6 and q6last have no ties in the input tiny, and neither have the queries of patterns, in which
// rows of one time are in the order in which they come.
func Settled(query, input string) bool {
	switch query {
	case "q9", "q18", "q19":
		return false
	case "q6", "q6last", "cep0", "cep1", "cep2", "cep3":
		return strings.HasPrefix(input, "tiny-")
	}
	return true
}

// Arrives tells whether the answer of a query over an input is that of the golden only where one source gives all rows
// (no push-down): between sources the order of arrival is lost, and with q6 and q6last it tells sales of a seller at one
// time apart.
func Arrives(query, input string) bool {
	return (query == "q6" || query == "q6last") && !Settled(query, input)
}

// Judged lists the queries whose answers are the same each time: q12 goes by the clock, and q12e stands for it.
func Judged() []string {
	return slices.DeleteFunc(queries.List(), func(q string) bool { return q == "q12" })
}

// Input names the golden input that source options describe, or is empty. Options that do not change the data are
// ignored.
func Input(events int64, options map[string]string) string {
	changed := map[string]string{}
	for k, v := range options {
		switch k {
		case "next-event.rate", "rate.shape", "rate.period", "rate.limited", "keep-alive", "max-emit-speed", "events.num":
		case "split":
			if v != "rows" {
				return ""
			}
		case "rng":
			if v != "stream" {
				return ""
			}
		default:
			if defaults[k] != v {
				changed[k] = v
			}
		}
	}
	name := map[int64]string{2_000: "2k", 100_000: "100k", 1_000_000: "1m"}[events]
	switch {
	case name == "":
		return ""
	case len(changed) == 0:
		return name
	case len(changed) != len(tiny):
		return ""
	}
	for k, v := range tiny {
		if changed[k] != v {
			return ""
		}
	}
	return "tiny-" + name
}

// defaults are the values that leave the stream as it is.
var defaults = map[string]string{
	"first-event.rate": "10000", "person.proportion": "1", "auction.proportion": "3", "bid.proportion": "46",
	"person.avg-size": "200b", "auction.avg-size": "500b", "bid.avg-size": "100b",
	"bid.hot-ratio.auctions": "2", "bid.hot-ratio.bidders": "4", "auction.hot-ratio.sellers": "4",
	"seed": "42", "base-time": "1609459200000", "stop-at": "-1",
}
