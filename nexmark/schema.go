package nexmark

import (
	"fmt"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/kernel"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// relation is one of the three ROW columns.
type relation struct {
	name   string
	fields []field
}

// field is a field of a relation: the columns of the generator that hold it, and how it becomes a column of a batch.
type field struct {
	name string
	typ  types.Type
	bit  Columns
	set  func(c *vector.Column, e *Events, s *shared)
}

var (
	bigint    = types.Of(types.BigInt)
	text      = types.String()
	timestamp = types.TimestampOf(3)
	integer   = types.Of(types.Int)
)

func longs(name string, t types.Type, bit Columns, of func(e *Events) []int64) field {
	return field{name, t, bit, func(c *vector.Column, e *Events, _ *shared) { vector.SetSlice(c, t, of(e)) }}
}

func coded(name string, bit Columns, of func(e *Events, s *shared) ([]int32, *vector.Dictionary)) field {
	return field{name, text, bit, func(c *vector.Column, e *Events, s *shared) {
		codes, d := of(e, s)
		c.SetDict(text, codes, d)
	}}
}

func views(name string, bit Columns, set func(c *vector.Column, e *Events, s *shared)) field {
	return field{name, text, bit, set}
}

// padding makes c a column of texts of which those in the pool last.
func padding(c *vector.Column, s *shared, v []kernel.View, fresh []byte) {
	vector.SetViews(c, text, v, s.static.Pool, fresh)
	c.Lasting = 1
}

// relations are the three, in the order of their kinds.
var relations = [kinds]relation{
	{"person", []field{
		longs("id", bigint, PersonID, func(e *Events) []int64 { return e.Persons.ID[:e.Persons.Len] }),
		coded("name", PersonName, func(e *Events, s *shared) ([]int32, *vector.Dictionary) {
			return e.Persons.Name[:e.Persons.Len], s.names
		}),
		views("emailAddress", PersonEmail, func(c *vector.Column, e *Events, _ *shared) {
			vector.SetViews(c, text, e.Persons.Email[:e.Persons.Len], e.Persons.Text)
		}),
		views("creditCard", PersonCard, func(c *vector.Column, e *Events, _ *shared) {
			vector.SetViews(c, text, e.Persons.Card[:e.Persons.Len], e.Persons.Text)
		}),
		coded("city", PersonCity, func(e *Events, s *shared) ([]int32, *vector.Dictionary) {
			return e.Persons.City[:e.Persons.Len], s.cities
		}),
		coded("state", PersonState, func(e *Events, s *shared) ([]int32, *vector.Dictionary) {
			return e.Persons.State[:e.Persons.Len], s.states
		}),
		longs("dateTime", timestamp, PersonTime, func(e *Events) []int64 { return e.Persons.Time[:e.Persons.Len] }),
		views("extra", PersonExtra, func(c *vector.Column, e *Events, s *shared) {
			padding(c, s, e.Persons.Extra[:e.Persons.Len], e.Persons.Fresh)
		}),
	}},
	{"auction", []field{
		longs("id", bigint, AuctionID, func(e *Events) []int64 { return e.Auctions.ID[:e.Auctions.Len] }),
		views("itemName", AuctionItem, func(c *vector.Column, e *Events, _ *shared) {
			vector.SetViews(c, text, e.Auctions.Item[:e.Auctions.Len], e.Auctions.Text)
		}),
		views("description", AuctionDescription, func(c *vector.Column, e *Events, _ *shared) {
			vector.SetViews(c, text, e.Auctions.Description[:e.Auctions.Len], e.Auctions.Text)
		}),
		longs("initialBid", bigint, AuctionInitialBid,
			func(e *Events) []int64 { return e.Auctions.InitialBid[:e.Auctions.Len] }),
		longs("reserve", bigint, AuctionReserve, func(e *Events) []int64 { return e.Auctions.Reserve[:e.Auctions.Len] }),
		longs("dateTime", timestamp, AuctionTime, func(e *Events) []int64 { return e.Auctions.Time[:e.Auctions.Len] }),
		longs("expires", timestamp, AuctionExpires,
			func(e *Events) []int64 { return e.Auctions.Expires[:e.Auctions.Len] }),
		longs("seller", bigint, AuctionSeller, func(e *Events) []int64 { return e.Auctions.Seller[:e.Auctions.Len] }),
		longs("category", bigint, AuctionCategory,
			func(e *Events) []int64 { return e.Auctions.Category[:e.Auctions.Len] }),
		views("extra", AuctionExtra, func(c *vector.Column, e *Events, s *shared) {
			padding(c, s, e.Auctions.Extra[:e.Auctions.Len], e.Auctions.Fresh)
		}),
	}},
	{"bid", []field{
		longs("auction", bigint, BidAuction, func(e *Events) []int64 { return e.Bids.Auction[:e.Bids.Len] }),
		longs("bidder", bigint, BidBidder, func(e *Events) []int64 { return e.Bids.Bidder[:e.Bids.Len] }),
		longs("price", bigint, BidPrice, func(e *Events) []int64 { return e.Bids.Price[:e.Bids.Len] }),
		coded("channel", BidChannel, func(e *Events, s *shared) ([]int32, *vector.Dictionary) {
			return e.Bids.Channel[:e.Bids.Len], s.channels
		}),
		coded("url", BidChannel, func(e *Events, s *shared) ([]int32, *vector.Dictionary) {
			return e.Bids.Channel[:e.Bids.Len], s.urls
		}),
		longs("dateTime", timestamp, BidTime, func(e *Events) []int64 { return e.Bids.Time[:e.Bids.Len] }),
		views("extra", BidExtra, func(c *vector.Column, e *Events, s *shared) {
			padding(c, s, e.Bids.Extra[:e.Bids.Len], e.Bids.Fresh)
		}),
	}},
}

const (
	typeColumn = "event_type"
	timeField  = "dateTime"
)

// Schema is the full table: the event type, then a ROW per relation, of which all but one are NULL.
func Schema() []connector.Column {
	out := []connector.Column{{Name: typeColumn, Type: integer}}
	for _, r := range relations {
		var fields []types.Field
		for _, f := range r.fields {
			fields = append(fields, types.Field{Name: f.name, Type: f.typ})
		}
		out = append(out, connector.Column{Name: r.name, Type: types.RowOf(fields...)})
	}
	return out
}

// tableColumn is a column of the user's table: the event type, or fields of a relation in the user's order.
type tableColumn struct {
	typ    types.Type
	isType bool
	kind   Kind
	fields []*field
}

// bindColumns finds the table's columns by name. A table may leave out columns and fields, or have them in another
// order.
func bindColumns(cols []connector.Column) ([]tableColumn, error) {
	out := make([]tableColumn, len(cols))
	known := Schema()
	var names []string
	for _, k := range known {
		names = append(names, k.Name)
	}
	for i, c := range cols {
		at := -1
		for j, n := range names {
			if n == c.Name {
				at = j
			}
		}
		if at < 0 || c.Metadata != "" {
			return nil, noColumn(c.Name, names)
		}
		out[i] = tableColumn{typ: c.Type, isType: at == 0, kind: Kind(at - 1)}
		if at == 0 {
			if !c.Type.Same(integer) {
				return nil, wrongType(c.Name, c.Type, integer)
			}
			continue
		}
		fields, err := bindFields(c, known[at].Type, relations[at-1].fields)
		if err != nil {
			return nil, err
		}
		out[i].fields = fields
	}
	return out, nil
}

func bindFields(c connector.Column, want types.Type, fields []field) ([]*field, error) {
	if c.Type.Kind != types.Row || c.Type.NotNull {
		return nil, wrongType(c.Name, c.Type, want)
	}
	var out []*field
	for _, f := range c.Type.Fields {
		at := want.Field(f.Name)
		if at < 0 {
			return nil, wrongType(c.Name, c.Type, want)
		}
		if !f.Type.Same(fields[at].typ) {
			return nil, wrongType(c.Name+"."+f.Name, f.Type, fields[at].typ)
		}
		out = append(out, &fields[at])
	}
	return out, nil
}

func noColumn(name string, names []string) error {
	hint := "it has " + strings.Join(names, ", ")
	if near := option.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean '%s'? %s", near, hint)
	}
	return fmt.Errorf("connector 'nexmark' has no column '%s'; %s", name, hint)
}

func wrongType(name string, got, want types.Type) error {
	return fmt.Errorf("column '%s' of connector 'nexmark' has type %s, not %s", name, want, got)
}
