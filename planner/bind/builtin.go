package bind

import (
	"slices"

	"streamsql/planner/catalog"
	"streamsql/planner/parse"
)

// builtinDatabase holds the Nexmark tables that every session can read without DDL. It is made when one
// of them is first named, and a user's database of the same name takes its place.
const builtinDatabase = "nexmark"

var builtinTables = []string{"event", "person", "auction", "bid"}

// BuiltInTables lists the tables that need no DDL, with their database.
func BuiltInTables() []string {
	out := make([]string, len(builtinTables))
	for i, t := range builtinTables {
		out[i] = builtinDatabase + "." + t
	}
	return out
}

// builtinDDL declares the built-in tables with the generator's own defaults.
const builtinDDL = `
CREATE TABLE event (
  event_type INT,
  person ROW<id BIGINT, name VARCHAR, emailAddress VARCHAR, creditCard VARCHAR, city VARCHAR, state VARCHAR,
    ` + "`dateTime`" + ` TIMESTAMP(3), extra VARCHAR>,
  auction ROW<id BIGINT, itemName VARCHAR, description VARCHAR, initialBid BIGINT, reserve BIGINT,
    ` + "`dateTime`" + ` TIMESTAMP(3), expires TIMESTAMP(3), seller BIGINT, category BIGINT, extra VARCHAR>,
  bid ROW<auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR,
    ` + "`dateTime`" + ` TIMESTAMP(3), extra VARCHAR>,
  ` + "`dateTime`" + ` AS CASE WHEN event_type = 0 THEN person.` + "`dateTime`" + `
    WHEN event_type = 1 THEN auction.` + "`dateTime`" + ` ELSE bid.` + "`dateTime`" + ` END,
  WATERMARK FOR ` + "`dateTime`" + ` AS ` + "`dateTime`" + ` - INTERVAL '4' SECOND
) WITH ('connector' = 'nexmark');
CREATE VIEW person AS SELECT person.id, person.name, person.emailAddress, person.creditCard, person.city,
  person.state, ` + "`dateTime`" + `, person.extra FROM event WHERE event_type = 0;
CREATE VIEW auction AS SELECT auction.id, auction.itemName, auction.description, auction.initialBid,
  auction.reserve, ` + "`dateTime`" + `, auction.expires, auction.seller, auction.category, auction.extra
  FROM event WHERE event_type = 1;
CREATE VIEW bid AS SELECT bid.auction, bid.bidder, bid.price, bid.channel, bid.url, ` + "`dateTime`" + `, bid.extra
  FROM event WHERE event_type = 2;
`

// builtinTable finds a built-in table, or nil.
func (w *work) builtinTable(n catalog.Name) *catalog.Table {
	if n.Catalog != catalog.DefaultCatalog || n.Database != builtinDatabase || !slices.Contains(builtinTables, n.Object) {
		return nil
	}
	if w.cat.Database(n.Catalog, n.Database) != nil || w.cat.Connector(builtinDatabase) == nil {
		return nil
	}
	w.cat.CreateDatabase(n.Catalog, catalog.Database{Name: n.Database, Hidden: true})
	for _, st := range parse.Script(builtinDDL) {
		if err := w.declare(st, n); err != nil {
			panic("bind: " + err.Error())
		}
	}
	return w.cat.Table(n)
}

// declare runs one statement of the built-in tables' DDL.
func (w *work) declare(st parse.Stmt, n catalog.Name) error {
	s, err := st.Parse()
	if err != nil {
		return err
	}
	b := &work{Binder: w.Binder, catalog: n.Catalog, database: n.Database, text: builtinDDL,
		expanded: map[*catalog.Table]expansion{}}
	_, err = b.statement(s)
	return err
}
