package nexmark

import (
	"time"

	"streamsql/exec/option"
)

// options are those of the benchmark's source table, with its names and defaults, and the four of our own at the end.
// The rate's shape, period and limit and the next rate are accepted and change nothing, as upstream.
type options struct {
	Rate        int64         `opt:"first-event.rate" default:"10000" min:"1" max:"2147483647" doc:"events per second of event time, over the whole source"`
	NextRate    int64         `opt:"next-event.rate" default:"10000" min:"1" max:"2147483647" free:"true" doc:"accepted without effect, as in the benchmark"`
	Shape       string        `opt:"rate.shape" default:"SQUARE" enum:"SQUARE,SINE" free:"true" doc:"accepted without effect, as in the benchmark"`
	Period      time.Duration `opt:"rate.period" default:"600 s" min:"0 s" free:"true" doc:"accepted without effect, as in the benchmark"`
	Limited     bool          `opt:"rate.limited" default:"false" free:"true" doc:"accepted without effect, as in the benchmark"`
	Events      int64         `opt:"events.num" default:"0" min:"0" doc:"number of events, 0 for no end"`
	Persons     int64         `opt:"person.proportion" default:"1" min:"0" max:"16777216" doc:"share of persons among the events"`
	Auctions    int64         `opt:"auction.proportion" default:"3" min:"0" max:"16777216" doc:"share of auctions among the events"`
	Bids        int64         `opt:"bid.proportion" default:"46" min:"0" max:"16777216" doc:"share of bids among the events"`
	PersonSize  option.Size   `opt:"person.avg-size" default:"200b" min:"0b" max:"16mb" doc:"average bytes of a person"`
	AuctionSize option.Size   `opt:"auction.avg-size" default:"500b" min:"0b" max:"16mb" doc:"average bytes of an auction"`
	BidSize     option.Size   `opt:"bid.avg-size" default:"100b" min:"0b" max:"16mb" doc:"average bytes of a bid"`
	HotAuctions int64         `opt:"bid.hot-ratio.auctions" default:"2" min:"1" max:"2147483647" doc:"one bid in so many is not on the hot auction"`
	HotBidders  int64         `opt:"bid.hot-ratio.bidders" default:"4" min:"1" max:"2147483647" doc:"one bid in so many is not by the hot bidder"`
	HotSellers  int64         `opt:"auction.hot-ratio.sellers" default:"4" min:"1" max:"2147483647" doc:"one auction in so many is not by the hot seller"`
	KeepAlive   bool          `opt:"keep-alive" default:"false" free:"true" doc:"do not end after the last event"`
	StopAt      int64         `opt:"stop-at" default:"-1" min:"-1" doc:"end after so many events, -1 for events.num alone"`
	MaxSpeed    bool          `opt:"max-emit-speed" default:"true" free:"true" doc:"false: deliver each event when its time has come on the clock"`

	Seed     int64  `opt:"seed" default:"42" doc:"master seed of all random draws"`
	BaseTime int64  `opt:"base-time" default:"1609459200000" min:"0" max:"253402300799999" doc:"event time of the start in milliseconds since 1970"`
	Random   string `opt:"rng" default:"stream" enum:"stream,event" doc:"one random stream as in the benchmark, or a seed per event, so that unread columns and kinds cost nothing"`
	Split    string `opt:"split" default:"rows" enum:"rows,upstream" doc:"at a parallelism above 1: deal out the one stream in blocks of 1024 events, or divide the ids as the benchmark does"`
}

// config turns options into a configuration. An error names the option.
func (o *options) config() (Config, error) {
	if o.Persons+o.Auctions+o.Bids == 0 {
		return Config{}, &option.Error{
			Key:  "bid.proportion",
			Msg:  "options 'person.proportion', 'auction.proportion' and 'bid.proportion' are all 0",
			Hint: "at least one of them must be 1 or more",
		}
	}
	c := Default()
	c.Seed, c.SeedPerEvent = uint64(o.Seed), o.Random == "event"
	c.Persons, c.Auctions, c.Bids = o.Persons, o.Auctions, o.Bids
	c.Rate, c.BaseTime = o.Rate, o.BaseTime
	c.PersonSize, c.AuctionSize, c.BidSize = int(o.PersonSize), int(o.AuctionSize), int(o.BidSize)
	c.HotAuctions, c.HotBidders, c.HotSellers = int32(o.HotAuctions), int32(o.HotBidders), int32(o.HotSellers)
	c.Events, c.StopAt = o.Events, o.StopAt
	return c, c.check()
}
