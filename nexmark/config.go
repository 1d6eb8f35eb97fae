package nexmark

import (
	"fmt"
	"math"
)

const (
	firstPerson   = 1000
	firstAuction  = 1000
	firstCategory = 10
	hotBatch      = 100     // hot keys change once per so many ids
	extraAuctions = 10      // bids may name auctions that are not open yet
	extraPeople   = 10      // and people who are not born yet
	maxSize       = 1 << 24 // largest average size of an event in bytes
	maxProportion = 1 << 24
)

// Config says which events a generator makes. The zero value is not valid: start from Default.
type Config struct {
	// Seed is the master seed: the pool is drawn from Seed, the URLs from Seed+1, events from Seed+2+Subtask.
	Seed uint64
	// SeedPerEvent draws each event from a seed of its own, a function of Seed and the event's id.
	SeedPerEvent bool
	// Persons, Auctions and Bids are the proportions of the three kinds.
	Persons, Auctions, Bids int64
	// Rate is the number of events per second of event time, over all generators.
	Rate int64
	// PersonSize, AuctionSize and BidSize are average sizes in bytes.
	PersonSize, AuctionSize, BidSize int
	// One in HotAuctions bids (and so on) does not go to the hot key; 1 means never hot.
	HotAuctions, HotBidders, HotSellers int32
	// InFlight is the number of open auctions, ActivePeople of people who sell and bid.
	InFlight, ActivePeople int64
	// GroupSize is the number of consecutive events that are shuffled; 1 keeps them in order.
	GroupSize int64
	// BaseTime is the event time of event number 0, FirstID and FirstNumber belong to the first event.
	BaseTime, FirstID, FirstNumber int64
	// Events is the number of events, 0 without limit; a StopAt that is not negative ends earlier.
	Events, StopAt int64
	// Generators run in parallel on one timeline; Subtask is the number of this one.
	Generators, Subtask int
}

// Default is the configuration of the benchmark's source table with no option set.
func Default() Config {
	return Config{
		Seed: 42, Persons: 1, Auctions: 3, Bids: 46, Rate: 10_000,
		PersonSize: 200, AuctionSize: 500, BidSize: 100,
		HotAuctions: 2, HotBidders: 4, HotSellers: 4, InFlight: 100, ActivePeople: 1000,
		GroupSize: 1, BaseTime: 1_609_459_200_000, FirstID: 1, FirstNumber: 1, StopAt: -1, Generators: 1,
	}
}

// check reports the first value out of range.
func (c *Config) check() error {
	for _, v := range []struct {
		name           string
		val, low, high int64
	}{
		{"person proportion", c.Persons, 0, maxProportion},
		{"auction proportion", c.Auctions, 0, maxProportion},
		{"bid proportion", c.Bids, 0, maxProportion},
		{"sum of the proportions", c.total(), 1, 3 * maxProportion},
		{"event rate", c.Rate, 1, math.MaxInt64},
		{"person size", int64(c.PersonSize), 0, maxSize},
		{"auction size", int64(c.AuctionSize), 0, maxSize},
		{"bid size", int64(c.BidSize), 0, maxSize},
		{"hot auction ratio", int64(c.HotAuctions), 1, math.MaxInt32},
		{"hot bidder ratio", int64(c.HotBidders), 1, math.MaxInt32},
		{"hot seller ratio", int64(c.HotSellers), 1, math.MaxInt32},
		{"in-flight auctions", c.InFlight, 0, 1 << 30},
		{"active people", c.ActivePeople, 1, 1 << 30},
		{"group size", c.GroupSize, 1, 1 << 30},
		{"first id", c.FirstID, 0, math.MaxInt64},
		{"first number", c.FirstNumber, 0, math.MaxInt64},
		{"number of events", c.Events, 0, math.MaxInt64},
		{"number of generators", int64(c.Generators), 1, 1 << 16},
	} {
		if v.val < v.low || v.val > v.high {
			return fmt.Errorf("nexmark: %s is %d, must be %d to %d", v.name, v.val, v.low, v.high)
		}
	}
	return nil
}

func (c *Config) total() int64 { return c.Persons + c.Auctions + c.Bids }

// events is the number of events with no limit set replaced by one that is never reached.
func (c *Config) events() int64 {
	if c.Events > 0 {
		return c.Events
	}
	largest := max(c.PersonSize, c.AuctionSize, c.BidSize, 1)
	return math.MaxInt64 / (c.total() * int64(largest))
}

// limit is the number of events that this generator emits.
func (c *Config) limit() int64 {
	if c.StopAt < 0 {
		return c.events()
	}
	return min(c.StopAt, c.events())
}

// Split divides the configuration over n generators as upstream does and returns part i: the ids are cut into
// contiguous ranges, all parts walk the same timeline n times slower, and each has a random stream of its own.
// A limited number of events must be at least n: a part with none would have no limit.
func (c Config) Split(i, n int) (Config, error) {
	if c.Events > 0 && c.Events < int64(n) {
		return c, fmt.Errorf("nexmark: %d events cannot be split over %d generators", c.Events, n)
	}
	all, stop := c.events(), c.StopAt
	c.Generators, c.Subtask = n, i
	if n == 1 {
		return c, nil
	}
	part := all / int64(n)
	c.Events = part
	c.FirstID += int64(i) * part
	if i == n-1 {
		c.Events = all - part*int64(n-1)
	}
	if stop >= 0 {
		c.StopAt = stop / int64(n)
		if i == n-1 {
			c.StopAt = stop - c.StopAt*int64(n-1)
		}
	}
	return c, nil
}
