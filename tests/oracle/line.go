package oracle

import (
	"strconv"
	"strings"
	"time"

	"streamsql/nexmark"
)

var escapes = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// line writes a row: int64 and string cells.
func line(cells ...any) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		switch v := c.(type) {
		case int64:
			out[i] = strconv.FormatInt(v, 10)
			if v == Null {
				out[i] = `\N`
			}
		case string:
			out[i] = escapes.Replace(v)
			if v == NullText {
				out[i] = `\N`
			}
		}
	}
	return strings.Join(out, "\t")
}

// day is the date of a moment, as text.
func day(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02") }

// of picks the events of a kind.
func of(events []Event, kind nexmark.Kind) (out []*Event) {
	for i := range events {
		if events[i].Kind == kind {
			out = append(out, &events[i])
		}
	}
	return out
}

// by groups events.
func by[K comparable](events []*Event, key func(*Event) K) map[K][]*Event {
	out := map[K][]*Event{}
	for _, e := range events {
		k := key(e)
		out[k] = append(out[k], e)
	}
	return out
}

// sum leaves NULLs out, and is NULL of nothing. n is how many it added.
func sum(values []int64) (total, n int64) {
	for _, v := range values {
		if v != Null {
			total, n = total+v, n+1
		}
	}
	if n == 0 {
		return Null, 0
	}
	return total, n
}

// average truncates towards zero.
func average(values []int64) int64 {
	total, n := sum(values)
	if n == 0 {
		return Null
	}
	return total / n
}

// least leaves NULLs out; Null is below all else, so that the greatest need not.
func least(values []int64) int64 {
	out := int64(Null)
	for _, v := range values {
		if v != Null && (out == Null || v < out) {
			out = v
		}
	}
	return out
}

// between is the comparison of SQL, which holds for no NULL.
func between(v, from, to int64) bool {
	return v != Null && from != Null && to != Null && from <= v && v <= to
}

// equal is that of SQL.
func equal(a, b int64) bool { return a == b && a != Null }

// prices are those of bids.
func prices(bids []*Event) []int64 {
	out := make([]int64, len(bids))
	for i, b := range bids {
		out[i] = b.Price
	}
	return out
}
