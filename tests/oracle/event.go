// Package oracle answers the Nexmark queries the plain way: row by row, out of all events at once, with what the
// language has. It is there to be compared with, and to make events that the benchmark's generator never makes.
//
// It does not know SQL, streams or how the engine works.
//
// Invariants:
//
//	A1 an answer is the final table as lines in the encoding of the goldens, in the order of their bytes.
//	A2 events arrive in the order of the list; of ties the rule of the goldens decides.
package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"streamsql/nexmark"
)

// Null is a number that is not there, NullText a text.
const (
	Null     = math.MinInt64
	NullText = "\x00"
)

// Event is a person, an auction or a bid. Kind says which; the fields of the others are empty.
type Event struct {
	Kind  nexmark.Kind `json:"event_type"`
	Time  int64        `json:"dateTime"` // milliseconds, never Null
	Extra string       `json:"extra"`

	ID int64 `json:"id"` // of a person or an auction

	Name  string `json:"name"`
	Email string `json:"emailAddress"`
	Card  string `json:"creditCard"`
	City  string `json:"city"`
	State string `json:"state"`

	Item        string `json:"itemName"`
	Description string `json:"description"`
	InitialBid  int64  `json:"initialBid"`
	Reserve     int64  `json:"reserve"`
	Expires     int64  `json:"expires"` // milliseconds
	Seller      int64  `json:"seller"`
	Category    int64  `json:"category"`

	Auction int64  `json:"auction"`
	Bidder  int64  `json:"bidder"`
	Price   int64  `json:"price"`
	Channel string `json:"channel"`
	URL     string `json:"url"`
}

// Generated is the first n events of a configuration.
func Generated(c nexmark.Config, n int) ([]Event, error) {
	c.Events = int64(n)
	g, err := nexmark.New(c, nexmark.NewStatic(c.Seed))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := nexmark.Dump(&text, g, c.Events, nexmark.JSON); err != nil {
		return nil, err
	}
	out := make([]Event, 0, n)
	for d := json.NewDecoder(&text); d.More(); {
		var e Event
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("oracle: event %d: %w", len(out), err)
		}
		out = append(out, e)
	}
	return out, nil
}

// AppendJSON appends the event as the wide row of the benchmark's table, one line of JSON.
func (e *Event) AppendJSON(out []byte) []byte {
	row := map[string]any{"dateTime": clock(e.Time), "extra": word(e.Extra)}
	name := "bid"
	switch e.Kind {
	case nexmark.Person:
		name = "person"
		row["id"], row["name"], row["emailAddress"], row["creditCard"] = number(e.ID), word(e.Name), word(e.Email), word(e.Card)
		row["city"], row["state"] = word(e.City), word(e.State)
	case nexmark.Auction:
		name = "auction"
		row["id"], row["itemName"], row["description"] = number(e.ID), word(e.Item), word(e.Description)
		row["initialBid"], row["reserve"], row["expires"] = number(e.InitialBid), number(e.Reserve), clock(e.Expires)
		row["seller"], row["category"] = number(e.Seller), number(e.Category)
	default:
		row["auction"], row["bidder"], row["price"] = number(e.Auction), number(e.Bidder), number(e.Price)
		row["channel"], row["url"] = word(e.Channel), word(e.URL)
	}
	line, err := json.Marshal(map[string]any{"event_type": e.Kind, name: row})
	if err != nil {
		panic(err) // numbers and texts alone
	}
	return append(append(out, line...), '\n')
}

func number(v int64) any {
	if v == Null {
		return nil
	}
	return v
}

func word(s string) any {
	if s == NullText {
		return nil
	}
	return s
}

func clock(ms int64) any {
	if ms == Null {
		return nil
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000")
}
